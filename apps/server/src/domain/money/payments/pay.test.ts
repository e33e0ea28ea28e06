import { declineReasons, hour, magicAmounts, minute, type Outcome } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { expireTrades } from '../trades/index.ts'
import {
  answerChallenge,
  cancelPayment,
  closeTrade,
  decideSandboxPayments,
  pay,
  paymentResult,
  queryPendingAttempts,
  resolvePayment,
  startPayment,
} from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

const start = (tradeNo: string, shown: { amount?: string; currency?: string } = {}) =>
  startPayment(fixture.context, fixture.payer, { tradeNo, payMethod: 'wallet-a', ...shown })
const resultOf = (tradeNo: string) => paymentResult(fixture.context, fixture.payer, { tradeNo })
const resolve = (tradeNo: string, outcome: Outcome) => resolvePayment(fixture.context, admin, { tradeNo, outcome })
const returns = (tradeNo: string) => fixture.sql`select amount, note, state from refunds where trade_no = ${tradeNo}`
const books = (tradeNo: string) => fixture.sql`
  select s.state from sandbox_payments s join payment_attempts using (attempt_id) where trade_no = ${tradeNo}`

describe('immediate outcomes', () => {
  test('succeeded returns status 2', async () => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, 'succeeded')).toEqual({ status: 2 })
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2, failReasonType: -1 })
    expect(await fixture.events(tradeNo)).toEqual(['paymentStarted', 'succeeded'])
  })

  test('canceled returns status 0 and cancels the trade', async () => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, 'canceled')).toEqual({ status: 0 })
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 5, failReasonType: -1 })
  })

  test.each(declineReasons)('failed:%i returns status 1 and fails the trade with that code', async (code) => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, `failed:${code}`)).toEqual({ status: 1, failCode: code })
    const payType = [24, 25].includes(code) ? 1 : [5, 6].includes(code) ? 3 : 2
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 3, failReasonType: code, payType })
  })
})

describe('delayed outcomes', () => {
  test('pending stays in flight, even after timeExpire, and fails with 27 after 24 h', async () => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, 'pending')).toEqual({ status: 0 })
    fixture.context.clock.ahead = 24 * hour - 1
    await decideSandboxPayments(fixture.context)
    await expireTrades(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
    fixture.context.clock.ahead = 24 * hour
    await decideSandboxPayments(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 3, failReasonType: 27 })
  })

  test.each([
    ['delayed', 2, -1],
    ['delayed-failure', 3, 27],
  ] as const)('%s is decided after 30 s', async (outcome, transactionStatus, failReasonType) => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, outcome)).toEqual({ status: 0 })
    fixture.context.clock.ahead = 29_999
    await decideSandboxPayments(fixture.context)
    expect(await resultOf(tradeNo)).toEqual({ status: 0 })
    fixture.context.clock.ahead = 30_000
    await decideSandboxPayments(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus, failReasonType })
  })

  test('a decision that another process is about to record is settled, too', async () => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'delayed')
    fixture.context.clock.ahead = 30_000
    let settled: Promise<void> | undefined
    await fixture.sql.begin(async (tx) => {
      await tx`select from sandbox_payments join payment_attempts using (attempt_id)
        where trade_no = ${tradeNo} for update of sandbox_payments`
      settled = decideSandboxPayments(fixture.context)
      await untilWaiting(fixture.sql, 1)
    })
    await settled
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  })

  test('lost is found by a query after 60 s', async () => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, 'lost')).toEqual({ status: 0 })
    fixture.context.clock.ahead = 59_999
    await decideSandboxPayments(fixture.context)
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
    fixture.context.clock.ahead = minute
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  })

  test('late becomes unknown, the trade expires, and the payment is refunded', async () => {
    const tradeNo = await fixture.create()
    expect(await fixture.pay(tradeNo, 'late')).toEqual({ status: 0 })
    fixture.context.clock.ahead = 2 * hour
    await queryPendingAttempts(fixture.context)
    await expireTrades(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 4 })
    fixture.context.clock.ahead = 25 * hour
    await decideSandboxPayments(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 4, failReasonType: 21 })
    expect(await returns(tradeNo)).toEqual([{ amount: 1250, note: 'the trade has expired', state: 'owed' }])
    await fixture.returnOwedMoney()
    await fixture.returnOwedMoney()
    expect(await returns(tradeNo)).toMatchObject([{ state: 'returned' }])
    expect(await books(tradeNo)).toEqual([{ state: 'refunded' }])
    expect((await fixture.events(tradeNo)).slice(-2)).toEqual(['moneyOwed', 'moneyReturned'])
  })

  test('late has the same result when the clock skips all of it', async () => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'late')
    fixture.context.clock.ahead = 48 * hour
    await decideSandboxPayments(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 3, failReasonType: 27 })
    expect(await returns(tradeNo)).toMatchObject([{ note: 'the trade has failed' }])
  })

  test.each([
    [true, { status: 2 }],
    [false, { status: 1, failCode: 6 }],
  ])('challenge asks the payer and is decided by the answer %s', async (passed, result) => {
    const tradeNo = await fixture.create()
    const challenge = { payNo: expect.stringMatching(/^SBX/), prompt: expect.any(String) }
    expect(await fixture.pay(tradeNo, 'challenge')).toEqual({ status: 0, challenge })
    expect(await resultOf(tradeNo)).toEqual({ status: 0, challenge })
    expect(await answerChallenge(fixture.context, fixture.payer, { tradeNo, passed })).toEqual(result)
    await expect(answerChallenge(fixture.context, fixture.payer, { tradeNo, passed })).rejects.toMatchObject({
      code: 'payment_not_pending',
    })
  })
})

