import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { migrate, waitForMigrations } from './migrate.ts'
import { writableHost } from './pool.ts'
import { DatabaseStartError } from './starting.ts'
import { listVersionRecords } from './versions.ts'

let database: FreshDatabase
let folder: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  await database.sql.unsafe('drop schema public cascade; create schema public')
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

test('a server that waits continues when another process has applied all migrations, and applies none', async () => {
  await migrate(database.url, { folder, version: '0.2.0' })
  await write('0003_third.sql', 'alter table first add c int;')
  const waiting = Promise.withResolvers<void>()
  const waited = waitForMigrations(database.url, waiting.resolve, { folder, version: '0.3.0' })
  await waiting.promise
  const columns = () => database.sql`select column_name from information_schema.columns where table_name = 'first'`
  expect(await columns()).toHaveLength(2)
  await migrate(database.url, { folder, version: '0.3.0' })
  await waited
  await waitForMigrations(database.url, () => expect.unreachable(), { folder, version: '0.3.0' })
})

test('a server that waits recognizes an empty database, stops when it is aborted, and refuses newer databases', async () => {
  const refusal = new Error('not migrated')
  const refuse = () => {
    throw refusal
  }
  await expect(waitForMigrations(database.url, refuse, { folder })).rejects.toBe(refusal)
  const stopping = new AbortController()
  const stopped = waitForMigrations(database.url, () => stopping.abort(refusal), { folder, signal: stopping.signal })
  await expect(stopped).rejects.toBe(refusal)

  await write('0003_third.sql', 'alter table first add c int;')
  await migrate(database.url, { folder, version: '0.3.0' })
  await rm(join(folder, '0003_third.sql'))
  const newer = waitForMigrations(database.url, refuse, { folder, version: '0.2.0' })
  await expect(newer).rejects.toThrow('The database was migrated to 0003_third.sql by Souk 0.3.0.')
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

test('refuses a database that a newer version has migrated, and names that version', async () => {
  await write('0003_third.sql', 'alter table first add c int;')
  await migrate(database.url, { folder, version: '0.3.0' })
  await rm(join(folder, '0003_third.sql'))
  const refusal = (await migrate(database.url, { folder, version: '0.2.0' }).catch((error) => error)) as Error
  expect(refusal).toBeInstanceOf(DatabaseStartError)
  expect(refusal.message).toBe(
    'The database was migrated to 0003_third.sql by Souk 0.3.0. This is Souk 0.2.0, whose last migration is ' +
      '0002_second.sql, and cannot use it. Start Souk 0.3.0 or a newer one, or restore a backup from before the upgrade.',
  )
  expect(await database.sql`select version from versions`).toEqual([{ version: '0.3.0' }])
})

test('tells two commits of the same version apart', async () => {
  await write('0003_third.sql', 'alter table first add c int;')
  await migrate(database.url, { folder, version: '0.2.0+1a2b3c4' })
  await rm(join(folder, '0003_third.sql'))
  await expect(migrate(database.url, { folder, version: '0.2.0' })).rejects.toThrow(
    'by Souk 0.2.0+1a2b3c4. This is Souk 0.2.0, whose',
  )
})

test('refuses a newer database of a version that ended before it was recorded', async () => {
  await write('0003_third.sql', 'alter table first add c int;')
  await migrate(database.url, { folder })
  await database.sql`delete from versions`
  await rm(join(folder, '0003_third.sql'))
  await expect(migrate(database.url, { folder })).rejects.toThrow('Start that version or a newer one')
})

test('records which versions started on the database, and when', async () => {
  await migrate(database.url, { folder, version: '0.2.0' })
  await write('0003_third.sql', 'alter table first add c int;')
  await migrate(database.url, { folder, version: '0.3.0' })
  await migrate(database.url, { folder, version: '0.3.0' })
  const [newest, oldest, ...others] = await listVersionRecords(database.sql)
  expect(newest).toMatchObject({ version: '0.3.0', lastMigration: '0003_third.sql' })
  expect(newest!.lastStart).toBeGreaterThan(newest!.firstStart)
  expect(oldest).toMatchObject({ version: '0.2.0', lastMigration: '0002_second.sql' })
  expect(oldest!.lastStart).toBe(oldest!.firstStart)
  expect(others).toEqual([])
})

test('repeats a migration that waits for a request which waits for it', async () => {
  await migrate(database.url, { folder })
  await database.sql`create table other (a int)`
  await write('0003_third.sql', 'lock table other; alter table first add c int;')
  let migrating: Promise<string[]> | undefined
  await database.sql.begin(async (tx) => {
    await tx`insert into first values (2)`
    migrating = migrate(database.url, { folder })
    const isLocked = () => database.sql`
      select from pg_locks where relation = 'other'::regclass and mode = 'AccessExclusiveLock' and granted`
    while ((await isLocked()).length === 0);
    await tx`insert into other values (1)`
  })
  expect(await migrating).toEqual(['0003_third.sql'])
  expect(await database.sql`select * from other`).toEqual([{ a: 1 }])
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
