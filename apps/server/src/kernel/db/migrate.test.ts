import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { migrate, writableHost } from './migrate.ts'

let database: FreshDatabase
let folder: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  await database.sql.unsafe('drop schema public cascade; create schema public').simple()
  folder = await mkdtemp(join(tmpdir(), 'souk-migrations-'))
  await write('0001_first.sql', 'create table first (a int); insert into first values (1);')
  await write('0002_second.sql', 'alter table first add b int default 2;')
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, text: string) => writeFile(join(folder, name), text)

test('applies migrations once, in the order of their numbers', async () => {
  expect(await migrate(database.url, { folder })).toEqual(['0001_first.sql', '0002_second.sql'])
  await write('0003_third.sql', 'alter table first drop a;')
  expect(await migrate(database.url, { folder })).toEqual(['0003_third.sql'])
  expect(await database.sql`select * from first`).toEqual([{ b: 2 }])
})

test('servers that start concurrently apply each migration once', async () => {
  const results = await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })))
  expect(results.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await database.sql`select * from first`).toEqual([{ a: 1, b: 2 }])
})

test('rolls back a migration that fails, and names it', async () => {
  await write('0003_third.sql', 'alter table first add c int; select 1 / 0;')
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Migration 0003_third.sql failed and was rolled back: division by zero',
  )
  expect(await database.sql`select * from first`).toEqual([{ a: 1, b: 2 }])
})

test('rejects a migration that was changed after it was applied', async () => {
  await migrate(database.url, { folder })
  await write('0001_first.sql', 'create table first (a bigint);')
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Migration 0001_first.sql was changed after it was applied',
  )
})

test('rejects a database of a newer version', async () => {
  await write('0003_third.sql', 'alter table first add c int;')
  await migrate(database.url, { folder })
  await rm(join(folder, '0003_third.sql'))
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'The database has migration 0003_third.sql, but this version of Souk has none in its place.',
  )
})

test('rejects two migrations with the same number', async () => {
  await write('0002_again.sql', 'select 1;')
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Two migrations have the same number as 0002_second.sql',
  )
})

test('finds the host that accepts writes', async () => {
  const { host } = new URL(database.url)
  expect(await writableHost(database.url.replace(host, `127.0.0.1:1,${host}`))).toBe(database.url)
  expect(await writableHost(database.url)).toBe(database.url)
})

test('rolls back an aborted migration and releases the lock', async () => {
  const { sql } = database
  await sql`create table barrier ()`
  await write('0001_first.sql', 'create table first (a int); lock table barrier')
  const abort = new AbortController()
  let aborted: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`lock table barrier`
    aborted = migrate(database.url, { folder, signal: abort.signal }).catch((reason) => reason)
    const isWaiting = () =>
      sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await isWaiting()).length === 0);
    abort.abort()
    expect(await aborted).toBe(abort.signal.reason)
  })
  expect(await migrate(database.url, { folder })).toEqual(['0001_first.sql', '0002_second.sql'])
})
