import { SoukError } from '@souk/contract'
import { OffsetClock } from '../../../kernel/clock.ts'
import { withBaseline } from '../../../kernel/db/baseline.ts'
import { findUnknownMigration, migrate, readMigrations } from '../../../kernel/db/migrate.ts'
import { connect, type Sql } from '../../../kernel/db/pool.ts'
import { Session } from '../../../kernel/db/session.ts'
import { audit } from '../audit/index.ts'
import { copyRows, type Figures, listMigrations, type Progress, takeSnapshot } from '../backups/index.ts'
import { operator } from './destination.ts'
import { existsStartSince } from './store.ts'

const action = 'database.upgrade'

export interface UpgradeOptions {
  /** URLs of the old database, without other sessions, and of the new one. */
  from: string
  to: string
  /** Major versions of PostgreSQL, for the audit log. */
  versions: { from: number; to: number }
  progress: Progress
}

/**
 * Copies an installation to an empty database of another major version of PostgreSQL, and compares both. The tables
 * stay as they are: the next start of a server migrates them.
 * @throws SoukError `database_upgrade_failed`, `copy_mismatch`
 */
export async function copyToNewVersion({ from, to, versions, progress }: UpgradeOptions): Promise<Figures> {
  const source = await Session.open(from, 'souk database')
  const target = await Session.open(to, 'souk database')
  try {
    const applied = withBaseline(await listMigrations(source), await readMigrations())
    const unknown = await findUnknownMigration(applied)
    if (unknown) throw new Error(`This version of Souk does not have the migration ${unknown.name} of the database`)
    await migrate(to, { upTo: applied.at(-1)?.name ?? '' })
    const tables = await takeSnapshot(source)
    await target.run('begin')
    const figures = await copyRows({ source, target, tables, progress })
    await target.run('commit')
    await recordUpgrade(to, versions)
    return figures
  } catch (error) {
    if (error instanceof SoukError) throw error
    const reason = `${(error as Error).message}. The old database is as it was.`
    throw new SoukError('database_upgrade_failed', reason, { cause: error })
  } finally {
    await target.close()
    await source.close()
  }
}

async function recordUpgrade(url: string, detail: UpgradeOptions['versions']): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: 'souk database' })
  try {
    await sql.begin((tx) =>
      audit({ clock: new OffsetClock() }, tx, operator, { action, subject: 'installation', detail }),
    )
  } finally {
    await sql.end()
  }
}

/** Returns whether a server has started on a database since its upgrade. */
export async function isUsedSinceUpgrade(sql: Sql): Promise<boolean> {
  return existsStartSince(sql, action)
}
