import { hour, minute, type Outcome } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { closeTrade, queryPendingAttempts } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

const close = (tradeNo: string, context = fixture.context) => closeTrade(context, fixture.app, { tradeNo })

test('closes a trade, also repeatedly, without a callback', async () => {
  const tradeNo = await fixture.create()
  expect(await close(tradeNo)).toBe(true)
  expect(await close(tradeNo.toUpperCase())).toBe(true)
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6, failReasonType: 22, notifySuccess: null })
  expect(await fixture.events(tradeNo)).toEqual(['closed'])
  expect(await fixture.sql`select 1 from callbacks where trade_no = ${tradeNo}`).toEqual([])
})

test.each([
  ['succeeded', 'has succeeded'],
  ['failed:24', 'has failed'],
  ['canceled', 'was canceled'],
] as const)('rejects closing a trade that ended as %s, naming the state', async (outcome, state) => {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, outcome)
  await expect(close(tradeNo)).rejects.toMatchObject({
    code: 'trade_not_processing',
    status: 409,
    message: `The trade is no longer processing. The trade ${state}.`,
  })
})

test('expires a due trade instead of closing it', async () => {
  const tradeNo = await fixture.create()
  fixture.context.clock.ahead = 2 * hour
  await expect(close(tradeNo)).rejects.toThrow('The trade has expired.')
})

test('does not find unknown trades or trades of another app', async () => {
  const foreign = await (await createTradeFixture(database.sql)).create()
  for (const tradeNo of [foreign, '0'.repeat(32)]) {
    await expect(close(tradeNo)).rejects.toMatchObject({ code: 'trade_not_found' })
  }
})

describe('with an attempt in flight', () => {
  const paying = async (outcome: Outcome) => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, outcome)
    return tradeNo
  }

  test.each(['pending', 'challenge', 'delayed'] as const)('cancels %s at the provider first', async (outcome) => {
    const tradeNo = await paying(outcome)
    expect(await close(tradeNo)).toBe(true)
    const [payment] = await fixture.sql`
      select s.state, a.state as attempt
      from sandbox_payments s join payment_attempts a using (attempt_id) where trade_no = ${tradeNo}`
    expect(payment).toEqual({ state: 'canceled', attempt: 'canceled' })
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6, failReasonType: 22 })
  })

  test('a payment that succeeded earlier wins', async () => {
    const tradeNo = await paying('lost')
    await expect(close(tradeNo)).rejects.toThrow('The trade has succeeded.')
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  })

  test('closes a trade whose payment is unknown to the provider', async () => {
    const tradeNo = await paying('late')
    expect(await close(tradeNo)).toBe(true)
  })

  test('completes a close of a process that died after the cancellation', async () => {
    const tradeNo = await paying('pending')
    let begins = 0
    const sql = new Proxy(fixture.sql, {
      get: (target, name) => {
        // The third transaction settles, after those that store the request and cancel at the provider.
        if (name === 'begin' && ++begins === 3) throw new Error('killed')
        return Reflect.get(target, name)
      },
    })
    await expect(close(tradeNo, Object.assign(Object.create(fixture.context), { sql }))).rejects.toThrow('killed')
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
    fixture.context.clock.ahead = minute
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
  })
})
