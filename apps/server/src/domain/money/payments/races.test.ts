import { hour } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { expireTrades } from '../trades/index.ts'
import { cancelPayment, closeTrade, resolvePayment } from './index.ts'

/** Runs two operations concurrently on separate connections, on many trades. */
const rounds = 60

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
  fixture = await createTradeFixture(database.sql)
})
afterAll(() => database.drop())

async function paying(): Promise<string> {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'pending')
  return tradeNo
}

/** Returns the status of the trade, its callbacks, and the captured and owed amounts. */
async function outcome(tradeNo: string) {
  const { transactionStatus } = await fixture.detail(tradeNo)
  const [row] = await fixture.sql<{ callbacks: number; taken: number; owed: number; ends: number }[]>`
    select
      (select count(*) from callbacks where trade_no = ${tradeNo}) as callbacks,
      (select coalesce(sum(s.amount), 0)::bigint from sandbox_payments s join payment_attempts using (attempt_id)
        where trade_no = ${tradeNo} and s.state = 'succeeded') as taken,
      (select coalesce(sum(amount), 0)::bigint from refunds where trade_no = ${tradeNo}) as owed,
      (select count(*) from trade_events where trade_no = ${tradeNo}
        and event in ('succeeded', 'failed', 'expired', 'canceled', 'closed')) as ends`
  return { transactionStatus, ...row! }
}

type Step = () => Promise<unknown>

test.each<[string, number, number[], (close: Step, confirm: Step) => Promise<unknown>]>([
  ['after a close is refunded', 1, [6], (close, confirm) => close().finally(confirm)],
  ['before a close decides', 1, [2], (close, confirm) => confirm().then(close)],
  [
    'racing a close ends in one state',
    rounds / 2,
    [2, 6],
    async (close, confirm) => (await Promise.all([close(), confirm()]))[0],
  ],
  [
    'racing two closes ends in one state',
    rounds / 2,
    [2, 6],
    async (close, confirm) => (await Promise.all([close(), confirm(), close()]))[0],
  ],
])('a confirm %s', async (_, rounds, statuses, run) => {
  for (let round = 0; round < rounds; round++) {
    const tradeNo = await paying()
    const close = () =>
      closeTrade(fixture.context, fixture.app, { tradeNo }).catch((error: { code: string }) => error.code)
    const confirm = () => resolvePayment(fixture.context, admin, { tradeNo, outcome: 'succeeded' })
    const closed = await run(close, confirm)
    const { transactionStatus, callbacks, taken, owed, ends } = await outcome(tradeNo)
    expect(statuses).toContain(transactionStatus)
    expect(ends).toBe(1)
    if (transactionStatus === 2) expect([closed, callbacks, taken, owed]).toEqual(['trade_not_processing', 1, 1250, 0])
    else expect([closed, callbacks, taken, owed]).toEqual([true, 0, 1250, 1250])
  }
})

test('accepts one of two concurrent payments and rejects the other with 23 or 20', async () => {
  for (let round = 0; round < rounds; round++) {
    const tradeNo = await fixture.create()
    const results = await Promise.all([fixture.pay(tradeNo, 'succeeded'), fixture.pay(tradeNo, 'succeeded')])
    expect(results.filter(({ status }) => status === 2)).toHaveLength(1)
    expect([20, 23]).toContain(results.find(({ status }) => status === 1)?.failCode)
    expect(await outcome(tradeNo)).toEqual({ transactionStatus: 2, callbacks: 1, taken: 1250, owed: 0, ends: 1 })
  }
})

test('rejects one of two concurrent pending payments with 23', async () => {
  const tradeNo = await fixture.create()
  const results = await Promise.all([1, 2, 3].map(() => fixture.pay(tradeNo, 'pending')))
  expect(results.filter(({ failCode }) => failCode === 23)).toHaveLength(2)
})

test('a payment racing a close is accepted, rejected or refunded', async () => {
  for (let round = 0; round < rounds; round++) {
    const tradeNo = await fixture.create()
    const [, result] = await Promise.all([
      closeTrade(fixture.context, fixture.app, { tradeNo }).catch(() => false),
      fixture.pay(tradeNo, 'succeeded'),
    ])
    const { transactionStatus, callbacks, taken, owed, ends } = await outcome(tradeNo)
    expect(ends).toBe(1)
    expect(taken - owed).toBe(transactionStatus === 2 ? 1250 : 0)
    expect(callbacks).toBe(transactionStatus === 2 ? 1 : 0)
    expect(result).toEqual(transactionStatus === 2 ? { status: 2 } : { status: 1, failCode: 22 })
  }
})

test('concurrent close, cancel and expiry end in one state', async () => {
  for (let round = 0; round < rounds; round++) {
    const tradeNo = await fixture.create()
    fixture.context.clock.ahead += 2 * hour - (round % 2)
    await Promise.all([
      closeTrade(fixture.context, fixture.app, { tradeNo }).catch(() => false),
      cancelPayment(fixture.context, fixture.payer, { tradeNo }),
      expireTrades(fixture.context),
      fixture.detail(tradeNo),
    ])
    const { transactionStatus, callbacks, ends } = await outcome(tradeNo)
    expect([ends, callbacks]).toEqual([1, transactionStatus === 6 ? 0 : 1])
    expect(round % 2 ? [5, 6] : [4]).toContain(transactionStatus)
  }
})
