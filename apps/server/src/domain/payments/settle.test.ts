import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { announcedWhile } from '../../../test/recipients.ts'
import { hour, type Stage, tradeStage } from '../../../test/tradeFixture.ts'
import { returnMoney } from '../money/index.ts'
import { listRefunds } from '../money/refunds.store.ts'
import { expireTrades } from '../trades/index.ts'
import type { ProviderResult } from './adapters/port.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { closeTrade, decideSandboxPayments, reconcilePayments } from './index.ts'
import { settle } from './settle.ts'
import { type AttemptKey, findAttemptKey } from './store.ts'

let database: FreshDatabase
let stage: Stage

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  stage = await tradeStage(database.sql)
})

/** A trade with a payment in flight. */
async function paying(): Promise<AttemptKey> {
  const tradeNo = await stage.create()
  await stage.pay(tradeNo, 'pending')
  const [row] = await stage.sql<{ attempt: string }[]>`
    select attempt_in_flight as attempt from trades where trade_no = ${tradeNo}`
  return (await findAttemptKey(stage.sql, row!.attempt))!
}

const success = (money: { amount?: number; currency?: string } = {}): ProviderResult => ({
  kind: 'succeeded',
  refunded: 0,
  payNo: 'P1',
  amount: 1250,
  currency: 'SAR',
  ...money,
})
const returns = ({ tradeNo }: AttemptKey) => stage.sql`
  select amount, currency, reason, note, state from refunds where trade_no = ${tradeNo}`
const callbacks = ({ tradeNo }: AttemptKey) => stage.sql`select state from callbacks where trade_no = ${tradeNo}`

test('a result that comes ten times at once settles once', async () => {
  const key = await paying()
  await Promise.all(Array.from({ length: 10 }, () => settle(stage.context, key, success())))
  expect(await stage.story(key.tradeNo)).toEqual(['paymentStarted', 'paymentPending', 'succeeded'])
  expect(await returns(key)).toEqual([])
  expect(await callbacks(key)).toHaveLength(1)
})

test.each([
  [{ amount: 1249 }, 1249, 'SAR'],
  [{ amount: 125_000 }, 125_000, 'SAR'],
  [{ currency: 'USD' }, 1250, 'USD'],
])(
  'money that differs from the trade (%o) never makes it succeed: it goes back, and the trade can be paid',
  async (money, amount, currency) => {
    const key = await paying()
    await stage.sql`
    update sandbox_payments set amount = ${amount}, currency = ${currency}, state = 'succeeded'
    where attempt_id = ${key.attemptId}`
    await settle(stage.context, key, success(money))
    expect(await stage.detail(key.tradeNo)).toMatchObject({ transactionStatus: 1 })
    expect(await returns(key)).toEqual([
      { amount, currency, reason: 'amountMismatch', note: 'differs from the trade', state: 'owed' },
    ])
    expect(await callbacks(key)).toEqual([])
    await stage.returnOwedMoney()
    expect(await returns(key)).toMatchObject([{ state: 'returned' }])
    expect(await stage.pay(key.tradeNo, 'succeeded')).toEqual({ status: 2 })
  },
)

