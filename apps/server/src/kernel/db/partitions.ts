import { day } from '@souk/contract'
import { identifier, quoteIdentifier, quoteIdentifiers } from './identifiers.ts'
import { lockClass } from './lock.ts'
import type { Part, Sql, Tx } from './pool.ts'

/** A table that is partitioned by time, in UTC. */
export interface PartitionedTable {
  name: string
  /** Prefix of the names of its partitions. */
  prefix: string
  /** Column with the time in ms, or with a UUID v7, whose time is the wall clock. */
  key: { column: string; type: 'time' | 'uuid' }
  period: 'day' | 'month'
  /** Columns that are unique in each partition. A constraint of the whole table would need the key. */
  unique?: readonly string[]
}

/** Every partitioned table (ADR 313). Tables with a month in common are archived together. */
export const partitionedTables = {
  all_trades: {
    name: 'all_trades',
    prefix: 'trades',
    key: { column: 'trade_no', type: 'uuid' },
    period: 'month',
  },
  trade_events: {
    name: 'trade_events',
    prefix: 'trade_events',
    key: { column: 'trade_no', type: 'uuid' },
    period: 'month',
  },
  callbacks: {
    name: 'callbacks',
    prefix: 'callbacks',
    key: { column: 'notify_id', type: 'uuid' },
    period: 'month',
    unique: ['appid', 'trade_no'],
  },
  callback_attempts: {
    name: 'callback_attempts',
    prefix: 'callback_attempts',
    key: { column: 'notify_id', type: 'uuid' },
    period: 'month',
  },
  request_log: {
    name: 'request_log',
    prefix: 'request_log',
    key: { column: 'time', type: 'time' },
    period: 'day',
  },
  analytics_events: {
    name: 'analytics_events',
    prefix: 'analytics_events',
    key: { column: 'time', type: 'time' },
    period: 'day',
  },
} as const satisfies Record<string, PartitionedTable>

/** A range of time in ms, from `from` up to, but without, `to`. */
export interface Range {
  from: number
  to: number
}

/** A partition of a table. The default partition has no range; the first one starts at -Infinity. */
export interface Partition {
  table: PartitionedTable
  name: string
  range: Range | undefined
  /** Bytes on disk, with indexes. */
  size: number
  /** Estimated by PostgreSQL. */
  rows: number
}

/** Number of periods after the current one for which partitions exist. */
const periodsAhead = { day: 7, month: 3 }
const advisoryKey = 3
/** The last time in a UUID v7, in ms. */
const lastTime = 2 ** 48 - 1
/** Statements that use the table wait behind a lock that waits, so none waits long. */
const lockTimeout = '2s'

