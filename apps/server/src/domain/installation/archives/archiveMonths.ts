import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SoukError, second } from '@souk/contract'
import { verbatimLines } from '../../../kernel/db/copyOut.ts'
import { quoteIdentifier, quoteIdentifiers } from '../../../kernel/db/identifiers.ts'
import {
  attachPartition,
  createTable,
  fallbackOf,
  firstUuidAt,
  listPartitions,
  lockPartitions,
  type Partition,
  type PartitionedTable,
  partitionedTables,
  type Range,
} from '../../../kernel/db/partitions.ts'
import { Session } from '../../../kernel/db/session.ts'
import { syncDirectory } from '../../../kernel/secretFile.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import {
  type Content,
  createFolder,
  deleteAbandonedDrafts,
  discard,
  draftEnding,
  readLines,
  writeLines,
} from './file.ts'
import {
  type Archive,
  countUnfinished,
  insertRefundChanges,
  insertTradeChanges,
  listArchives,
  updateArchiveToRestored,
  upsertArchive,
} from './store.ts'

/** Parameters of archiving. `folder` contains the files; `url` is the database's. */
export interface ArchiveOptions {
  context: Pick<Context, 'sql' | 'clock'>
  url: string
  folder: string
  /**
   * Receives what is being done, the name of a partition or `locking`, and the bytes of it so far. Throws to interrupt
   * the work.
   */
  progress?: (what: string, bytes: number) => void
}

/** The operator at the machine of the installation, who can read its files; also the recurring job. */
const operator = { kind: 'admin' } as const
/** Tables whose months are archived, those of the same range together. */
const archivedTables: readonly PartitionedTable[] = [
  partitionedTables.all_trades,
  partitionedTables.trade_events,
  partitionedTables.callbacks,
  partitionedTables.callback_attempts,
]
const lockInterval = second
const maxLockAttempts = 60

/**
 * Archives a month of trades with their events, and of callbacks with their attempts: writes them to files, reads these
 * back, drops the partitions, all in one transaction. Until it commits, the rows can be read but not changed.
 *
 * @param name of a partition of the month
 * @throws SoukError `partition_not_found`, `partition_in_use`, `archive_unfinished`, `archive_unwritable`,
 *   `archive_damaged`
 */
export async function archiveMonth(options: ArchiveOptions, name: string): Promise<Archive[]> {
  const { context, url, folder, progress } = options
  const partitions = await findTogether(options, name)
  await createFolder(folder)
  await deleteAbandonedDrafts(folder)
  const session = await Session.open(url, 'souk archive')
  const archives: Archive[] = []
  let isCommitting = false
  try {
    // Reading the files back takes longer than a transaction may otherwise be idle.
    await session.run(`begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '2s'`)
    const locked = quoteIdentifiers(partitions.map((partition) => partition.name))
    await session.run(`lock table ${locked} in share mode`)
    await checkFinished(session, partitions[0]!.range)
    for (const partition of partitions) archives.push(await writePartition(session, partition, options))
    for (const { name } of partitions.filter(({ table }) => table === partitionedTables.all_trades)) {
      await insertTradeChanges(session, name, -1)
      await insertRefundChanges(session, name, -1)
    }
    await lockPartitions((statement) => session.run(statement))
    await lockToDetach(session, partitions, progress)
    for (const { table, name } of partitions) {
      const dropped = quoteIdentifier(name)
      await session.run(`alter table ${quoteIdentifier(table.name)} detach partition ${dropped}; drop table ${dropped}`)
    }
    for (const archive of archives) await upsertArchive(session, archive)
    isCommitting = true
    await session.run('commit')
    const detail = { files: archives.map(({ file, rows, sha256 }) => ({ file, rows, sha256 })) }
    await context.sql.begin((tx) => audit(context, tx, operator, { action: 'trades.archive', subject: name, detail }))
    return archives
  } catch (error) {
    // If the connection was lost during the commit, these can be the only copy of the rows.
    if (!isCommitting) for (const { file } of archives) await rm(join(folder, file), { force: true })
    throw explainInUse(error, name)
  } finally {
    await session.close()
  }
}

/** Explains errors of PostgreSQL about locks that other processes hold, and about a table that exists. */
function explainInUse(error: unknown, name: string): unknown {
  const { code = '', message } = error as { code?: string; message: string }
  if (code === '42P07') return new SoukError('partition_in_use', `${name}: ${message}.`, { cause: error })
  if (!['55P03', '57014'].includes(code)) return error
  return new SoukError('partition_in_use', `${name}: other processes use its tables all the time.`, { cause: error })
}

/**
 * Locks everything that detaching partitions needs, and causes no deadlock. Readers must not wait while the files are
 * written, so the transaction has a weaker lock already, for which writers wait. It never waits while they do: `nowait`
 * fails if someone waits for a partition. It then waits for the tables for less than the second after which PostgreSQL
 * looks for deadlocks. So it may have to give up, but nothing else is canceled.
 *
 * @throws Error of PostgreSQL, 55P03 or 57014, if the tables are in use all the time
 */
