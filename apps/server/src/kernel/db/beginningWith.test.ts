import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { beginningWith } from './beginningWith.ts'

const few = 600
let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
  // One in 100 rows begins with "old", so that the newest one seems to be found soon in the order of time. All are old.
  await database.sql.unsafe(`
    create table orders (shop integer, name text, time bigint);
    insert into orders select 1, case when n <= 500 then 'old' else 'new' end || n, n from generate_series(1, 50000) n
      order by md5(n::text);
    create index on orders (shop, name text_pattern_ops);
    create index on orders (shop, time);
    analyze orders`)
})
afterAll(() => database?.drop())

/** Lists the newest orders whose name begins with a text, and the number of rows that were read for it. */
async function list(text: string, limit: number, before = 1e9): Promise<{ times: number[]; read: number }> {
  return database.sql.begin(async (tx) => {
    const readSoFar = async () => {
      const [{ read }] = await tx<[{ read: number }]>`
        select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'orders'`
      return read
    }
    const earlier = await readSoFar()
    const rows = await tx<{ time: number }[]>`${beginningWith(database.sql, text, {
      from: tx`orders`,
      where: tx`shop = 1`,
      column: tx`name`,
      few,
      rest: tx`and time < ${before}`,
      order: tx`order by time desc`,
      limit,
    })}`
    return { times: rows.map(({ time }) => time), read: (await readSoFar()) - earlier }
  })
}

test.for([
  ['old', 1, [500], 500],
  ['old49', 3, [499, 498, 497], 11],
  ['new50000', 2, [50_000], 1],
  ['none', 10, [], 0],
  ['new', 2, [50_000, 49_999], few + 3],
  ['', 1, [50_000], few + 2],
] as const)('%s: the newest %d are found among few rows', async ([text, limit, times, most]) => {
  const found = await list(text, limit)
  expect(found.times).toEqual(times)
  expect(found.read).toBeLessThanOrEqual(most)
})

test('a text with characters of patterns is found as it is', async () => {
  await database.sql`insert into orders values (1, 'a_b%', 60000), (1, 'axbc', 60001)`
  expect((await list('a_b%', 10)).times).toEqual([60_000])
})

test('further conditions apply to few and to many rows', async () => {
  expect((await list('old', 2, 300)).times).toEqual([299, 298])
  expect((await list('new', 2, 30_000)).times).toEqual([29_999, 29_998])
})