/** Returns the period that contains `time`. */
export function periodAt({ period }: PartitionedTable, time: number): Range {
  if (period === 'day') {
    const from = Math.floor(time / day) * day
    return { from, to: from + day }
  }
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

/** Returns the name of a period, such as `2027_02` or `2027_02_28`. */
function periodName({ period }: PartitionedTable, { from }: Range): string {
  return new Date(from)
    .toISOString()
    .slice(0, period === 'day' ? 10 : 7)
    .replaceAll('-', '_')
}

/** Returns the smallest UUID v7 of a time in ms, with or without its version digit. */
export function firstUuidAt(time: number): string {
  return Math.max(0, Math.floor(time)).toString(16).padStart(12, '0').padEnd(32, '0')
}

/** Returns the time in ms in a UUID v7. */
export function timeOfUuid(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}

/** Lists the partitions of a table, the default one last. */
export async function listPartitions(sql: Sql | Tx, table: PartitionedTable): Promise<Partition[]> {
  const found = await sql<{ name: string; size: number; rows: number }[]>`
    select relname::text as name, pg_total_relation_size(oid)::float8 as size, greatest(reltuples, 0)::float8 as rows
    from pg_class where oid in (select inhrelid from pg_inherits where inhparent = ${`public.${table.name}`}::regclass)`
  const ranges = await listRanges(sql, table)
  return [...ranges].flatMap(([name, range]) => {
    const partition = found.find((each) => each.name === name)
    return partition ? [{ table, ...partition, range }] : []
  })
}

/** Lists the names and ranges of the partitions of a table, the default one last. Cheaper than with their sizes. */
async function listRanges(sql: Sql | Tx, table: PartitionedTable): Promise<Map<string, Range | undefined>> {
  const found = await sql<{ name: string; bound: string }[]>`
    select relname::text as name, pg_get_expr(relpartbound, pg_class.oid) as bound
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${`public.${table.name}`}::regclass`
  const startOf = (range: Range | undefined) => range?.from ?? Number.POSITIVE_INFINITY
  const ranges = found.map(({ name, bound }) => [name, readBound(bound, table)] as const)
  return new Map(ranges.toSorted(([, one], [, other]) => (startOf(one) < startOf(other) ? -1 : 1)))
}

/** A range of time, and the partition that has its rows. */
interface PartitionRange extends Range {
  name: string
}

/** Lists the partitions of a table with their ranges in order. The ranges between them are those of the default one. */
export async function listPartitionRanges(sql: Sql | Tx, table: PartitionedTable): Promise<PartitionRange[]> {
  const ranges: PartitionRange[] = []
  let from = 0
  for (const [name, range] of await listRanges(sql, table)) {
    if (range === undefined) continue
    if (range.from > from) ranges.push({ name: fallbackOf(table), from, to: range.from })
    ranges.push({ name, ...range })
    from = range.to
  }
  return [...ranges, { name: fallbackOf(table), from, to: lastTime }]
}

/** Lists the names of the partitions of a table in their order, and keeps them until the transaction ends. */
export async function lockNames(tx: Tx, table: PartitionedTable): Promise<string[]> {
  // Waits while one is being archived, which the list would still have.
  await tx`lock table only ${identifier(tx, table.name)} in access share mode`
  return [...(await listRanges(tx, table)).keys()]
}

/**
 * Selects from each of some partitions by itself, in this order. In the order of a column of all of them, PostgreSQL
 * would read all matching rows and sort them if it expects few, as after a statement that has emptied an index.
 *
 * The statement fails with 42P01 if a partition was archived since its name was read. {@link lockNames} prevents it.
 *
 * @param names at least one
 * @param select returns a statement that ends after few rows, for the name of a partition
 */
export function ofEachPartition(sql: Sql | Tx, names: Iterable<string>, select: (partition: Part) => Part): Part {
  // A union may not lock rows, but its subqueries may.
  const each = [...new Set(names)].map((name) => sql`select * from (${select(identifier(sql, name))}) as found`)
  return each.reduce((all, next) => sql`${all} union all ${next}`)
}

/** Reads `FOR VALUES FROM (MINVALUE) TO ('1767225600000')`, or undefined from `DEFAULT`. */
function readBound(bound: string, table: PartitionedTable): Range | undefined {
  const [, from, to] = /^FOR VALUES FROM \('?([\w-]+)'?\) TO \('?([\w-]+)'?\)$/.exec(bound) ?? []
  if (from === undefined || to === undefined) return undefined
  return { from: from === 'MINVALUE' ? Number.NEGATIVE_INFINITY : timeOfKey(table, from), to: timeOfKey(table, to) }
}

/**
 * Creates the partitions of the current period and those ahead. `now` is real time, as in the keys of rows, so the
 * clock of a sandbox does not matter. Rows that have reached the default partition are moved.
 * @returns the names of the new partitions
 * @throws DatabaseError 55P03 if a table was in use for long; it is unchanged then
 */
export async function createPartitions(sql: Sql, now: number): Promise<string[]> {
  const created: string[] = []
  for (const table of Object.values(partitionedTables)) {
    created.push(...(await withShortLocks(sql, (tx) => createMissing(tx, table, now))))
  }
  return created
}

async function createMissing(tx: Tx, table: PartitionedTable, now: number): Promise<string[]> {
  const created: string[] = []
  let end = now
  for (let n = 0; n <= periodsAhead[table.period]; n++) end = periodAt(table, end).to
  const ranges = [...(await listRanges(tx, table)).values()].filter((range) => range !== undefined)
  // Later ones were created while a clock was ahead, and periods before them can be missing.
  const last = Math.max(0, ...ranges.filter(({ from }) => from <= now).map(({ to }) => to))
  const start = Math.max(last, Math.min(now, (await findStrayTime(tx, table, last)) ?? now))
  for (let range = periodAt(table, start); range.from < end; range = periodAt(table, range.to)) {
    if (ranges.some(({ from }) => from === range.from)) continue
    const name = `${table.prefix}_${periodName(table, range)}`
    const run = (statement: string) => tx.unsafe(statement)
    await createTable(run, table.name, name)
    await attachPartition(run, table, name, range)
    created.push(name)
  }
  return created
}

/** Returns the time of the first row in the default partition since `since`. */
async function findStrayTime(tx: Tx, table: PartitionedTable, since: number): Promise<number | undefined> {
  const column = quoteIdentifier(table.key.column)
  const fallback = quoteIdentifier(fallbackOf(table))
  // SQL: the key consists of digits.
  const [row] = await tx.unsafe<{ key: string }[]>(`
    select ${column}::text as key from ${fallback} where ${column} >= ${keyAt(table, since)}
    order by ${column} limit 1`)
  return row && timeOfKey(table, row.key)
}

/** Returns the name of the partition for rows outside all ranges. */
export const fallbackOf = ({ prefix }: PartitionedTable) => `${prefix}_default`

/** Returns the smallest key at a time, as SQL. */
function keyAt({ key }: PartitionedTable, time: number): string {
  return key.type === 'uuid' ? `'${firstUuidAt(time)}'::uuid` : `${time}::bigint`
}

const timeOfKey = ({ key }: PartitionedTable, text: string) => (key.type === 'uuid' ? timeOfUuid(text) : Number(text))

/** Runs a statement without parameters in the transaction of the caller. */
type Run = (statement: string) => Promise<unknown>

/** Creates a table that can be attached to a partitioned one. */
export async function createTable(run: Run, parent: string, name: string): Promise<void> {
  const table = Object.values<PartitionedTable>(partitionedTables).find((each) => each.name === parent)
  const unique = table?.unique ? `, unique (${quoteIdentifiers(table.unique)})` : ''
  await run(
    `create table ${quoteIdentifier(name)} (
      like ${quoteIdentifier(parent)} including defaults including constraints including indexes${unique})`,
  )
}

/** Attaches a table as a partition, with the rows of its range that have reached the default partition. */
export async function attachPartition(run: Run, table: PartitionedTable, name: string, range: Range): Promise<void> {
  const column = quoteIdentifier(table.key.column)
  const fallback = quoteIdentifier(fallbackOf(table))
  const partition = quoteIdentifier(name)
  const isFirst = range.from === Number.NEGATIVE_INFINITY
  const [from, to] = [isFirst ? 'minvalue' : keyAt(table, range.from), keyAt(table, range.to)]
  // Attaching needs this lock. A weaker one before it would deadlock with statements that wait for it to write.
  await run(`lock table ${fallback} in access exclusive mode`)
  // SQL: the keys consist of digits.
  await run(`
    with moved as (
      delete from ${fallback} where ${column} < ${to} ${isFirst ? '' : `and ${column} >= ${from}`} returning *)
    insert into ${partition} select * from moved`)
  // SQL: as above.
  await run(
    `alter table ${quoteIdentifier(table.name)} attach partition ${partition} for values from (${from}) to (${to})`,
  )
}

/**
 * Drops the partitions of a table that end at `time` or before. Returns their names.
 * @throws DatabaseError 55P03 if the table was in use for long; nothing has changed then
 */
export async function dropPartitionsBefore(sql: Sql, table: PartitionedTable, time: number): Promise<string[]> {
  return withShortLocks(sql, async (tx) => {
    const old = (await listPartitions(tx, table)).filter(({ range }) => range && range.to <= time)
    for (const { name } of old) await tx.unsafe(`drop table ${quoteIdentifier(name)}`)
    return old.map(({ name }) => name)
  })
}

/** Waits until no other process changes partitions, and keeps others waiting until the transaction ends. */
export async function lockPartitions(run: Run): Promise<void> {
  await run(`select pg_advisory_xact_lock(${lockClass}, ${advisoryKey})`)
}

/** Runs a change of partitions in a transaction, one at a time. Changes nothing if it would have to wait. */
async function withShortLocks<T>(sql: Sql, change: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${lockTimeout}'`)
    await lockPartitions((statement) => tx.unsafe(statement))
    return change(tx)
  })) as T
}
