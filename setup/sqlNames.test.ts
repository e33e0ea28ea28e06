import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findUnquoted, findUnquotedInMigration, sources } from './sqlNames.mjs'

test('no statement contains a name or a value that is not quoted', () => {
  const files = globSync(sources).filter((file) => !/\.(test|fixture)\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(400)
  expect(files.flatMap((file) => findUnquoted(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('migrations quote what they insert into a statement', () => {
  const files = globSync('apps/server/migrations/*.sql')
  expect(files.length).toBeGreaterThan(0)
  expect(files.flatMap((file) => findUnquotedInMigration(file, readFileSync(file, 'utf8')))).toEqual([])
})

/** Writes `#{` as the beginning of an expression in a template. */
const source = (text: string) => text.replaceAll('#{', '${')

test.each([
  'for (const { name } of old) tx.unsafe(`drop table #{name}`)',
  'const run = (name: string) => tx.unsafe(`drop table #{name}`)',
  'const run = (names: string[]) => session.run(`lock table #{names.join()} in share mode`)',
  "const run = (name: string) => tx.unsafe('drop table ' + name)",
  'const name = found.name; session.run(`copy (select * from #{name}) to stdout`)',
  "const name = 'trades'; const run = (name: string) => session.run(`drop table #{name}`)",
  'session.run(`alter table trades detach partition #{partition ?? fallback}`)',
])('rejects %s', (text) => {
  expect(findUnquoted('store.ts', source(text))).toEqual([
    expect.stringMatching(/^store.ts:1: .* is part of a statement/),
  ])
})

test.each([
  'const run = (name: string) => tx.unsafe(`drop table #{quoteIdentifier(name)}`)',
  'const run = (name: string) => sql`select from #{name}`',
  "const table = 'trades'; session.run(`drop table #{table}`)",
  'const list = quoteIdentifiers(names); session.run(`lock table #{list} in share mode`)',
  '// SQL: from a table in this file.\nconst run = (name: string) => tx.unsafe(`drop table #{name}`)',
  'const run = (name: string) => log(`There is no #{name}`)',
  'session.run(`set local lock_timeout = #{2 * second}`)',
])('accepts %s', (text) => {
  expect(findUnquoted('store.ts', source(text))).toEqual([])
})

test.each(["execute 'drop table ' || name;", "execute format('drop table %s', name);", 'execute statement;'])(
  'rejects in a migration: %s',
  (text) => {
    expect(findUnquotedInMigration('0001_a.sql', text)).toEqual([`0001_a.sql: ${text.slice(0, -1)}`])
  },
)

test.each(["execute format('drop table %I', name);", 'for each row execute function refuse();'])(
  'accepts in a migration: %s',
  (text) => {
    expect(findUnquotedInMigration('0001_a.sql', text)).toEqual([])
  },
)
