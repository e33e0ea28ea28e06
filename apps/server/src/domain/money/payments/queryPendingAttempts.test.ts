import { minute } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { findTradeByTradeNo } from '../trades/store.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { closeTrade, pay, queryPendingAttempts } from './index.ts'
import { toPaymentOrder } from './payWithFailover.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

/** Pays in a process that is killed when it runs a statement or opens a transaction for which `at` is true. */
async function payAndDie(tradeNo: string, at: (statement: string, begins: number) => boolean): Promise<void> {
  let begins = 0
  const sql = new Proxy(fixture.sql, {
    apply: (target, self, args) => {
      if (at(String(args[0]), begins)) throw new Error('killed')
      return Reflect.apply(target, self, args)
    },
    get: (target, name) => {
      if (name === 'begin' && at('', ++begins)) throw new Error('killed')
      return Reflect.get(target, name)
    },
  })
  const process = Object.assign(Object.create(fixture.context), { sql })
  const dying = pay(process, admin, { tradeNo, uid: fixture.payer.uid, outcome: 'succeeded' })
  await expect(dying).rejects.toThrow('killed')
}

const beforeTheProvider = (statement: string) => statement.includes('insert into sandbox_payments')
/** Selects the third transaction: those before it write the audit row and the attempt. */
const beforeSettling = (_: string, begins: number) => begins === 3

test('a trade can be paid again 60 s after a process died before creating the payment', async () => {
  const tradeNo = await fixture.create()
  await payAndDie(tradeNo, beforeTheProvider)
  expect(await fixture.pay(tradeNo, 'succeeded')).toEqual({ status: 1, failCode: 23 })
  fixture.context.clock.ahead = 59_999
  await queryPendingAttempts(fixture.context)
  expect(await fixture.pay(tradeNo, 'succeeded')).toEqual({ status: 1, failCode: 23 })
  fixture.context.clock.ahead = minute
  await queryPendingAttempts(fixture.context)
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
  expect(await fixture.pay(tradeNo, 'succeeded')).toEqual({ status: 2 })
})

test('finds the payment of a process that died before settling it', async () => {
  const tradeNo = await fixture.create()
  await payAndDie(tradeNo, beforeSettling)
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1, payNo: null })
  fixture.context.clock.ahead = minute
  await queryPendingAttempts(fixture.context)
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2, payNo: expect.stringMatching(/^SBX/) })
})

test('cancels a payment that reached the provider after the close', async () => {
  const tradeNo = await fixture.create()
  await payAndDie(tradeNo, beforeTheProvider)
  expect(await closeTrade(fixture.context, fixture.app, { tradeNo })).toBe(true)
  const [row] = await fixture.sql<{ attemptId: string }[]>`
    select attempt_id from payment_attempts where trade_no = ${tradeNo}`
  const trade = (await findTradeByTradeNo(fixture.sql, tradeNo))!
  const order = toPaymentOrder(fixture.context, trade, row!.attemptId, 3)
  await new SandboxProvider(fixture.context, 'pending').create(order)
  fixture.context.clock.ahead = minute
  await queryPendingAttempts(fixture.context)
  const [payment] = await fixture.sql`select state from sandbox_payments where attempt_id = ${order.attemptId}`
  expect(payment).toEqual({ state: 'canceled' })
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
})

test.each([
  ['merchant', 6],
  ['payer', 5],
])('cancels again what the provider has not answered to the %s', async (cancelFor, transactionStatus) => {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'pending')
  await fixture.sql`update payment_attempts set cancel_for = ${cancelFor} where trade_no = ${tradeNo}`
  fixture.context.clock.ahead = minute
  await queryPendingAttempts(fixture.context)
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus })
  expect(
    await fixture.sql`
      select p.state from sandbox_payments p join payment_attempts using (attempt_id) where trade_no = ${tradeNo}`,
  ).toEqual([{ state: 'canceled' }])
})

test('queries a pending payment every 60 s without limit', async () => {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'pending')
  for (let minutes = 1; minutes <= 3; minutes++) {
    fixture.context.clock.ahead = minutes * minute
    await queryPendingAttempts(fixture.context)
    await queryPendingAttempts(fixture.context)
  }
  expect(await fixture.events(tradeNo)).toEqual(['paymentStarted', 'paymentPending'])
})

test('an unreachable provider does not block other attempts', async () => {
  const [broken, lost] = [await fixture.create(), await fixture.create()]
  for (const tradeNo of [broken, lost]) await fixture.pay(tradeNo, 'lost')
  await fixture.sql`update payment_attempts set provider = 'gone' where trade_no = ${broken}`
  fixture.context.clock.ahead = minute
  await queryPendingAttempts(fixture.context)
  expect(await fixture.detail(lost)).toMatchObject({ transactionStatus: 2 })
  expect(await fixture.detail(broken)).toMatchObject({ transactionStatus: 1 })
})
