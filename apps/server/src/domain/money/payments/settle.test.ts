import { hour, minute } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { announcedWhile } from '../../../../test/recipients.ts'
import { createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { returnMoney } from '../ledger/index.ts'
import { listRefunds } from '../ledger/refunds.store.ts'
import { expireTrades } from '../trades/index.ts'
import type { ProviderResult } from './adapters/port.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { closeTrade, decideSandboxPayments, queryPendingAttempts } from './index.ts'
import { settle } from './settle.ts'
import { type AttemptKey, findAttemptKey } from './store.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

/** Creates a trade with a payment in flight. */
async function paying(): Promise<AttemptKey> {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'pending')
  const [row] = await fixture.sql<{ attempt: string }[]>`
    select attempt_in_flight as attempt from trades where trade_no = ${tradeNo}`
  return (await findAttemptKey(fixture.sql, row!.attempt))!
}

const success = (money: { amount?: number; currency?: string } = {}): ProviderResult => ({
  kind: 'succeeded',
  refunded: 0,
  payNo: 'P1',
  amount: 1250,
  currency: 'SAR',
  ...money,
})
const returns = ({ tradeNo }: AttemptKey) => fixture.sql`
  select amount, currency, reason, note, state from refunds where trade_no = ${tradeNo}`
const callbacks = ({ tradeNo }: AttemptKey) => fixture.sql`select state from callbacks where trade_no = ${tradeNo}`

test('settles ten concurrent copies of a result once', async () => {
  const key = await paying()
  await Promise.all(Array.from({ length: 10 }, () => settle(fixture.context, key, success())))
  expect(await fixture.events(key.tradeNo)).toEqual(['paymentStarted', 'paymentPending', 'succeeded'])
  expect(await returns(key)).toEqual([])
  expect(await callbacks(key)).toHaveLength(1)
})

test.each([
  [{ amount: 1249 }, 1249, 'SAR'],
  [{ amount: 125_000 }, 125_000, 'SAR'],
  [{ currency: 'USD' }, 1250, 'USD'],
])('refunds a payment that differs from the trade (%o), which can still be paid', async (money, amount, currency) => {
  const key = await paying()
  await fixture.sql`
    update sandbox_payments set amount = ${amount}, currency = ${currency}, state = 'succeeded'
    where attempt_id = ${key.attemptId}`
  await settle(fixture.context, key, success(money))
  expect(await fixture.detail(key.tradeNo)).toMatchObject({ transactionStatus: 1 })
  expect(await returns(key)).toEqual([
    { amount, currency, reason: 'amountMismatch', note: 'differs from the trade', state: 'owed' },
  ])
  expect(await callbacks(key)).toEqual([])
  await fixture.returnOwedMoney()
  expect(await returns(key)).toMatchObject([{ state: 'returned' }])
  expect(await fixture.pay(key.tradeNo, 'succeeded')).toEqual({ status: 2 })
})

