import { day, hour, minute } from '@souk/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { messageContext } from '../../../../test/recipients.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { OffsetClock } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { createEgress } from '../../../kernel/egress.ts'
import { newId } from '../../../kernel/id.ts'
import { createMetrics } from '../../../kernel/metrics.ts'
import { Vault } from '../../../kernel/vault.ts'
import type { FullContext, SendMessage } from '../../context.ts'
import { AppDirectory, createApp } from '../../miniApps/index.ts'
import { createTrade, listCallbacks, searchReconciliations } from '../../money/index.ts'
import { createUser, upsertOpenId } from '../../users/index.ts'
import { getClock, loadClock, moveClock, reloadClock } from './index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase
let clock: OffsetClock
let context: FullContext

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  clock = new OffsetClock()
  context = messageContext(database.sql, clock)
  await moveClock(context, admin, { reset: true })
})

test('is loaded again when the database is back, without an error', async () => {
  await moveClock(context, admin, { forward: hour })
  const other = new OffsetClock()
  let failures = 2
  const flaky = ((...parameters: Parameters<Sql>) => {
    if (failures-- > 0) return Promise.reject(new Error('the connection ended'))
    return database.sql(...parameters)
  }) as unknown as Sql
  await reloadClock(messageContext(flaky, other))
  expect(other.offset).toBe(hour)
})

test('adds up forward moves and resets to real time', async () => {
  expect(await moveClock(context, admin, { forward: hour })).toMatchObject({ offset: hour })
  const moved = await moveClock(context, admin, { forward: 2 * hour, reset: false })
  expect(moved.offset).toBe(3 * hour)
  expect(clock.offset).toBe(3 * hour)
  expect(moved.now).toBeLessThanOrEqual(clock.now())
  expect(moved.now).toBeGreaterThan(Date.now() + 2.9 * hour)
  expect((await getClock(context, admin)).offset).toBe(3 * hour)

  expect((await moveClock(context, admin, { reset: true })).offset).toBe(0)
  expect(clock.offset).toBe(0)
})

test('counts concurrent moves', async () => {
  await Promise.all(Array.from({ length: 10 }, () => moveClock(context, admin, { forward: hour })))
  expect((await getClock(context, admin)).offset).toBe(10 * hour)
})

test('keeps the offset after a restart and notifies other processes', async () => {
  const notified = new Promise<string>((resolve) => {
    void database.sql.listen('souk_clock', resolve, () => void moveClock(context, admin, { forward: hour }))
  })
  expect(await notified).toBe(String(hour))
  const other = new OffsetClock()
  await loadClock(messageContext(database.sql, other))
  expect(other.offset).toBe(hour)
})

test.each([{}, { reset: false }, { forward: hour, reset: true }])('rejects %j', async (input) => {
  await expect(moveClock(context, admin, input)).rejects.toMatchObject({ code: 'parameter_invalid' })
})

test('ignores the stored offset in a live installation', async () => {
  await moveClock(context, admin, { forward: hour })
  const live = messageContext(database.sql)
  live.settings.sandbox = false
  await loadClock(live)
  expect(live.clock).toMatchObject({ offset: 0 })
})

describe('due jobs', () => {
  afterEach(() => void vi.useRealTimers())

  const acknowledged = { status: 200, reply: 'ok', error: null, duration: 1, retryAfter: null }

  /** Creates a trade that expires in 2 h and whose callbacks go to `sendMessage`. */
  async function newTrade(sendMessage: SendMessage) {
    const base = { ...context, vault: new Vault(() => [Buffer.alloc(32, 7)]) }
    const trading: FullContext = {
      ...base,
      apps: new AppDirectory(base),
      egress: createEgress({ allowlist: [], loopback: true }),
      metrics: createMetrics(),
      stopping: new AbortController().signal,
      sendMessage,
    }
    const { appid } = await createApp(trading, admin, { name: 'Tea House' })
    const { uid } = await createUser(trading, admin, { nickname: 'Layla' })
    const { tradeNo } = await createTrade(
      trading,
      { kind: 'app', app: (await trading.apps.find(appid))!, sign: '' },
      {
        outTradeNo: newId(),
        notifyUrl: 'http://localhost:1/callback',
        amount: 100,
        currency: 'SAR',
        openId: await upsertOpenId(database.sql, appid, uid),
      },
    )
    const status = async () => {
      const [row] = await database.sql`select transaction_status from trades where trade_no = ${tradeNo}`
      return row!.transactionStatus
    }
    return { trading, appid, status }
  }

  test('have run when moveClock returns: a trade is expired and its callback delivered', async () => {
    const sent: string[] = []
    const { trading, appid, status } = await newTrade(async ({ body }) => {
      sent.push(body)
      return acknowledged
    })
    await moveClock(trading, admin, { forward: 2 * hour - minute })
    expect(await status()).toBe(1)
    await moveClock(trading, admin, { forward: minute })
    expect(await status()).toBe(4)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toContain('transactionStatus=4')
    expect(await listCallbacks(trading, admin, { appid, limit: 10 })).toMatchObject([{ state: 'delivered' }])
  })

  test('start the comparison of the days that are over', async () => {
    const fixture = await createTradeFixture(database.sql)
    Object.assign(fixture.context, { clock })
    await fixture.pay(await fixture.create(), 'succeeded')
    const [{ time }] = await database.sql<[{ time: number }]>`select max(ctime)::bigint as time from payment_attempts`
    await moveClock(fixture.context, admin, { forward: 2 * day })
    const { projectId, appid } = fixture.app.app
    const { items } = await searchReconciliations(fixture.context, admin, { projectId, appid })
    expect(items).toMatchObject([{ day: time - (time % day) }])
  })

  test('are not undone when the clock is reset', async () => {
    const { trading, status } = await newTrade(async () => acknowledged)
    await moveClock(trading, admin, { forward: 3 * hour })
    await moveClock(trading, admin, { reset: true })
    expect(await status()).toBe(4)
  })

  test('delay the response by at most 5 s if a merchant does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let answer = () => {}
    const { trading, appid } = await newTrade(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(acknowledged)
          vi.advanceTimersByTime(5000)
        }),
    )
    expect(await moveClock(trading, admin, { forward: 3 * hour })).toMatchObject({ offset: 3 * hour })
    vi.useRealTimers()
    const state = async () => (await listCallbacks(trading, admin, { appid, limit: 10 }))[0]?.state
    expect(await state()).toBe('pending')
    answer()
    await expect.poll(state).toBe('delivered')
  })
})
