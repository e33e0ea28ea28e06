import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hour, minute, second } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { connect } from '../../../kernel/db/pool.ts'
import { createMetrics } from '../../../kernel/metrics.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import { recordRestoreCheck } from '../../installation/index.ts'
import { measureInstallation } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
  fixture = await createTradeFixture(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture.context.metrics = createMetrics()
  measureInstallation(fixture.context)
})

/** Returns the lines of a metric, without its name. */
async function read(name: string): Promise<string[]> {
  const text = await fixture.context.metrics.registry.metrics()
  return [...text.matchAll(new RegExp(`^${name}(.*)$`, 'gm'))].map(([, value]) => value!.trim())
}

test('nothing waits in a new installation', async () => {
  expect(await read('souk_database_up')).toEqual(['1'])
  expect(await read('souk_oldest_due_job_seconds')).toEqual(['0'])
  expect(await read('souk_failed_jobs')).toEqual(['0'])
  expect(await read('souk_oldest_due_delivery_seconds')).toEqual(['{queue="callback"} 0', '{queue="event"} 0'])
  for (const state of ['due', 'waiting', 'dead']) {
    expect(await read(`souk_${state}_deliveries`)).toEqual(['{queue="callback"} 0', '{queue="event"} 0'])
  }
  expect(await read('souk_delivery_receivers')).toEqual([
    '{state="failing"} 0',
    '{state="paused"} 0',
    '{state="probing"} 0',
  ])
  expect(await read('souk_disabled_receivers')).toEqual(['{queue="callback"} 0', '{queue="event"} 0'])
  expect(await read('souk_oldest_owed_refund_seconds')).toEqual(['0'])
  expect(await read('souk_oldest_waiting_mail_seconds')).toEqual(['0'])
  expect(await read('souk_failed_mails')).toEqual(['0'])
  expect(await read('souk_backup_age_seconds')).toEqual([])
  expect((await read('souk_master_key_seconds')).sort()).toEqual(['{state="added"} 0', '{state="old"} 0'])
  expect(await read('souk_unreadable_values')).toEqual(['0'])
  expect(await read('souk_unrepaired_differences')).toEqual(['0'])
  expect(await read('souk_suspended_provider_accounts')).toEqual([])
})

test('a job counts from when it is due, and one that failed too often until it is rescheduled as in the guide', async () => {
  const { sql } = fixture
  await sql.begin(async (tx) => {
    await enqueue(tx, { name: 'late', payload: {} })
    await enqueue(tx, { name: 'future', payload: {} })
    await enqueue(tx, { name: 'running', payload: {} })
    await enqueue(tx, { name: 'failed', payload: {} })
  })
  const run = async (name: string, change: ReturnType<typeof sql>) =>
    sql`update graphile_worker._private_jobs set ${change}
      where task_id = (select id from graphile_worker._private_tasks where identifier = ${name})`
  await run('late', sql`run_at = now() - interval '100 s'`)
  await run('future', sql`run_at = now() + interval '1 h'`)
  // Its last attempt can succeed.
  await run(
    'running',
    sql`run_at = now() - interval '1 h', attempts = max_attempts, locked_at = now(), locked_by = 'a worker'`,
  )
  await run('failed', sql`run_at = now() - interval '2 h', attempts = max_attempts`)
  const [oldest] = await read('souk_oldest_due_job_seconds')
  expect(Number(oldest)).toBeGreaterThanOrEqual(100)
  expect(Number(oldest)).toBeLessThan(3600)
  expect(await read('souk_failed_jobs')).toEqual(['1'])

  const guide = await readFile(join(import.meta.dirname, '../../../../../../docs/guides/monitoring.md'), 'utf8')
  const [list, reschedule] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, statement]) => statement!)
  expect(await sql.unsafe(list!)).toMatchObject([{ taskIdentifier: 'failed' }])
  await sql.unsafe(reschedule!)
  expect(await read('souk_failed_jobs')).toEqual(['0'])
})

test('a callback counts from when it is due, by the domain clock', async () => {
  const { context } = fixture
  await fixture.pay(await fixture.create(), 'succeeded')
  expect(await read('souk_oldest_due_delivery_seconds')).toEqual(['{queue="callback"} 0', '{queue="event"} 0'])
  context.clock.ahead += 5 * minute
  expect(await read('souk_oldest_due_delivery_seconds')).toEqual(['{queue="callback"} 300', '{queue="event"} 0'])
})

test('deliveries are counted by schedule, and receivers by state; a callback to a paused host is due but not late', async () => {
  const { sql, context } = fixture
  await sql`truncate callbacks cascade`
  const now = context.clock.now()
  const insert = (host: string, state: string, nextAttempt: number | null) => sql`
    insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, next_attempt, ctime, mtime)
    values ('a', gen_random_uuid(), gen_random_uuid(), ${`https://${host}/paid`}, '{}', ${state}, ${nextAttempt}, 0, 0)`
  await insert('paused.example', 'pending', now - hour)
  await insert('shop.example', 'pending', now - minute)
  await insert('shop.example', 'pending', now + minute)
  await insert('shop.example', 'dead', null)
  await sql`
    insert into delivery_receivers values ('callback', 'paused.example', 0, 5, ${now + second}, false),
      ('callback', 'probing.example', 0, 5, ${now + second}, true), ('event', 'e', 0, 4, 0, false)`
  expect(await read('souk_due_deliveries')).toContain('{queue="callback"} 2')
  expect(await read('souk_waiting_deliveries')).toContain('{queue="callback"} 1')
  expect(await read('souk_dead_deliveries')).toContain('{queue="callback"} 1')
  expect(await read('souk_oldest_due_delivery_seconds')).toContain('{queue="callback"} 60')
  expect(await read('souk_delivery_receivers')).toEqual([
    '{state="failing"} 1',
    '{state="paused"} 1',
    '{state="probing"} 1',
  ])
})

