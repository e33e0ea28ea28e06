import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findViolations } from './sqlLaw.mjs'
import { ownerOf, tables } from './sqlOwners.mjs'

type Exceptions = Parameters<typeof findViolations>[1]

const money = 'apps/server/src/domain/money/trades/store.ts'
const users = 'apps/server/src/domain/users/identity/store.ts'
/** Writes `#{` as the beginning of an expression in a template. */
const check = (file: string, text: string, exceptions: Exceptions = {}): string[] =>
  findViolations(new Map([[file, text.replaceAll('#{', '${')]]), exceptions)

test('each table of schema.sql has one owner', () => {
  const schema = readFileSync('apps/server/schema.sql', 'utf8')
  const created = Array.from(schema.matchAll(/^create (?:table|(?:materialized )?view) (\w+)/gm), ([, name]) => name)
  expect(created.length).toBeGreaterThan(100)
  expect(Object.values(tables).flat().toSorted()).toEqual(created.toSorted())
})

test.each([
  ['sql`insert into mails (mail_id) values (#{id})`', 'writes mails of messages'],
  ['sql`with a as (update only apps set name = #{name} returning appid) select * from a`', 'writes apps of miniApps'],
  ['context.sql`delete from mails where mail_id = #{id}`', 'writes mails of messages'],
  ['sql`TRUNCATE TABLE refunds, mails`', 'writes mails of messages'],
  ['tx`lock table refunds, mails in share mode`', 'writes mails of messages'],
  ["session.run('copy mails (mail_id, time) from stdin')", 'writes mails of messages'],
  ['session.run(`\n  merge into mails using refunds on true`)', 'writes mails of messages'],
  ['tx`update #{sql(table)} set time = #{now}`', 'writes * of any owner'],
  ['tx.unsafe(`drop table a; truncate #{quoteIdentifiers(names)}`)', 'writes * of any owner'],
])('finds what %s writes', (text, found) => {
  expect(check(money, text)).toEqual([`${money}:1 ${found}: not in writes`])
})

test.each([
  ['sql`select from mails`', ['mails']],
  ['sql`select 1 from refunds r, mails m, apps`', ['mails', 'apps']],
  ['sql`select from refunds union all select from mails`', ['mails']],
  ['sql`select from unnest(#{ids}::uuid[]) as id cross join lateral (select from mails limit 1) m`', ['mails']],
  ['sql`delete from refunds using mails where #{sql`exists (select from apps)`}`', ['mails', 'apps']],
  ['const part = sql`left join mails on mail_id = #{id}`', ['mails']],
  ["const dataset = { from: 'mails t join users u using (uid)' }", ['users', 'mails']],
  ["const rows = '(select * from mails)'", ['mails']],
])('finds what %s reads', (text, found) => {
  expect(check(money, text)).toEqual(found.map((name) => expect.stringMatching(` reads ${name} of .*: not in reads$`)))
})

test.each([
  'sql`select from refunds for update of refunds`',
  "sql`select 'delete from mails', extract(day from time) from refunds -- from mails`",
  'sql`insert into refunds (refund_no) values (1) on conflict do update set users = 1`',
  'tx`select from refunds for update #{skipLocked}`',
  "log.info('Delete from mails what users send')",
  'sql`select from graphile_worker.jobs`',
])('allows %s', (text) => {
  expect(check(money, text)).toEqual([])
})

test('reads of wings further up, and statements outside of the domain, have lists of their own', () => {
  const text = 'sql`select from refunds`'
  expect(check(users, text)).toEqual([`${users}:1 reads refunds of money: not in readsUpwards`])
  for (const file of ['surfaces/open/gate.ts', 'main.ts', 'domain/app.ts', 'kernel/outbox.ts']) {
    const path = `apps/server/src/${file}`
    expect(check(path, text)).toEqual([`${path}:1 reads refunds of money: not in outside`])
  }
  expect(check('apps/server/src/worker/recurring.ts', 'sql`delete from worker_periods`')).toEqual([])
})

test('compares the lists in both directions', () => {
  const exceptions = {
    writes: [{ place: 'domain/money/', tables: 'mails', reason: '' }],
    reads: { money: 'users' },
  } as unknown as Exceptions
  expect(check(money, 'tx`delete from mails using users`', exceptions)).toEqual([])
  expect(check(money, '', exceptions)).toEqual([
    'reads: domain/money/ has no statement with users',
    'writes: domain/money/ has no statement with mails',
  ])
})

test('statements of wings are in stores, except those of listed files', () => {
  const verb = 'apps/server/src/domain/money/trades/create.ts'
  const exceptions: Exceptions = { withoutStore: [{ place: 'domain/money/trades/create.ts', reason: '' }] }
  for (const text of ['tx`delete from refunds`', "session.run('delete from refunds')", 'sql`state = 1`']) {
    expect(check(verb, text)).toEqual([`${verb}:1 has SQL and is not a store: not in withoutStore`])
    expect(check(verb, text, exceptions)).toEqual([])
    expect(check('apps/server/src/domain/money/trades/search.store.ts', text)).toEqual([])
  }
  expect(check(verb, '', exceptions)).toEqual(['withoutStore: domain/money/trades/create.ts has no SQL'])
})

test('wings and layers own tables', () => {
  expect(ownerOf.get('all_trades')).toBe('money')
  expect(ownerOf.get('migrations')).toBe('kernel')
})