async function lockToDetach(
  session: Session,
  partitions: readonly RangedPartition[],
  progress: ArchiveOptions['progress'],
): Promise<void> {
  const detached = quoteIdentifiers(partitions.map(({ name }) => name))
  const others = partitions
    .map(({ table }) => `only ${quoteIdentifier(table.name)}, ${quoteIdentifier(fallbackOf(table))}`)
    .join(', ')
  for (let attempt = 1; ; attempt++) {
    progress?.('locking', 0)
    await session.run(`savepoint unlocked; set local statement_timeout = '500ms'`)
    try {
      await session.run(`lock table ${detached} in access exclusive mode nowait`)
      // SQL: quoted above.
      await session.run(`lock table ${others} in access exclusive mode`)
      await session.run('set local statement_timeout = 0')
      return
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!['55P03', '57014'].includes(code) || attempt === maxLockAttempts) throw error
      await session.run('rollback to savepoint unlocked')
      await wait(lockInterval)
    }
  }
}

type RangedPartition = Partition & { range: Range }

/** Returns the partitions of a month by the name of one of them. @throws SoukError `partition_not_found` */
async function findTogether({ context }: ArchiveOptions, name: string): Promise<RangedPartition[]> {
  const all = await listArchivable(context.sql)
  const found = all.find((partition) => partition.name === name)
  if (!found) {
    const names = all.filter(({ table }) => table === archivedTables[0]).map((partition) => partition.name)
    throw new SoukError('partition_not_found', `There is no ${name}. Partitions of trades: ${names.join(', ')}.`)
  }
  const { from, to } = found.range
  if (to > context.clock.real()) {
    throw new SoukError('archive_unfinished', `${name} ends ${new Date(to).toISOString()}. Archive it after that.`)
  }
  return all.filter(({ range }) => range.from === from && range.to === to)
}

/** Lists the partitions that can be archived once they have ended, by table. */
async function listArchivable(sql: Context['sql']): Promise<RangedPartition[]> {
  const partitions = await Promise.all(archivedTables.map((table) => listPartitions(sql, table)))
  return partitions.flat().filter((partition): partition is RangedPartition => partition.range !== undefined)
}

async function checkFinished(session: Session, { from, to }: Range): Promise<void> {
  const unfinished = await countUnfinished(session, firstUuidAt(from), firstUuidAt(to))
  const left = Object.entries(unfinished).filter(([, count]) => count > 0)
  if (left.length === 0) return
  throw new SoukError(
    'archive_unfinished',
    `Not yet finished: ${left.map(([what, count]) => `${what}: ${count}`).join(', ')}. They finish on their own, or finish them in the console.`,
  )
}