test('receivers count as disabled after failures or a response 410, not while they fail or by choice', async () => {
  const { sql, app } = fixture
  await sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${app.app.appid}, 'dead.example', 0, 0, 1), (${app.app.appid}, 'failing.example', 0, 0, null)`
  await sql`
    insert into event_endpoints (endpoint_id, url, types, enabled, failed_time, gone_time, ctime)
    values (gen_random_uuid(), 'https://failed.example', '{}', false, 1, null, 0),
      (gen_random_uuid(), 'https://gone.example', '{}', false, null, 1, 0),
      (gen_random_uuid(), 'https://off.example', '{}', false, null, null, 0)`
  expect(await read('souk_disabled_receivers')).toEqual(['{queue="callback"} 1', '{queue="event"} 2'])
})

test('mails that wait or were given up are counted by real time', async () => {
  const { sql, context } = fixture
  const now = context.clock.real()
  const insert = (state: string, time: number) => sql`
    insert into mails (mail_id, kind, recipient, language, state, key_id, ciphertext, valid_until, ctime, mtime)
    values (gen_random_uuid(), 'invitation', 'layla@example.com', 'en', ${state},
      ${state === 'waiting' ? 'key' : null}, ${state === 'waiting' ? Buffer.from('x') : null}, ${now}, ${time}, ${time})`
  await insert('waiting', now - minute)
  await insert('waiting', now - hour)
  await insert('sent', now - 2 * hour)
  await insert('failed', now - hour)
  await insert('failed', now - 25 * hour)
  expect(await read('souk_oldest_waiting_mail_seconds')).toEqual(['3600'])
  expect(await read('souk_failed_mails')).toEqual(['1'])
})

test('the newest backup counts by real time', async () => {
  const { sql, context } = fixture
  await sql`insert into last_backup (time, size) values (${context.clock.real() - 25 * hour}, 1)`
  expect(await read('souk_backup_age_seconds')).toEqual(['90000'])
})

test('a check that fails is reported beside the age of the newest backup that passed one', async () => {
  const { sql, context } = fixture
  const now = context.clock.real()
  const figures = async () =>
    Promise.all(['souk_restored_backup_age_seconds', 'souk_restore_check_failed'].map((name) => read(name)))
  expect(await figures()).toEqual([[], []])
  await recordRestoreCheck({ sql }, { time: now, failure: 'backup_damaged', backupTime: null })
  expect(await figures()).toEqual([[], ['1']])
  await recordRestoreCheck({ sql }, { time: now, failure: null, backupTime: now - 25 * hour })
  expect(await figures()).toEqual([['90000'], ['0']])
  await recordRestoreCheck({ sql }, { time: now, failure: 'restore_failed', backupTime: null })
  // A check of an older backup does not make the newest one older.
  await recordRestoreCheck({ sql }, { time: now, failure: null, backupTime: now - 50 * hour })
  expect(await figures()).toEqual([['90000'], ['0']])
})

test('master keys that wait to be used or to be retired count, the current and retired ones do not', async () => {
  const { sql, context } = fixture
  const now = context.clock.real()
  await sql`delete from installation`
  await sql`insert into installation (key_id, environment) values ('current', 'sandbox')`
  await sql`
    insert into master_keys (key_id, added_at, replaced_at, retired_at) values
      ('retired', ${now - 9 * hour}, ${now - 8 * hour}, ${now - 7 * hour}),
      ('old', ${now - 8 * hour}, ${now - 2 * hour}, null),
      ('current', ${now - 2 * hour}, null, null),
      ('added', ${now - hour}, null, null)`
  await sql`
    insert into unreadable_values (context, key_id, reason, found_at) values ('secret 1', 'old', 'damaged', ${now})`
  expect((await read('souk_master_key_seconds')).sort()).toEqual(['{state="added"} 3600', '{state="old"} 7200'])
  expect(await read('souk_unreadable_values')).toEqual(['1'])
})

test('suspended accounts are counted by provider', async () => {
  const { sql, context } = fixture
  const now = context.clock.real()
  const insert = (provider: string, outUntil: number | null) => sql`
    insert into provider_accounts
      (provider_account_id, name, provider, settings, key_id, ciphertext, out_until, ctime, mtime)
    values (gen_random_uuid(), 'Card', ${provider}, '{}', 'key', '', ${outUntil}, ${now}, ${now})`
  await insert('stripe', now + second)
  await insert('stripe', now - second)
  await insert('paytabs', null)
  expect((await read('souk_suspended_provider_accounts')).sort()).toEqual([
    '{provider="paytabs"} 0',
    '{provider="stripe"} 1',
  ])
})

test('a database that is slow gets one query at a time, and counts as down', async () => {
  const { sql } = fixture
  const readings = await sql.begin(async (tx) => {
    await tx`lock table last_backup in access exclusive mode`
    expect(await read('souk_database_up')).toEqual(['0'])
    const second = read('souk_database_up')
    await untilWaiting(sql, 1)
    expect(
      await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    ).toHaveLength(1)
    return [second]
  })
  expect(await readings[0]).toEqual(['1'])
})

test('without a database the other metrics are still read, and no old figures', async () => {
  const { context } = fixture
  // Nothing listens there.
  const away = connect('postgres://127.0.0.1:1/souk')
  context.metrics = createMetrics()
  measureInstallation({ ...context, sql: away })
  expect(await read('souk_database_up')).toEqual(['0'])
  expect(await read('souk_oldest_due_job_seconds')).toEqual([])
  expect(await read('souk_oldest_due_delivery_seconds')).toEqual([])
  expect(await read('process_start_time_seconds')).toHaveLength(1)
  await away.end()
})