test('a chosen outcome overrides that of a magic amount', async () => {
  for (const [amount, { outcome }] of Object.entries(magicAmounts)) {
    const tradeNo = await fixture.create({ amount: Number(amount) })
    await start(tradeNo)
    const [payment] = await fixture.sql`
      select outcome from sandbox_payments join payment_attempts using (attempt_id) where trade_no = ${tradeNo}`
    expect(payment).toEqual({ outcome })
  }
  expect(await fixture.pay(await fixture.create({ amount: 90_100 }), 'succeeded')).toEqual({ status: 2 })
})

test('rejects payment of a final trade with the code of its state', async () => {
  const codes: [number, (tradeNo: string) => Promise<unknown>][] = [
    [20, (tradeNo) => fixture.pay(tradeNo, 'succeeded')],
    [27, (tradeNo) => fixture.pay(tradeNo, 'failed:5')],
    [22, (tradeNo) => fixture.pay(tradeNo, 'canceled')],
    [22, (tradeNo) => closeTrade(fixture.context, fixture.app, { tradeNo })],
    [23, (tradeNo) => fixture.pay(tradeNo, 'pending')],
    [23, (tradeNo) => fixture.pay(tradeNo, 'challenge')],
    [21, async () => (fixture.context.clock.ahead += 2 * hour)],
  ]
  for (const [failCode, end] of codes) {
    const tradeNo = await fixture.create()
    await end(tradeNo)
    expect(await start(tradeNo)).toEqual({ status: 1, failCode })
  }
})

describe('displayed amount and currency', () => {
  test('must match the trade', async () => {
    for (const shown of [{ amount: '12.5' }, { amount: '12.50', currency: 'SAR' }, { currency: 'SAR' }]) {
      expect(await start(await fixture.create(), shown)).toEqual({ status: 2 })
    }
    for (const shown of [{ amount: '12.49' }, { amount: '1250' }, { amount: '12.5', currency: 'USD' }]) {
      const tradeNo = await fixture.create()
      await expect(start(tradeNo, shown)).rejects.toMatchObject({ code: 'payment_mismatch' })
      expect(await fixture.events(tradeNo)).toEqual([])
    }
  })
})

