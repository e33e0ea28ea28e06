import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { admin, type Stage, tradeStage } from '../../../test/tradeFixture.ts'
import { findTradeOfAnyApp } from '../trades/store.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { closeTrade, pay, reconcilePayments } from './index.ts'
import { orderOf } from './payWithFailover.ts'

let database: FreshDatabase
let stage: Stage

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  stage = await tradeStage(database.sql)
})

/** Pays in a process that is killed when it runs a statement or opens a transaction for which `at` is true. */
async function payAndDie(tradeNo: string, at: (statement: string, begins: number) => boolean): Promise<void> {
  let begins = 0
  const sql = new Proxy(stage.sql, {
    apply: (target, self, args) => {
      if (at(String(args[0]), begins)) throw new Error('killed')
      return Reflect.apply(target, self, args)
    },
    get: (target, name) => {
      if (name === 'begin' && at('', ++begins)) throw new Error('killed')
      return Reflect.get(target, name)
    },
  })
  const process = Object.assign(Object.create(stage.context), { sql })
  const dying = pay(process, admin, { tradeNo, uid: stage.payer.uid, outcome: 'succeeded' })
  await expect(dying).rejects.toThrow('killed')
}

const beforeTheProvider = (statement: string) => statement.includes('insert into sandbox_payments')
const beforeTheDoor = (_: string, begins: number) => begins === 2

test('a process that dies before the provider hears of the attempt: after 60 s the trade can be paid again', async () => {
  const tradeNo = await stage.create()
  await payAndDie(tradeNo, beforeTheProvider)
  expect(await stage.pay(tradeNo, 'succeeded')).toEqual({ status: 1, failCode: 23 })
  stage.context.clock.ahead = 59_999
  await reconcilePayments(stage.context)
  expect(await stage.pay(tradeNo, 'succeeded')).toEqual({ status: 1, failCode: 23 })
  stage.context.clock.ahead = 60_000
  await reconcilePayments(stage.context)
  expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
  expect(await stage.pay(tradeNo, 'succeeded')).toEqual({ status: 2 })
})

test('a process that dies with the provider’s answer in hand: the money is found by asking', async () => {
  const tradeNo = await stage.create()
  await payAndDie(tradeNo, beforeTheDoor)
  expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 1, payNo: null })
  stage.context.clock.ahead = 60_000
  await reconcilePayments(stage.context)
  expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 2, payNo: expect.stringMatching(/^SBX/) })
})

test('a payment that reaches the provider after the close is cancelled there', async () => {
  const tradeNo = await stage.create()
  await payAndDie(tradeNo, beforeTheProvider)
  expect(await closeTrade(stage.context, stage.app, { tradeNo })).toBe(true)
  const [row] = await stage.sql<{ attemptId: string }[]>`
    select attempt_id as "attemptId" from payment_attempts where trade_no = ${tradeNo}`
  const trade = (await findTradeOfAnyApp(stage.sql, tradeNo))!
  const order = orderOf(stage.context, trade, row!.attemptId, 3)
  await new SandboxProvider(stage.context, 'pending').create(order)
  stage.context.clock.ahead = 60_000
  await reconcilePayments(stage.context)
  const [payment] = await stage.sql`select state from sandbox_payments where attempt_id = ${order.attemptId}`
  expect(payment).toEqual({ state: 'canceled' })
  expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
})

test('a payment that stays pending is asked about once in 60 s, without end', async () => {
  const tradeNo = await stage.create()
  await stage.pay(tradeNo, 'pending')
  for (let minutes = 1; minutes <= 3; minutes++) {
    stage.context.clock.ahead = minutes * 60_000
    await reconcilePayments(stage.context)
    await reconcilePayments(stage.context)
  }
  expect(await stage.story(tradeNo)).toEqual(['paymentStarted', 'paymentPending'])
})

test('a provider that cannot be asked holds up no other attempt', async () => {
  const [broken, lost] = [await stage.create(), await stage.create()]
  for (const tradeNo of [broken, lost]) await stage.pay(tradeNo, 'lost')
  await stage.sql`update payment_attempts set provider = 'gone' where trade_no = ${broken}`
  stage.context.clock.ahead = 60_000
  await reconcilePayments(stage.context)
  expect(await stage.detail(lost)).toMatchObject({ transactionStatus: 2 })
  expect(await stage.detail(broken)).toMatchObject({ transactionStatus: 1 })
})