describe('late payments', () => {
  test('are refunded if another attempt has paid the trade', async () => {
    const first = await paying()
    fixture.context.clock.ahead = minute
    await fixture.sql`delete from sandbox_payments where attempt_id = ${first.attemptId}`
    await queryPendingAttempts(fixture.context)
    expect(await fixture.pay(first.tradeNo, 'succeeded')).toEqual({ status: 2 })
    const { payNo } = await fixture.detail(first.tradeNo)
    await settle(fixture.context, first, success())
    expect(await fixture.detail(first.tradeNo)).toMatchObject({ transactionStatus: 2, payNo })
    expect(await returns(first)).toMatchObject([{ reason: 'tradeFinal', note: 'the trade has succeeded' }])
  })

  test('pay a trade that is still open', async () => {
    const first = await paying()
    fixture.context.clock.ahead = minute
    await fixture.sql`delete from sandbox_payments where attempt_id = ${first.attemptId}`
    await queryPendingAttempts(fixture.context)
    await fixture.pay(first.tradeNo, 'pending')
    await settle(fixture.context, first, success())
    expect(await fixture.detail(first.tradeNo)).toMatchObject({ transactionStatus: 2, payNo: 'P1' })
    expect(await returns(first)).toEqual([])
    await decideSandboxPayments(fixture.context)
    expect(await callbacks(first)).toHaveLength(1)
  })

  test('change no visible field of a final trade', async () => {
    const key = await paying()
    await closeTrade(fixture.context, fixture.app, { tradeNo: key.tradeNo })
    const before = await fixture.detail(key.tradeNo)
    fixture.context.clock.ahead = hour
    await settle(fixture.context, key, success())
    expect(await fixture.detail(key.tradeNo)).toEqual(before)
  })

  test('stay owed when the provider rejects the refund', async () => {
    const key = await paying()
    await closeTrade(fixture.context, fixture.app, { tradeNo: key.tradeNo })
    await settle(fixture.context, key, success())
    const [refund] = await listRefunds(fixture.sql, key)
    await expect(returnMoney(fixture.context, refund!)).rejects.toThrow('rejected refund')
    expect(await returns(key)).toMatchObject([{ state: 'owed' }])
    // The refund shows the reason.
    expect(await listRefunds(fixture.sql, key)).toMatchObject([{ refusal: expect.stringContaining('the payment is') }])
  })
})

test('a decline after the final state changes nothing', async () => {
  const key = await paying()
  await settle(fixture.context, key, success())
  const before = await fixture.detail(key.tradeNo)
  await settle(fixture.context, key, { kind: 'failed', payNo: 'P1', failReasonType: 24 })
  await settle(fixture.context, key, { kind: 'canceled', payNo: 'P1' })
  expect(await fixture.detail(key.tradeNo)).toEqual(before)
})

test('notifies the payer’s client of every change', async () => {
  const tradeNo = await fixture.create()
  const news = { uid: fixture.payer.uid, event: 'trade', id: tradeNo, appid: fixture.app.app.appid }
  expect(await announcedWhile(fixture.sql, () => fixture.pay(tradeNo, 'pending'))).toEqual([news, news])
  expect(await announcedWhile(fixture.sql, () => closeTrade(fixture.context, fixture.app, { tradeNo }))).toEqual([news])
})

test('rejects a webhook for an unknown payment', async () => {
  const provider = new SandboxProvider(fixture.context)
  await expect(provider.webhook(Buffer.from('SBXnone'))).rejects.toThrow('has no such payment')
})

test('retries decisions that could not be settled', async () => {
  const key = await paying()
  fixture.context.clock.ahead = 24 * hour
  const broken = Object.assign(Object.create(fixture.context), {
    sql: new Proxy(fixture.sql, {
      apply: (target, self, args) => {
        if (String(args[0]).includes('from payment_attempts')) throw new Error('the connection broke')
        return Reflect.apply(target, self, args)
      },
    }),
  })
  await decideSandboxPayments(broken)
  expect(await fixture.detail(key.tradeNo)).toMatchObject({ transactionStatus: 1 })
  await decideSandboxPayments(fixture.context)
  expect(await fixture.detail(key.tradeNo)).toMatchObject({ transactionStatus: 3, failReasonType: 27 })
})

test('concurrent sweeps expire each trade once', async () => {
  const tradeNos = await Promise.all(Array.from({ length: 40 }, () => fixture.create()))
  fixture.context.clock.ahead = 2 * hour
  await Promise.all([1, 2, 3].map(() => expireTrades(fixture.context)))
  await expireTrades(fixture.context)
  const [row] = await fixture.sql`
    select count(*) filter (where transaction_status = 4) as expired, (select count(*) from callbacks where appid = t.appid) as callbacks,
      (select count(*) from trade_events where appid = t.appid) as events
    from trades t where appid = ${fixture.app.app.appid} group by appid`
  expect(row).toEqual({ expired: tradeNos.length, callbacks: tradeNos.length, events: tradeNos.length })
})
