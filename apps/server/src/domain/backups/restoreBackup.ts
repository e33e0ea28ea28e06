import { SoukError } from '@souk/contract'
import { migrate, migrationLock } from '../../kernel/db/migrate.ts'
import { Session } from '../../kernel/db/session.ts'
import { type Entry, readArchive } from './archive.ts'
import { type CheckedBackup, tableOf } from './checkBackup.ts'
import { figuresOf, findDifference } from './figures.ts'
import { findOwner } from './findOwner.ts'
import { entries } from './format.ts'
import type { Progress } from './makeBackup.ts'
import {
  addJobs,
  copyJobsFrom,
  copyTableFrom,
  createJobTable,
  emptyTables,
  enableTriggers,
  setSequences,
} from './tables.ts'

export interface RestoreOptions {
  /** URL of an empty database. */
  url: string
  backup: CheckedBackup
  progress: Progress
  /** Called before the restored rows are committed; nothing is restored if it fails. */
  beforeCommit?: () => Promise<void>
}

/**
 * Restores a backup into an empty database: creates the tables as the backup has them, fills them in one transaction,
 * compares them with the backup, and migrates them to this version.
 * @throws SoukError `restore_not_empty`, `restore_mismatch`, `restore_failed`, and errors of reading the backup
 */
export async function restoreBackup({ url, backup, progress, beforeCommit }: RestoreOptions): Promise<void> {
  let outcome = 'The database has no rows of the backup.'
  const session = await Session.open(url, 'souk restore')
  try {
    await checkEmpty(session)
    await migrate(url, { upTo: backup.manifest.migrations.at(-1)?.name ?? '' })
    await session.run('begin')
    // Servers that start now wait, and find the restored installation.
    await session.run(`select pg_advisory_xact_lock(${migrationLock.join(', ')})`)
    await checkEmpty(session)
    await fillTables(session, backup, progress)
    const difference = findDifference(await figuresOf(session), backup.figures)
    if (difference) throw new SoukError('restore_mismatch', `${difference}. Nothing was restored.`)
    await beforeCommit?.()
    outcome = 'It is unknown whether the database has the rows: start the server, or restore again.'
    await session.run('commit')
  } catch (error) {
    if (error instanceof SoukError) throw error
    throw new SoukError('restore_failed', `${(error as Error).message}. ${outcome}`, { cause: error })
  } finally {
    await session.close()
  }
  await migrate(url)
}

/** @throws SoukError `restore_not_empty` */
async function checkEmpty(session: Session): Promise<void> {
  const owner = await findOwner(session)
  if (owner) {
    throw new SoukError('restore_not_empty', `${owner} Restore into an empty database and data directory.`)
  }
}

async function fillTables(session: Session, backup: CheckedBackup, progress: Progress): Promise<void> {
  const { path, passphrase, manifest, figures } = backup
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  await emptyTables(session, manifest.tables)
  await createJobTable(session)
  for await (const entry of readArchive(path, passphrase)) {
    const name = tableOf(entry)
    const table = entry.name.startsWith(entries.tablePrefix) ? tables.get(name) : undefined
    if (table) await session.copyFrom(copyTableFrom(table), counted(entry, progress))
    else if (name === entries.jobs) await session.copyFrom(copyJobsFrom, counted(entry, progress))
    else await drain(entry)
  }
  await addJobs(session)
  await setSequences(session, figures.sequences)
  await enableTriggers(session, manifest.tables)
}

async function* counted(entry: Entry, progress: Progress): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of entry.content) {
    yield part
    bytes += part.length
  }
  progress(tableOf(entry), bytes)
}

async function drain({ content }: Entry): Promise<void> {
  for await (const _ of content);
}
