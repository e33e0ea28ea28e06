import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SoukError } from '@souk/contract'
import { type Command, sumOf, withPool } from './command.ts'
import { ConfigError } from './config.ts'
import { copyToNewVersion, type Figures, isUsedSinceUpgrade } from './domain/installation/index.ts'
import { Clusters } from './kernel/db/clusters.ts'
import { openDatabase } from './kernel/db/database.ts'
import { startEmbedded } from './kernel/db/embedded.ts'
import { findLauncher, findPrograms } from './kernel/db/launcher.ts'
import { migrate } from './kernel/db/migrate.ts'
import { soukVersion } from './kernel/package.ts'

const nextSteps = 'Go back with souk database rollback. Free the space of the old data with souk database discard-old.'

/** Migrates the database to this version, as a server does that starts (ADR 408). */
export async function migrateDatabase({ config, log, print }: Command): Promise<void> {
  const database = await openDatabase({ ...config, log })
  try {
    const applied = await migrate(database.url)
    print({ version: soukVersion, applied }, [
      applied.length > 0
        ? `Migrated the database to Souk ${soukVersion}: ${applied.join(', ')}.`
        : `The database has all migrations of Souk ${soukVersion}.`,
    ])
  } finally {
    await database.stop()
  }
}

/**
 * Upgrades the embedded database to the PostgreSQL that this version of Souk bundles: copies it into a new cluster
 * beside the old one, compares both, and swaps them (ADR 310). Killed at any moment, it can be repeated.
 * @param programs folder of the programs of the old version
 */
export async function upgrade(command: Command, programs: string | undefined): Promise<void> {
  const { config, progress, print } = command
  const clusters = clustersOf(config)
  const { home } = clusters
  const { version: to } = findLauncher(home)
  if (clusters.isDraftComplete()) {
    await clusters.useDraft()
    const from = clusters.setAside[0]
    return print({ from, to }, [`Completed the upgrade of the database to PostgreSQL ${to}. ${nextSteps}`])
  }
  clusters.checkComplete()
  const from = clusters.version ?? to
  if (from === to) return print({ from, to }, [`The database is of PostgreSQL ${to} already.`])
  if (from > to) {
    throw new SoukError('database_upgrade_failed', `The data is of PostgreSQL ${from}, and this version brings ${to}.`)
  }
  const figures = await copyIntoDraft(
    clusters,
    { from, to },
    programs ? resolve(programs) : findPrograms(from),
    command,
  )
  await clusters.useDraft()
  progress.clear()
  print({ from, to, ...figures }, [
    `Upgraded the database from PostgreSQL ${from} to ${to}: ${sumOf(figures.rows)} rows.`,
    `Rows, balances of the ledger and the audit chain are those of the old data, which is kept in ${clusters.pathOf(from)}.`,
    nextSteps,
  ])
}

/** Copies the data into a new cluster. The old one is only read; the new one is removed if this fails. */
async function copyIntoDraft(
  clusters: Clusters,
  versions: { from: number; to: number },
  programs: string,
  { progress, log }: Command,
): Promise<Figures> {
  await clusters.removeDraft()
  const old = await startEmbedded({ directory: clusters.home, log, programs })
  try {
    const next = await startEmbedded({ directory: clusters.draft, log })
    try {
      return await copyToNewVersion({ from: old.url, to: next.url, versions, progress: progress.show })
    } finally {
      await next.stop()
    }
  } catch (error) {
    await clusters.removeDraft()
    throw error
  } finally {
    await old.stop()
  }
}

/** Returns to the old cluster. What was written since the upgrade is not in it. */
export async function rollback({ config, log, print }: Command, discardChanges: boolean): Promise<void> {
  const clusters = clustersOf(config)
  const [old] = clusters.setAside
  const current = clusters.version
  if (old === undefined || (current !== undefined && old >= current) || clusters.isDraftComplete()) {
    throw new SoukError('database_not_upgraded', `${clusters.home} has no data from before an upgrade.`)
  }
  if (current !== undefined && (await hasChanges(clusters)) && !discardChanges) {
    throw new SoukError(
      'database_rollback_refused',
      'A server has run since the upgrade, and what it wrote is not in the old data. Make a backup, or pass ' +
        '--discard-changes to lose it.',
    )
  }
  await clusters.useOldest()
  print({ version: old }, [
    `The database is that of PostgreSQL ${old} again. Start the version of Souk that was used before.`,
    'The newer data is kept until souk database discard-old.',
  ])

  async function hasChanges({ home }: Clusters): Promise<boolean> {
    const database = await startEmbedded({ directory: home, log })
    try {
      return await withPool(database.url, isUsedSinceUpgrade)
    } finally {
      await database.stop()
    }
  }
}

/** Deletes the clusters that upgrades and rollbacks have set aside. */
export async function discardOld({ config, print }: Command): Promise<void> {
  const clusters = clustersOf(config)
  clusters.checkComplete()
  const versions = clusters.setAside
  if (versions.length === 0) throw new SoukError('database_not_upgraded', `${clusters.home} has no old data.`)
  await clusters.removeSetAside()
  print({ versions }, [`Deleted the data of PostgreSQL ${versions.join(' and ')}. There is no way back to it.`])
}

/** @throws ConfigError unless the installation has an embedded database */
function clustersOf({ dataDir, databaseUrl }: Command['config']): Clusters {
  const home = join(dataDir, 'postgres')
  if (databaseUrl) {
    throw new ConfigError('DATABASE_URL is set. Upgrade that PostgreSQL with its own tools, or unset DATABASE_URL.')
  }
  if (existsSync(home)) return new Clusters(home)
  throw new ConfigError(`${dataDir} has no database. Set SOUK_DATA_DIR to the data directory of the installation.`)
}
