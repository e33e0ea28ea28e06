import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { messageContext } from '../../../test/recipients.ts'
import { OffsetClock } from '../../kernel/clock.ts'
import { Vault } from '../../kernel/crypto.ts'
import { createEgress } from '../../kernel/egress.ts'
import { newId } from '../../kernel/id.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import { AppDirectory, createApp } from '../apps/index.ts'
import { listCallbacks } from '../callbacks/index.ts'
import type { Context, SendCallback } from '../context.ts'
import { createUser, ensureOpenId } from '../identity/index.ts'
import { createTrade } from '../trades/index.ts'
import { getClock, loadClock, moveClock } from './index.ts'

const HOUR = 3_600_000
const admin = { kind: 'admin' } as const

let database: FreshDatabase
let clock: OffsetClock
let context: Context

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  clock = new OffsetClock()
  context = messageContext(database.sql, clock)
  await moveClock(context, admin, { reset: true })
})

test('forward adds up, and a reset is real time again', async () => {
  expect(await moveClock(context, admin, { forward: HOUR })).toMatchObject({ offset: HOUR })
  const moved = await moveClock(context, admin, { forward: 2 * HOUR, reset: false })
  expect(moved.offset).toBe(3 * HOUR)
  expect(clock.offset).toBe(3 * HOUR)
  expect(moved.now).toBeLessThanOrEqual(clock.now())
  expect(moved.now).toBeGreaterThan(Date.now() + 2.9 * HOUR)
  expect((await getClock(context, admin)).offset).toBe(3 * HOUR)

  expect((await moveClock(context, admin, { reset: true })).offset).toBe(0)
  expect(clock.offset).toBe(0)
})

test('moves at the same time all count', async () => {
  await Promise.all(Array.from({ length: 10 }, () => moveClock(context, admin, { forward: HOUR })))
  expect((await getClock(context, admin)).offset).toBe(10 * HOUR)
})

test('a clock that was moved is moved after a restart and in other processes, which are told', async () => {
  const told = new Promise<string>((resolve) => {
    void database.sql.listen('souk_clock', resolve, () => void moveClock(context, admin, { forward: HOUR }))
  })
  expect(await told).toBe(String(HOUR))
  const other = new OffsetClock()
  await loadClock(messageContext(database.sql, other))
  expect(other.offset).toBe(HOUR)
})

test.each([{}, { reset: false }, { forward: HOUR, reset: true }])('%j is neither a move nor a reset', async (input) => {
  await expect(moveClock(context, admin, input)).rejects.toMatchObject({ code: 'parameter_invalid' })
})

test('a live installation ignores the stored offset', async () => {
  await moveClock(context, admin, { forward: HOUR })
  const live = messageContext(database.sql)
  live.settings.sandbox = false
  await loadClock(live)
  expect(live.clock).toMatchObject({ offset: 0 })
})

describe('what has come due', () => {
  afterEach(() => void vi.useRealTimers())

  const acknowledged = { status: 200, reply: 'ok', error: null, duration: 1, retryAfter: null }

  /** A trade that expires in 2 h, of a merchant that is told by `sendCallback`. */
  async function newTrade(sendCallback: SendCallback) {
    const base = { ...context, vault: new Vault(Buffer.alloc(32, 7)) }
    const trading: Context = {
      ...base,
      apps: new AppDirectory(base),
      egress: createEgress({ allowlist: [], loopback: true }),
      metrics: createMetrics(),
      stopping: new AbortController().signal,
      sendCallback,
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
        openId: await ensureOpenId(database.sql, appid, uid),
      },
    )
    const status = async () => {
      const [row] = await database.sql`select transaction_status from trades where trade_no = ${tradeNo}`
      return row!.transaction_status
    }
    return { trading, appid, status }
  }

  test('has happened when the answer comes: a trade is expired and its merchant has been told', async () => {
    const sent: string[] = []
    const { trading, appid, status } = await newTrade(async ({ body }) => {
      sent.push(body)
      return acknowledged
    })
    await moveClock(trading, admin, { forward: 2 * HOUR - 60_000 })
    expect(await status()).toBe(1)
    await moveClock(trading, admin, { forward: 60_000 })
    expect(await status()).toBe(4)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toContain('transactionStatus=4')
    expect(await listCallbacks(trading, admin, { appid, limit: 10 })).toMatchObject([{ state: 'delivered' }])
  })

  test('stays as it is when the clock is reset', async () => {
    const { trading, status } = await newTrade(async () => acknowledged)
    await moveClock(trading, admin, { forward: 3 * HOUR })
    await moveClock(trading, admin, { reset: true })
    expect(await status()).toBe(4)
  })

  test('holds the answer up for 5 s at most where a merchant does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let answer = () => {}
    const { trading, appid } = await newTrade(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(acknowledged)
          vi.advanceTimersByTime(5000)
        }),
    )
    expect(await moveClock(trading, admin, { forward: 3 * HOUR })).toMatchObject({ offset: 3 * HOUR })
    vi.useRealTimers()
    const state = async () => (await listCallbacks(trading, admin, { appid, limit: 10 }))[0]?.state
    expect(await state()).toBe('pending')
    answer()
    await expect.poll(state).toBe('delivered')
  })
})
