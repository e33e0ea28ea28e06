import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { copyOut } from './copyOut.ts'
import { connect, type Sql } from './pool.ts'

let database: FreshDatabase
/** Has one connection for transactions, so that a stream that keeps it blocks all others. */
let sql: Sql

beforeAll(async () => {
  database = await freshDatabase()
  sql = connect(database.url, { max: 1 })
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const lines = (count: number) => async () =>
  `copy (select repeat('x', 1000) from generate_series(1, ${count})) to stdout`

/** Returns the states of the connections of `sql` that are in a transaction. */
async function states(): Promise<string[]> {
  const rows = await database.sql<{ state: string }[]>`
    select state from pg_stat_activity
    where datname = current_database() and query like 'copy (%' and pid <> pg_backend_pid() and state <> 'idle'`
  return rows.map(({ state }) => state)
}

test('delivers every line whenever the reader starts, and releases the connection', async () => {
  // Sizes around the buffers of the streams, so that the end arrives while one of them is paused.
  for (let count = 200; count <= 600; count += 8) {
    const stream = await copyOut(sql, lines(count), { lineEnd: '\n' })
    // PostgreSQL has sent everything.
    await expect.poll(states, { interval: 2 }).not.toContain('active')
    const text = Buffer.concat(await stream.toArray()).toString()
    expect(text).toBe(`${'x'.repeat(1000)}\n`.repeat(count))
    await expect.poll(states, { interval: 2 }).toEqual([])
  }
})

test('delivers an error that occurs while the reader waits, and releases the connection', async () => {
  for (let count = 200; count <= 600; count += 16) {
    const failing = `copy (select repeat('x', 1000) || 1 / (${count} - n) from generate_series(1, ${count}) n) to stdout`
    const stream = await copyOut(sql, async () => failing, { lineEnd: '\n' })
    await expect.poll(states, { interval: 2 }).not.toContain('active')
    await expect(stream.toArray()).rejects.toThrow('division by zero')
    expect(await sql.begin((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }])
  }
})

test('delivers lines longer than a chunk, with the requested line end', async () => {
  const statement = async () => `copy (select repeat('x', n) from unnest('{10,70000,200000,5}'::int[]) n) to stdout`
  const stream = await copyOut(sql, statement, { lineEnd: '\r\n' })
  const text = Buffer.concat(await stream.toArray()).toString()
  expect(text).toBe([10, 70_000, 200_000, 5].map((n) => `${'x'.repeat(n)}\r\n`).join(''))
})

test('a long line that fills the buffer does not fail a reader that reads it', async () => {
  // The line of 9,000 makes PostgreSQL send the whole long one. The last one is later than the read timeout.
  const sizes = [65_535, 65_535, 65_535, 65_535, 100_000, 9_000, 5]
  const statement = async () => `
    copy (select repeat('x', n) || pg_sleep(case n when 5 then 2.5 else 0 end) from unnest('{${sizes}}'::int[]) n) to stdout`
  const stream = await copyOut(sql, statement, { lineEnd: '\n', readTimeout: 2000 })
  await expect.poll(() => stream.readableLength).toBeGreaterThan(300_000)
  const text = Buffer.concat(await stream.toArray()).toString()
  expect(text).toBe(sizes.map((n) => `${'x'.repeat(n)}\n`).join(''))
})

test('rejects for an invalid statement; fails the stream for one that fails later', async () => {
  await expect(copyOut(sql, async () => 'copy (select nothing) to stdout', { lineEnd: '\n' })).rejects.toThrow(
    'nothing',
  )
  const failing = async () =>
    `copy (select repeat('x', 100) || 1 / (50000 - n) from generate_series(1, 60000) n) to stdout`
  const stream = await copyOut(sql, failing, { lineEnd: '\n' })
  await expect(stream.toArray()).rejects.toThrow('division by zero')
  expect(await sql.begin((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }])
})

test('ends the query if the reader stops reading', async () => {
  const stream = await copyOut(sql, lines(200_000), { lineEnd: '\n', readTimeout: 50 })
  stream.on('error', () => {})
  stream.read(0)
  await expect.poll(() => stream.destroyed).toBe(true)
  await expect.poll(states).toEqual([])
  expect(await sql.begin((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }])
})

test('cannot write', async () => {
  const writing = copyOut(
    sql,
    async (tx) => {
      await tx`create table t (n int)`
      return 'copy (select 1) to stdout'
    },
    { lineEnd: '\n' },
  )
  await expect(writing).rejects.toThrow('read-only')
})