describe('money that is late', () => {
  test('for a trade that another attempt has paid goes back', async () => {
    const first = await paying()
    stage.context.clock.ahead = 60_000
    await stage.sql`delete from sandbox_payments where attempt_id = ${first.attemptId}`
    await reconcilePayments(stage.context)
    expect(await stage.pay(first.tradeNo, 'succeeded')).toEqual({ status: 2 })
    const { payNo } = await stage.detail(first.tradeNo)
    await settle(stage.context, first, success())
    expect(await stage.detail(first.tradeNo)).toMatchObject({ transactionStatus: 2, payNo })
    expect(await returns(first)).toMatchObject([{ reason: 'tradeFinal', note: 'the trade has succeeded' }])
  })

  test('of an attempt that its provider had lost still pays a trade that is open', async () => {
    const first = await paying()
    stage.context.clock.ahead = 60_000
    await stage.sql`delete from sandbox_payments where attempt_id = ${first.attemptId}`
    await reconcilePayments(stage.context)
    await stage.pay(first.tradeNo, 'pending')
    await settle(stage.context, first, success())
    expect(await stage.detail(first.tradeNo)).toMatchObject({ transactionStatus: 2, payNo: 'P1' })
    expect(await returns(first)).toEqual([])
    await decideSandboxPayments(stage.context)
    expect(await callbacks(first)).toHaveLength(1)
  })

  test('leaves the trade as it was, to the last field that can be seen', async () => {
    const key = await paying()
    await closeTrade(stage.context, stage.app, { tradeNo: key.tradeNo })
    const before = await stage.detail(key.tradeNo)
    stage.context.clock.ahead = hour
    await settle(stage.context, key, success())
    expect(await stage.detail(key.tradeNo)).toEqual(before)
  })

  test('is not given up when the provider refuses to return it', async () => {
    const key = await paying()
    await closeTrade(stage.context, stage.app, { tradeNo: key.tradeNo })
    await settle(stage.context, key, success())
    const [refund] = await listRefunds(stage.sql, key)
    await expect(returnMoney(stage.context, refund!)).rejects.toThrow('refuses to return the money')
    expect(await returns(key)).toMatchObject([{ state: 'owed' }])
    // The operator sees why.
    expect(await listRefunds(stage.sql, key)).toMatchObject([{ refusal: expect.stringContaining('the payment is') }])
  })
})

test('a decline after the end changes nothing', async () => {
  const key = await paying()
  await settle(stage.context, key, success())
  const before = await stage.detail(key.tradeNo)
  await settle(stage.context, key, { kind: 'failed', payNo: 'P1', failReasonType: 24 })
  await settle(stage.context, key, { kind: 'canceled', payNo: 'P1' })
  expect(await stage.detail(key.tradeNo)).toEqual(before)
})

test('the payer’s client hears of every change', async () => {
  const tradeNo = await stage.create()
  const news = { uid: stage.payer.uid, event: 'trade', id: tradeNo }
  expect(await announcedWhile(stage.sql, () => stage.pay(tradeNo, 'pending'))).toEqual([news, news])
  expect(await announcedWhile(stage.sql, () => closeTrade(stage.context, stage.app, { tradeNo }))).toEqual([news])
})

test('a webhook that names nothing is refused', async () => {
  const provider = new SandboxProvider(stage.context)
  await expect(provider.webhook(Buffer.from('SBXnone'))).rejects.toThrow('names no payment')
})

test('what the sandbox could not tell comes again with the next run', async () => {
  const key = await paying()
  stage.context.clock.ahead = 24 * hour
  const broken = Object.assign(Object.create(stage.context), {
    sql: new Proxy(stage.sql, {
      apply: (target, self, args) => {
        if (String(args[0]).includes('from payment_attempts')) throw new Error('the connection broke')
        return Reflect.apply(target, self, args)
      },
    }),
  })
  await decideSandboxPayments(broken)
  expect(await stage.detail(key.tradeNo)).toMatchObject({ transactionStatus: 1 })
  await decideSandboxPayments(stage.context)
  expect(await stage.detail(key.tradeNo)).toMatchObject({ transactionStatus: 3, failReasonType: 27 })
})

test('the sweep expires many trades, each once, however many runs there are', async () => {
  const tradeNos = await Promise.all(Array.from({ length: 40 }, () => stage.create()))
  stage.context.clock.ahead = 2 * hour
  await Promise.all([1, 2, 3].map(() => expireTrades(stage.context)))
  await expireTrades(stage.context)
  const [row] = await stage.sql`
    select count(*) filter (where transaction_status = 4) as expired, (select count(*) from callbacks where appid = t.appid) as callbacks,
      (select count(*) from trade_events where appid = t.appid) as events
    from trades t where appid = ${stage.app.app.appid} group by appid`
  expect(row).toEqual({ expired: tradeNos.length, callbacks: tradeNos.length, events: tradeNos.length })
})