test('only the payer can see, pay, cancel or confirm a trade', async () => {
  const tradeNo = await fixture.create()
  const { context, otherUser } = fixture
  const refused = { code: 'trade_not_found' }
  const { uid } = otherUser
  await expect(startPayment(context, otherUser, { tradeNo, payMethod: 'card' })).rejects.toMatchObject(refused)
  await expect(cancelPayment(context, otherUser, { tradeNo })).rejects.toMatchObject(refused)
  await expect(paymentResult(context, otherUser, { tradeNo })).rejects.toMatchObject(refused)
  await expect(answerChallenge(context, otherUser, { tradeNo, passed: true })).rejects.toMatchObject(refused)
  await expect(pay(context, admin, { tradeNo, uid })).rejects.toMatchObject(refused)
  await expect(pay(context, admin, { tradeNo, uid: 1 })).rejects.toMatchObject({ code: 'user_not_found' })
})

test('a live installation rejects a chosen outcome', async () => {
  const tradeNo = await fixture.create()
  const live = { ...fixture.context, settings: { ...fixture.context.settings, sandbox: false } }
  const refused = { code: 'sandbox_only' }
  const outcome = 'succeeded'
  await expect(startPayment(live, fixture.payer, { tradeNo, payMethod: 'card', outcome })).rejects.toMatchObject(
    refused,
  )
  await expect(startPayment(live, fixture.payer, { tradeNo, payMethod: 'card' })).rejects.toMatchObject({
    code: 'unavailable',
  })
})

describe('cancellation by the payer', () => {
  test('cancels the trade and an attempt in flight', async () => {
    for (const outcome of [undefined, 'pending', 'challenge'] as const) {
      const tradeNo = await fixture.create()
      if (outcome) await fixture.pay(tradeNo, outcome)
      expect(await cancelPayment(fixture.context, fixture.payer, { tradeNo })).toEqual({ status: 0 })
      expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 5, failReasonType: -1 })
      expect(await books(tradeNo)).toEqual(outcome ? [{ state: 'canceled' }] : [])
    }
  })

  test('does not override a payment that succeeded earlier', async () => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'lost')
    expect(await cancelPayment(fixture.context, fixture.payer, { tradeNo })).toEqual({ status: 2 })
  })

  test('returns the result of a final trade', async () => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'failed:10')
    expect(await cancelPayment(fixture.context, fixture.payer, { tradeNo })).toEqual({ status: 1, failCode: 10 })
  })
})

describe('resolving a sandbox payment', () => {
  test.each([
    ['succeeded', { status: 2 }, 2],
    ['canceled', { status: 0 }, 5],
    ['failed:26', { status: 1, failCode: 26 }, 3],
    ['pending', { status: 0 }, 1],
  ] as const)('decides a payment in flight as %s', async (outcome, result, transactionStatus) => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'pending')
    expect(await resolve(tradeNo, outcome)).toEqual(result)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus })
  })

  test('refunds a payment that succeeds after the trade was closed or canceled', async () => {
    const closed = await paying()
    await closeTrade(fixture.context, fixture.app, { tradeNo: closed })
    const canceled = await fixture.create()
    await fixture.pay(canceled, 'canceled')
    for (const [tradeNo, transactionStatus, state] of [
      [closed, 6, 'is closed'],
      [canceled, 5, 'was canceled'],
    ] as const) {
      await resolve(tradeNo, 'succeeded')
      expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus })
      expect(await returns(tradeNo)).toEqual([{ amount: 1250, note: `the trade ${state}`, state: 'owed' }])
    }
    await fixture.returnOwedMoney()
    for (const tradeNo of [closed, canceled]) expect(await books(tradeNo)).toEqual([{ state: 'refunded' }])
  })

  test('rejects a trade without an undecided payment', async () => {
    const tradeNo = await fixture.create()
    await expect(resolve(tradeNo, 'succeeded')).rejects.toMatchObject({ code: 'payment_not_pending' })
    await fixture.pay(tradeNo, 'failed:1')
    await expect(resolve(tradeNo, 'succeeded')).rejects.toMatchObject({ code: 'payment_not_pending' })
    await expect(resolve('0'.repeat(32), 'succeeded')).rejects.toMatchObject({ code: 'trade_not_found' })
  })

  async function paying(): Promise<string> {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'pending')
    return tradeNo
  }
})
