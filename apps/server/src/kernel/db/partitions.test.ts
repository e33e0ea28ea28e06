import { day } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { quoteIdentifier } from './identifiers.ts'
import { createPartitions, dropPartitionsBefore, listPartitions, partitionedTables, periodAt } from './partitions.ts'

const table = partitionedTables.request_log
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const add = (time: number) => database.sql`
  insert into request_log (request_id, time, operation, status, duration) values (${String(time)}, ${time}, 'trade', 200, 1)`
const placeOf = async (time: number) => {
  const [row] = await database.sql<[{ place: string }]>`
    select tableoid::regclass::text as place from request_log where time = ${time}`
  return row.place
}

test('partitions exist a week ahead, without gaps, and are created once by concurrent processes', async () => {
  const now = Date.now()
  const created = await Promise.all([1, 2, 3].map(() => createPartitions(database.sql, now)))
  const names = created.flat().filter((name) => name.startsWith(table.prefix))
  expect(new Set(names).size).toBe(names.length)
  const ranges = (await listPartitions(database.sql, table)).flatMap(({ range }) => range ?? [])
  expect(ranges[0]!.from).toBe(Number.NEGATIVE_INFINITY)
  expect(ranges.slice(1).map(({ from }) => from)).toEqual(ranges.slice(0, -1).map(({ to }) => to))
  expect(ranges.at(-1)!.to).toBe(periodAt(table, now + 7 * day).to)
  expect(await createPartitions(database.sql, now)).toEqual([])
})

test('rows without a partition reach the default one, and are moved when theirs is created', async () => {
  const later = Date.now() + 40 * day
  await add(later)
  expect(await placeOf(later)).toBe('request_log_default')
  await createPartitions(database.sql, later)
  expect(await placeOf(later)).toMatch(/^request_log_\d{4}_\d\d_\d\d$/)
})

test('creating partitions gives up while a transaction holds the table, and changes nothing', async () => {
  const later = Date.now() + 80 * day
  const before = await listPartitions(database.sql, table)
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = database.sql.begin(async (tx) => {
    await tx`lock table request_log_default in access exclusive mode`
    held.resolve()
    await release.promise
  })
  await held.promise
  await expect(createPartitions(database.sql, later)).rejects.toMatchObject({ code: '55P03' })
  release.resolve()
  await holder
  expect((await listPartitions(database.sql, table)).map(({ name }) => name)).toEqual(before.map(({ name }) => name))
})

test('a clock that was ahead for a while leaves no gap in the partitions', async () => {
  const now = Date.now() + 200 * day
  await createPartitions(database.sql, now + 1000 * day)
  await add(now)
  expect(await placeOf(now)).toBe('request_log_default')
  await createPartitions(database.sql, now)
  expect(await placeOf(now)).toMatch(/^request_log_\d{4}_\d\d_\d\d$/)
  await add(now + 7 * day)
  expect(await placeOf(now + 7 * day)).toMatch(/^request_log_\d{4}_\d\d_\d\d$/)
  expect(await createPartitions(database.sql, now)).toEqual([])
})

test('rows of a clock that is ahead do not keep partitions from being created', async () => {
  const now = Date.now() + 300 * day
  await add(now + 100 * day)
  await createPartitions(database.sql, now)
  await add(now)
  expect(await placeOf(now)).toMatch(/^request_log_\d{4}_\d\d_\d\d$/)
})

test('old partitions are dropped whole', async () => {
  const now = Date.now() + 40 * day
  await add(now)
  await dropPartitionsBefore(database.sql, table, now)
  const ranges = (await listPartitions(database.sql, table)).flatMap(({ range }) => range ?? [])
  expect(Math.min(...ranges.map(({ from }) => from))).toBe(periodAt(table, now).from)
  expect(await placeOf(now)).toMatch(/^request_log_\d/)
})

/** Names that a restored backup, or someone with access to the database, could give a partition. */
const hostileNames = [
  'x; create table stolen (id int); --',
  `x"; create table stolen (id int); --`,
  `x'); create table stolen (id int); --`,
  'pg_catalog.pg_authid',
  'ユーザー',
]

test.each(hostileNames)(
  'a partition named %s is an identifier in every statement, and is dropped when it is old',
  async (name) => {
    const { sql } = database
    const now = Date.now() + 500 * day
    await createPartitions(sql, now)
    await add(now)
    await sql`alter table ${sql.unsafe(await placeOf(now))} rename to ${sql.unsafe(quoteIdentifier(name))}`
    await createPartitions(sql, now + day)
    expect((await listPartitions(sql, table)).map((partition) => partition.name)).toContain(name)
    expect(await dropPartitionsBefore(sql, table, now + 2 * day)).toContain(name)
    expect(await sql`select from pg_class where relname in (${name}, 'stolen')`).toEqual([])
  },
)
