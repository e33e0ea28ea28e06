import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { day } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as events from '../../src/domain/messages/events/store.ts'
import { lockProgress } from '../../src/domain/miniApps/analytics/counts.store.ts'
import { updateCallbacksToDead, updateCallbacksToPending } from '../../src/domain/money/callbacks/receivers.store.ts'
import * as callbacks from '../../src/domain/money/callbacks/store.ts'
import { claimStaleAttempts } from '../../src/domain/money/payments/store.ts'
import { existsTradeToExpire, lockTradesToExpire } from '../../src/domain/money/trades/store.ts'
import { partitionedTables } from '../../src/kernel/db/partitions.ts'
import { connect, type Sql } from '../../src/kernel/db/pool.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'
import { splitPartitions } from '../splitPartitions.ts'

/** Rows of each queue, all due. */
const size = 2_000
const limit = 20
const host = 'shop.test'
/** Receives the older half of the pending callbacks, and is enabled. */
const otherHost = 'slow.test'
const endpointId = 'e'.repeat(32)
/** The latest time of all rows, in ms. */
const now = day
const due = async (sql: Sql) => ({ firstAttempts: now, retries: now, ids: await callbacks.findPendingIds(sql) })
const replay = { appid: 'dead', host, since: 0, now, skipLocked: true }

/** Statements that claim or look for what is due, and return its rows, or one row. */
const statements: Readonly<Record<string, (tx: Sql) => Promise<unknown>>> = {
  findPendingIds: callbacks.findPendingIds,
  existsPending: async (tx) => callbacks.existsPending(tx, await callbacks.findPendingIds(tx)),
  listDueReceivers: async (tx) => callbacks.listDueReceivers(tx, await due(tx), now),
  oldestDueCallback: async (tx) =>
    tx`select ${callbacks.oldestDueCallback(tx, now, await callbacks.findPendingIds(tx))} as time`,
  claimCallbacks: async (tx) => callbacks.claimCallbacks(tx, new Map([[host, limit]]), await due(tx), now + day),
  updateCallbacksToDead: (tx) => updateCallbacksToDead(tx, limit),
  updateCallbacksToPending: (tx) => updateCallbacksToPending(tx, { ...replay, limit }),
  'existsPending of events': (tx) => events.existsPending(tx),
  'listDueReceivers of events': (tx) => events.listDueReceivers(tx, { firstAttempts: now, retries: now }, now),
  claimDeliveries: (tx) =>
    events.claimDeliveries(tx, new Map([[endpointId, limit]]), { firstAttempts: now, retries: now }, now + day),
  existsTradeToExpire: (tx) => existsTradeToExpire(tx, now),
  lockTradesToExpire: (tx) => lockTradesToExpire(tx, now, limit),
  claimStaleAttempts: (tx) => claimStaleAttempts(tx, { before: now, now: now + day, limit }),
  lockProgress: (tx) => lockProgress(tx, now),
}

