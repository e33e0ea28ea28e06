import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'
import { findBreaks, findLateLocks, findStrongLocks, findViolations, readCatalog } from './compatibility.ts'
import previous from './previous.json' with { type: 'json' }

/** Migrations with stronger locks than necessary, which installations of unreleased versions have applied. */
const tooStrong: readonly string[] = [
  '0231_publishers.sql',
  '0263_host_functions.sql',
  '0265_lists_of_apps.sql',
  '0272_lists_of_accounts.sql',
  '0273_projects_and_reviews.sql',
  '0274_list_of_signing_keys.sql',
  '0276_indexes_of_counters.sql',
]
const released = Object.entries(previous.migrations)
let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.sql.unsafe('drop schema public cascade; create schema public'))

/** Runs SQL on a schema with one table, and returns what breaks the previous version. */
async function breaksOf(change: string): Promise<string[]> {
  const { sql } = database
  await sql.unsafe(
    "create table cups (id int primary key, color text, size int not null default 1, kind text check (kind in ('mug')))",
  )
  await sql.unsafe('create function pour() returns int language sql return 1')
  const before = await readCatalog(sql)
  await sql.unsafe(change)
  return findBreaks(before, await readCatalog(sql)).map(({ object, what }) => `${object} ${what}`)
}

test('processes of the previous version can run on the schema of this one', async () => {
  const since = (await readMigrations()).slice(released.length)
  await migrate(database.url, { upTo: released.at(-1)![0] })
  const before = await readCatalog(database.sql)
  await migrate(database.url)
  const changelog = await readFile(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8')
  const releases = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, version]) => version!)
  const texts = since.map(({ text }) => text)
  expect(findViolations(findBreaks(before, await readCatalog(database.sql)), texts, releases)).toEqual([])
  const tables = new Set(before.columns.map(({ table }) => table))
  const late = texts.map((text, index) => [since[index]!.name, findLateLocks(text, tables)] as const)
  expect(late.filter(([, found]) => found.length > 0)).toEqual([])
  const strong = texts.map((text, index) => [since[index]!.name, findStrongLocks(text)] as const)
  expect(strong.filter(([name, found]) => found.length > 0 && !tooStrong.includes(name))).toEqual([])
})

test('released migrations are never changed: a change is a new migration', async () => {
  const own = (await readMigrations()).slice(0, released.length)
  expect(own.map(({ name, checksum }) => [name, checksum])).toEqual(released)
})

test.for([
  ['alter table cups add a int; alter table mugs add a int', ['cups', 'mugs']],
  ['create table plates (cup int references cups); create unique index a on mugs (id)', ['cups', 'mugs']],
  ['create trigger a before insert on cups for each row execute function f(); drop table mugs', ['cups', 'mugs']],
  ['lock table cups in access exclusive mode; alter table cups add a int; alter table mugs add a int', ['mugs']],
  ['lock table cups, mugs in access exclusive mode; alter table cups add a int; drop table mugs', []],
  [
    'lock table cups in share row exclusive mode; lock table mugs in access exclusive mode; ' +
      'create table plates (cup int references cups); alter table mugs add a int',
    [],
  ],
  ['lock table cups, mugs in share mode; create index on cups (id); create index on mugs (id)', []],
  ['lock table cups, mugs in share mode; create index on cups (id); alter table mugs add a int', ['mugs']],
  ['create index on cups (id); lock table cups, mugs in share mode; create index on mugs (id)', ['cups', 'mugs']],
  ['alter table cups validate constraint a; alter table mugs validate constraint b', []],
  ['alter table cups add a int; alter table cups add b int; alter table plates add a int', []],
] as const)('late locks of "%s": %j', ([migration, late]) => {
  expect(findLateLocks(migration, new Set(['cups', 'mugs']))).toEqual(late)
})

test.for([
  ['lock table cups, mugs in access exclusive mode; create table plates (cup int references cups)', ['cups']],
  ['lock table cups in access exclusive mode; create table a (b int references cups); alter table cups add a int', []],
  ['lock table cups in share row exclusive mode; create table plates (cup int references cups)', []],
  ['lock table cups, mugs in access exclusive mode; create index on cups (id); alter table mugs add a int', ['cups']],
  ['lock table cups in share row exclusive mode; create unique index a on cups (id)', ['cups']],
  ['lock table cups in share mode; create index on cups (id)', []],
  ['lock table cups in access exclusive mode; create index on cups (id); drop index a', []],
] as const)('needlessly strong locks of "%s": %j', ([migration, strong]) => {
  expect(findStrongLocks(migration)).toEqual(strong)
})

test.for([
  ['drop table cups', 'cups removed'],
  ['alter table cups rename to mugs', 'cups removed'],
  ['alter table cups drop color', 'cups.color removed'],
  ['alter table cups rename color to colour', 'cups.color removed'],
  ['alter table cups alter id type bigint', 'cups.id changed'],
  ['alter table cups alter color set not null', 'cups.color restricted'],
  ['alter table cups alter size drop default', 'cups.size restricted'],
  ['alter table cups add weight int not null', 'cups.weight restricted'],
  ['alter table cups add unique (color)', 'cups.cups_color_key restricted'],
  ['create unique index one_color on cups (lower(color))', 'cups.one_color restricted'],
  ['alter table cups add check (size > 0)', 'cups.cups_size_check restricted'],
  [
    "alter table cups drop constraint cups_kind_check, add check (kind in ('mug', 'glass'))",
    'cups.cups_kind_check restricted',
  ],
  ['drop function pour', 'pour() removed'],
  [
    'create function fill() returns trigger language plpgsql as $$ begin return new; end $$; ' +
      'create trigger filled before insert on cups for each row execute function fill()',
    'cups.filled restricted',
  ],
] as const)('%s breaks the previous version', async ([change, found]) => {
  expect(await breaksOf(change)).toEqual([found])
})

test.for([
  'alter table cups add weight int',
  'alter table cups add weight int not null default 1',
  'alter table cups add weight int unique check (weight > 0)',
  'alter table cups add spoon bigint generated always as identity',
  'alter table cups alter size drop not null',
  'alter table cups drop constraint cups_kind_check',
  'create index on cups (color)',
  'create table spoons (id int primary key, cup int not null references cups)',
  'create or replace function pour() returns int language sql return 2',
])('%s does not break the previous version', async (change) => {
  expect(await breaksOf(change)).toEqual([])
})

test('a removal is allowed once a released version no longer uses the object', () => {
  const breaks = [{ object: 'cups.color', what: 'removed' }] as const
  const violations = (comment: string) => findViolations([...breaks], [comment], ['0.2.0', '0.1.0'])
  expect(violations('-- unused since 0.2.0: cups.color')).toEqual([])
  for (const comment of [
    '-- unused since 0.3.0: cups.color',
    '-- unused since 0.2.0: cups.size',
    '-- compatible: cups.color: rarely used',
  ]) {
    expect(violations(comment)).toEqual([
      'cups.color is removed, which the previous version may not expect',
      `"${comment}" allows nothing`,
    ])
  }
})

test('a restriction is allowed with the reason why the previous version satisfies it', () => {
  const breaks = [{ object: 'cups.one_color', what: 'restricted' }] as const
  const violations = (comment: string) => findViolations([...breaks], [comment], ['0.2.0'])
  expect(violations('-- compatible: cups.one_color: version 0.2.0 writes each color once')).toEqual([])
  expect(violations('-- compatible: cups.one_color')).toHaveLength(2)
})
