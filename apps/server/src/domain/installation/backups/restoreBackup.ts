import { SoukError } from '@souk/contract'
import { migrate, migrationLock } from '../../../kernel/db/migrate.ts'
import { Session } from '../../../kernel/db/session.ts'
import { masterKeyId } from '../../../kernel/vault.ts'
import type { CheckedBackup } from './checkBackup.ts'
import { figuresOf, findDifference } from './figures.ts'
import { findOwner } from './findOwner.ts'
import type { Table } from './format.ts'
import type { Progress } from './makeBackup.ts'
import { type Part, readBackup } from './readBackup.ts'
import {
  addJobs,
  copyJobsFrom,
  copyTableFrom,
  createJobTable,
  emptyTables,
  enableTriggers,
  listSequences,
  listTables,
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
    // SQL: two numbers.
    await session.run(`select pg_advisory_xact_lock(${migrationLock.join(', ')})`)
    await checkEmpty(session)
    await fillTables(session, backup, progress)
    const difference = findDifference(await figuresOf(session), backup.figures)
    if (difference) throw new SoukError('restore_mismatch', `${difference}. Nothing was restored.`)
    await checkInstallation(session, backup)
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
  await checkSchema(session, backup)
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  await emptyTables(session, manifest.tables)
  await createJobTable(session)
  // The file is read a second time, and can have changed: the figures of the first are compared at the end.
  for await (const part of readBackup(path, passphrase)) {
    if (!('table' in part)) continue
    const table = tables.get(part.table)
    await session.copyFrom(table ? copyTableFrom(table) : copyJobsFrom, counted(part, progress))
  }
  await addJobs(session)
  await setSequences(session, figures.sequences)
  await enableTriggers(session, manifest.tables)
}

async function* counted({ table, rows }: Extract<Part, { table: string }>, progress: Progress) {
  let bytes = 0
  for await (const chunk of rows) {
    yield chunk
    bytes += chunk.length
  }
  progress(table, bytes)
}

/**
 * Compares the names in a backup with the tables that its migrations created. Nothing was written from it before.
 * @throws SoukError `backup_damaged`
 */
async function checkSchema(session: Session, { path, manifest, figures }: CheckedBackup): Promise<void> {
  const schema = await listTables(session)
  const expected = new Map(schema.map((table) => [table.name, table]))
  const found = new Set(manifest.tables.map(({ name }) => name))
  const problems = [
    ...schema.filter(({ name }) => !found.has(name)).map(({ name }) => `it lacks the table ${name}`),
    ...manifest.tables.flatMap((table) => findProblems(table, expected.get(table.name))),
  ]
  const sequences = new Set(await listSequences(session))
  for (const name of Object.keys(figures.sequences)) {
    if (!sequences.has(name)) problems.push(`there is no sequence ${name}`)
  }
  if (problems.length === 0) return
  const reason = `its manifest does not match the schema of Souk ${manifest.souk}: ${problems.slice(0, 3).join('; ')}`
  throw new SoukError('backup_damaged', `${path} was changed: ${reason}. Use another copy of it.`)
}

function findProblems({ name, columns, partitions }: Table, schema: Table | undefined): string[] {
  if (!schema) return [`there is no table ${name}`]
  const [found, wanted] = [new Set(columns), new Set(schema.columns)]
  return [
    ...[...found.difference(wanted)].map((column) => `${name} has no column ${column}`),
    ...[...wanted.difference(found)].map((column) => `it lacks the column ${column} of ${name}`),
    ...((partitions === undefined) === (schema.partitions === undefined)
      ? []
      : [`${name} is ${schema.partitions ? '' : 'not '}partitioned`]),
  ]
}

/**
 * Compares the installation in the rows with what the file says about it.
 * @throws SoukError `restore_mismatch`
 */
async function checkInstallation(session: Session, { manifest, masterKeys }: CheckedBackup): Promise<void> {
  const installations = await session.run<{ keyId: string; environment: string }>(
    'select key_id as "keyId", environment from installation',
  )
  const keyIds = masterKeys.map(masterKeyId)
  const reject = (reason: string) => {
    throw new SoukError('restore_mismatch', `The file was made of several backups: ${reason}. Nothing was restored.`)
  }
  const [installation] = installations
  if (!installation || installations.length > 1) return reject(`it has ${installations.length} installations`)
  const { keyId, environment } = installation
  if (environment !== manifest.environment) {
    reject(`its rows are of a ${environment} installation, its manifest of a ${manifest.environment} one`)
  }
  if (!keyIds.includes(keyId)) reject(`its rows need the master key ${keyId}, and it has ${keyIds.join(', ')}`)
}