/** Writes a partition to a file with a unique name, so that no archive is ever overwritten. */
async function writePartition(
  session: Session,
  { table, name, range }: RangedPartition,
  { context, folder, progress }: ArchiveOptions,
): Promise<Archive> {
  const archivedAt = context.clock.real()
  // A name can contain anything, even a path.
  const title = `${name.replaceAll(/\W/g, '_')}-${new Date(archivedAt).toISOString().replace(/[-:]|\.\d+/g, '')}`
  const file = `${title}.ndjson.gz`
  const path = join(folder, file)
  const draft = join(folder, `${title}${draftEnding}`)
  let content: Content
  try {
    const lines = session.copyTo(
      `copy (select row_to_json(r) from ${quoteIdentifier(name)} r) to stdout (${verbatimLines})`,
    )
    content = await writeLines(draft, counted(lines, name, progress))
    await readLines(draft, content, (written) => discard(counted(written, name, progress)))
    await rename(draft, path)
    await syncDirectory(folder)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  const from = Math.max(0, range.from)
  return { partition: name, table: table.name, from, to: range.to, file, ...content, archivedAt, restoredAt: null }
}

/**
 * Compares the files of all archives with what they had. Returns them.
 * @throws SoukError `archive_damaged`, which names all damaged files
 */
export async function verifyArchives({ context, folder, progress }: ArchiveOptions): Promise<Archive[]> {
  const archives = (await listArchives(context.sql)).filter(({ restoredAt }) => restoredAt === null)
  const damaged = new Map<string, SoukError>()
  for (const archive of archives) {
    checkRow(archive)
    const path = join(folder, archive.file)
    const read = (lines: AsyncIterable<Buffer>) => discard(counted(lines, archive.partition, progress))
    await readLines(path, archive, read).catch((error: unknown) => {
      if (!(error instanceof SoukError)) throw error
      damaged.set(path, error)
    })
  }
  if (damaged.size > 1) throw new SoukError('archive_damaged', `Use other copies of ${[...damaged.keys()].join(', ')}.`)
  const [error] = damaged.values()
  if (error) throw error
  return archives
}

/**
 * Attaches the rows of an archived month again. They stay until they are archived by name.
 * @param name of a partition of the month
 * @throws SoukError `partition_not_found`, `partition_in_use`, `archive_damaged`
 */
export async function restoreMonth(options: ArchiveOptions, name: string): Promise<Archive[]> {
  const { context, url, folder, progress } = options
  const all = (await listArchives(context.sql)).filter(({ restoredAt }) => restoredAt === null)
  const month = all.find(({ partition }) => partition === name)
  if (!month) {
    const names = all.map(({ partition }) => partition)
    throw new SoukError(
      'partition_not_found',
      `There is no archive of ${name}. Archives: ${names.join(', ') || 'none'}.`,
    )
  }
  const archives = all.filter(({ from, to }) => from === month.from && to === month.to)
  const now = context.clock.real()
  const session = await Session.open(url, 'souk archive')
  try {
    await session.run('begin')
    for (const archive of archives) {
      checkRow(archive)
      await loadPartition(session, archive, join(folder, archive.file), progress)
      await updateArchiveToRestored(session, archive.partition, now)
    }
    const ofTrades = archives.filter((archive) => checkRow(archive) === partitionedTables.all_trades)
    for (const { partition } of ofTrades) await insertTradeChanges(session, partition, 1)
    await session.run(`set local lock_timeout = '2s'`)
    await lockPartitions((statement) => session.run(statement))
    // A refund of an archived trade can fail at this moment. It locks the trade first, then the refund.
    const others = fallbackOf(partitionedTables.all_trades)
    await session.run(`lock table ${quoteIdentifier(others)} in access exclusive mode`)
    await session.run('lock table refunds in share mode')
    for (const { partition } of ofTrades) await insertRefundChanges(session, partition, 1)
    for (const archive of archives) {
      const { partition, from, to } = archive
      const range = { from: from === 0 ? Number.NEGATIVE_INFINITY : from, to }
      await attachPartition((statement) => session.run(statement), checkRow(archive), partition, range)
    }
    await session.run('commit')
    await context.sql.begin((tx) => audit(context, tx, operator, { action: 'trades.restore', subject: name }))
    return archives
  } catch (error) {
    throw explainInUse(error, name)
  } finally {
    await session.close()
  }
}

/** Passes on the lines of a partition, and reports their bytes. */
async function* counted(
  lines: AsyncIterable<Buffer>,
  partition: string,
  progress: ArchiveOptions['progress'],
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of lines) {
    bytes += part.length
    progress?.(partition, bytes)
    yield part
  }
}

/**
 * Checks the row of an archive, which a restored backup can have brought: it names a file and a table.
 * @returns the archived table
 * @throws SoukError `archive_damaged`
 */
function checkRow({ table, partition, file }: Archive): PartitionedTable {
  const found = archivedTables.find(({ name }) => name === table)
  if (!found) throw new SoukError('archive_damaged', `The archive of ${partition} is of ${table}, which has none.`)
  if (basename(file) !== file || !file.endsWith('.ndjson.gz')) {
    throw new SoukError('archive_damaged', `The archive of ${partition} is ${file}, which is not a file in the folder.`)
  }
  return found
}

async function loadPartition(
  session: Session,
  { table, partition, ...content }: Archive,
  path: string,
  progress: ArchiveOptions['progress'],
): Promise<void> {
  await createTable((statement) => session.run(statement), table, partition)
  await session.run('create temporary table archived (line json) on commit drop')
  await readLines(path, content, (lines) =>
    session.copyFrom(`copy archived from stdin (${verbatimLines})`, counted(lines, partition, progress)),
  )
  // Columns that were added since the archive was made get their default.
  const [found] = await session.run<{ columns: string | null }>(`
    select string_agg(quote_ident(name), ', ') as columns
    from json_object_keys((select line from archived limit 1)) as name`)
  if (found?.columns) {
    // SQL: quoted by PostgreSQL.
    await session.run(`
      insert into ${quoteIdentifier(partition)} (${found.columns})
      select ${found.columns} from archived, json_populate_record(null::${quoteIdentifier(table)}, line)`)
  }
  await session.run('drop table archived')
}

/** Job: archives months that are older than the retention in months. */
export async function archiveOldMonths(options: ArchiveOptions, retention: number, log: Context['log']): Promise<void> {
  if (retention === 0) return
  const { context } = options
  const now = new Date(context.clock.real())
  const before = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retention)
  const done = new Set((await listArchives(context.sql)).map(({ partition }) => partition))
  for (const { name, range } of await listArchivable(context.sql)) {
    if (range.to > before || done.has(name)) continue
    try {
      const archives = await archiveMonth(options, name)
      for (const { partition } of archives) done.add(partition)
      log.info({ partition: name, files: archives.map(({ file }) => file) }, 'archived trades and callbacks')
    } catch (error) {
      log.error({ partition: name, reason: (error as Error).message }, 'cannot archive a month; trying again tomorrow')
    }
  }
}
