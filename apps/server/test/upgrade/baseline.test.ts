import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/kernel/db/migrate.ts'
import type { Sql } from '../../src/kernel/db/pool.ts'
import { DatabaseStartError } from '../../src/kernel/db/starting.ts'
import { emptyDatabase, type FreshDatabase } from '../database.ts'
import { readCatalog } from './compatibility.ts'
import { baseline, databaseBeforeBaseline, listApplied, setApplied } from './replaced.ts'
import replaced from './replacedMigrations.json' with { type: 'json' }

const tooOld = (count: number, last: string) =>
  `The database is too old: it has ${count} migrations up to ${last}, and this version continues from the 77 up to ` +
  '0170_contested_signs.sql. Start Souk 0.1.0+1a936dc with it first. Nothing was changed.'

let database: FreshDatabase
let folder: string

beforeEach(async () => {
  database = await databaseBeforeBaseline()
  folder = await mkdtemp(join(tmpdir(), 'souk-migrations-'))
  await cp(join(import.meta.dirname, '../../migrations', baseline), join(folder, baseline))
  await writeFile(join(folder, '9000_next.sql'), 'create table next_version (id int primary key);')
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Returns the rows of all tables as text, except those that the runner of migrations keeps. */
async function contentsOf(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker')) and relkind in ('r', 'p')
      and not relispartition and relname not in ('migrations', 'versions') order by 1`
  const contents: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t order by 1`)
    contents[name] = rows.map(({ row }) => row)
  }
  return contents
}

/** Inserts a row into each empty table whose constraints allow a row of simple values. */
async function fillTables(sql: Sql): Promise<void> {
  const contents = await contentsOf(sql)
  const columns = await sql<{ table: string; name: string; type: string; check: string | null }[]>`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type,
      (select pg_get_constraintdef(pg_constraint.oid) from pg_constraint
       where conrelid = attrelid and contype = 'c' and conkey = array[attnum]) as check
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attnotnull and not atthasdef
      and attidentity = ''`
  const values: Record<string, string> = { text: 'a', uuid: '1'.padStart(32, '0'), jsonb: '{}', bytea: 'x'.repeat(32) }
  values['timestamp with time zone'] = '2030-01-01'
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    if (contents[table]?.length !== 0 || table === 'write_probes') continue
    const names = own.map(({ name }) => `"${name}"`).join()
    const row = own.map(({ type, check }) => {
      return /ANY \(ARRAY\['(\w+)'/.exec(check ?? '')?.[1] ?? values[type] ?? (type.endsWith('[]') ? '{}' : '1')
    })
    const literals = row.map((value) => `'${value}'`).join()
    await sql
      .unsafe(`begin; set local session_replication_role = replica; insert into ${table} (${names}) values (${literals});
        commit`)
      .catch(() => sql.unsafe('rollback'))
  }
}

// The old migrations are no longer here. When they were removed, the catalogs that they and the baseline create were
// compared in PostgreSQL 15 and 18: tables, columns and their order, constraints, indexes, triggers, functions,
// sequences and seeded rows. They differ only in two defaults and the inheritance flag of keys of the first partitions,
// which have no effect, and in names of not-null constraints. So the state after the last old migration is the baseline
// with the rows of the old ones in `migrations`.
test('the list of replaced migrations is the one that the server accepts', async () => {
  expect(Object.keys(replaced)).toHaveLength(77)
  expect(await listApplied(database.sql)).toEqual(Object.keys(replaced))
  expect(await migrate(database.url, { upTo: baseline })).toEqual([])
})

test('a database with all replaced migrations continues on the baseline, and keeps its rows', async () => {
  const { sql, url } = database
  await fillTables(sql)
  const before = await contentsOf(sql)
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(90)
  const catalog = await readCatalog(sql)
  await sql`insert into versions (version, last_migration) values ('0.1.0+1a936dc', '0170_contested_signs.sql')`

  // Two processes, the first of which may have been killed before the next migration.
  await migrate(url, { folder, upTo: baseline })
  expect(await listApplied(sql)).toEqual([baseline])
  expect(await readCatalog(sql)).toEqual(catalog)
  expect(await migrate(url, { folder })).toEqual(['9000_next.sql'])
  expect(await contentsOf(sql)).toEqual({ ...before, next_version: [] })
  expect(await listApplied(sql)).toEqual([baseline, '9000_next.sql'])
  const versions = await sql<{ last: string }[]>`select last_migration as last from versions order by 1`
  expect(versions.map(({ last }) => last)).toEqual(['0170_contested_signs.sql', baseline, '9000_next.sql'])
})

test('processes that start together on such a database apply each later migration once', async () => {
  const results = await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })))
  expect(results.flat()).toEqual(['9000_next.sql'])
  expect(await listApplied(database.sql)).toEqual([baseline, '9000_next.sql'])
})

const names = Object.keys(replaced)
test.for([
  ['that 0.1.0 migrated last', names.slice(0, 25), tooOld(25, names[24]!)],
  ['without the last migration', names.slice(0, -1), tooOld(76, names.at(-2)!)],
  ['without one of the first', names.toSpliced(3, 1), tooOld(76, names.at(-1)!)],
  ['of another branch', [...names, '0180_other.sql'], tooOld(78, '0180_other.sql')],
] as const)('a database %s is refused, and not changed', async ([, applied, message]) => {
  const { sql, url } = database
  // The first versions had neither the table of versions nor these tables of the queue.
  await setApplied(sql, applied)
  await sql`drop table versions`
  await sql`drop schema graphile_worker cascade`
  const state = async () => [await readCatalog(sql), await contentsOf(sql), await sql`select * from migrations`]
  const before = await state()
  const error = await migrate(url, { folder }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DatabaseStartError)
  expect((error as Error).message).toBe(message)
  expect(await state()).toEqual(before)
})

test('a database one of whose replaced migrations had another text is refused', async () => {
  await database.sql`update migrations set checksum = repeat('0', 64) where name = '0002_trades.sql'`
  await expect(migrate(database.url)).rejects.toThrow(tooOld(77, '0170_contested_signs.sql'))
})

test('a new database gets the baseline', async () => {
  const empty = await emptyDatabase()
  try {
    expect(await migrate(empty.url, { upTo: baseline })).toEqual([baseline])
    expect(await empty.sql`select counted_to from analytics_progress`).toEqual([{ countedTo: 0 }])
    expect(await empty.sql`select allowed_origins from platform_settings`).toEqual([{ allowedOrigins: [] }])
  } finally {
    await empty.drop()
  }
})