/** Fills tables with rows that are not due. Each `share`-th one belongs to the second partition. */
async function fill(sql: Sql, share: number): Promise<void> {
  const time = Date.now()
  await splitPartitions(sql, () => time)
  const stored = `(${time} + n::bigint * case n % ${share} when 0 then 1 else -1 end)`
  const id = `(lpad(to_hex(${stored}), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid`
  const rows = `generate_series(1, ${size}) n`
  // SQL: numbers and texts of this file.
  await sql.unsafe(`
    do $$ declare name regclass; begin
      for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        -- It would collect statistics at any time.
        execute format('alter table %s set (autovacuum_enabled = off)', name);
      end loop;
    end $$;
    insert into projects (project_id, name, ctime) values (gen_random_uuid(), 'Project', 0);
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
      select appid, project_id, appid, '{}', 'en_US', 0 from projects, unnest('{pending,dead}'::text[]) appid;
    insert into merchants (merchant_id, appid, ctime) select gen_random_uuid(), 'pending', 0;
    insert into users (nickname, ctime) values ('User', 0);
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
      values ('pending', '${host}', 0, 0, 0);
    insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, ctime, mtime)
      select appid, ${id}, ${id},
        case when appid = 'pending' and n <= ${size / 2} then 'https://${otherHost}' else 'https://${host}' end || '/notify',
        '{}', 'delivered', n, n
      from ${rows}, unnest('{pending,dead}'::text[]) appid;
    insert into all_trades
        (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
          transaction_status, ctime, mtime)
      select 'pending', ${id}, merchant_id, 'order-' || n, 100, 'SAR', gen_random_uuid(), uid,
        'https://${host}/notify', n, 2, n, n
      from ${rows}, merchants, users;
    insert into payment_attempts (appid, trade_no, attempt_id, provider, pay_type, pay_method, state, ctime, mtime)
      select appid, trade_no, trade_no, 'sandbox', 1, 1, 'succeeded', ctime, mtime from all_trades;
    insert into event_endpoints (endpoint_id, url, types, ctime) values ('${endpointId}', 'https://${host}', '{}', 0);
    insert into events (event_id, type, data, users, time) select ${id}, 'trade.paid', '{}', '[]', n from ${rows};
    insert into event_deliveries (delivery_id, event_id, endpoint_id, state, ctime, mtime)
      select event_id, event_id, '${endpointId}', 'delivered', time, time from events;
    insert into analytics_events (time, appid, release_id, user_id, kind, name)
      select ${stored}, 'pending', gen_random_uuid(), gen_random_uuid(), 'open', '' from ${rows};`)
}

const makeDue = `
  update callbacks set state = appid, next_attempt = case when appid = 'pending' then ctime end;
  update all_trades set transaction_status = 1;
  update payment_attempts set state = 'pending';
  update event_deliveries set state = 'pending', next_attempt = ctime`

const notOfPartitions = 'analyze payment_attempts, event_deliveries, callback_receivers'

describe.for([
  ['two partitions without statistics', 2, notOfPartitions],
  ['two partitions with statistics of a time when nothing was due', 2, 'analyze'],
  ['a partition with such statistics, and one that was empty', size + 1, 'analyze'],
] as const)('%s', ([, share, collect]) => {
  let database: FreshDatabase
  /** One connection, so that the statistics of all statements are complete. */
  let sql: Sql

  beforeAll(async () => {
    database = await freshDatabase()
    await fill(database.sql, share)
    await database.sql.unsafe(collect)
    await database.sql.unsafe(makeDue)
    sql = connect(database.url, { max: 1 })
  })
  afterAll(async () => {
    await sql?.end()
    await database.drop()
  })

  async function readSoFar(): Promise<number> {
    await sql`select pg_stat_force_next_flush()`
    const [{ rows }] = await sql<[{ rows: number }]>`
      select (
        (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes)
      )::bigint as rows`
    return rows
  }

  test.for(Object.keys(statements))('%s reads few times the rows that it returns', async (name) => {
    const before = await readSoFar()
    let result: unknown
    const undone = new Error('undone')
    const transaction = sql.begin(async (tx) => {
      result = await statements[name]!(tx as unknown as Sql)
      throw undone
    })
    await expect(transaction).rejects.toBe(undone)
    const returned = Array.isArray(result) ? result.length : Number(result)
    expect((await readSoFar()) - before).toBeLessThan(10 * Math.min(returned || 1, limit) + 100)
    if (/^(?:claim|lockTrades|update)/.test(name)) expect(returned).toBe(limit)
  })
})

test('statements that claim rows of partitioned tables are measured', async () => {
  const claiming: string[] = []
  for await (const path of glob('apps/server/src/**/*store.ts')) {
    for (const text of readFileSync(path, 'utf8').split(/^export /m)) {
      const [, name] = /^async function (\w+)/.exec(text) ?? []
      const isPartitioned = Object.keys(partitionedTables).some((table) => text.includes(table))
      if (name && isPartitioned && text.includes('skip locked')) claiming.push(name)
    }
  }
  expect(Object.keys(statements)).toEqual(expect.arrayContaining(claiming))
  expect(claiming.length).toBeGreaterThan(3)
})
