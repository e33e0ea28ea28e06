import { hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { newId } from '../../../kernel/id.ts'
import { getTradeStory } from '../../operations/index.ts'
import { closeTrade, resolvePayment } from '../payments/index.ts'
import { searchTrades, tradeTotals } from '../trades/index.ts'
import { addUpLedger, ledgerBalances, refundTrade, returnOwedMoney, searchRefunds } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture
let projectId: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
  projectId = fixture.app.app.projectId
})

const refund = (tradeNo: string, input: { amount?: number; refundNo?: string } = {}) =>
  refundTrade(fixture.context, admin, { tradeNo, note: 'Sent twice', ...input })

async function paid(): Promise<string> {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'succeeded')
  return tradeNo
}

/** Returns the amount that the sandbox provider has refunded of a trade, cents. */
async function refundedAmounts(tradeNo: string): Promise<number[]> {
  const rows = await fixture.sql<{ amount: number }[]>`
    select value::bigint as amount from payment_attempts join sandbox_payments using (attempt_id), jsonb_each_text(refunds)
    where trade_no = ${tradeNo} order by key`
  return rows.map(({ amount }) => amount)
}

const balances = () => ledgerBalances(fixture.context, admin, { projectId, appid: fixture.app.app.appid })

test('refunds at the provider, and the trade stays succeeded', async () => {
  const tradeNo = await paid()
  expect(await refund(tradeNo, { amount: 400 })).toMatchObject({
    amount: 400,
    state: 'owed',
    initiator: 'operator',
    reason: 'requested',
  })
  expect(await balances()).toMatchObject([{ captured: 1250, refunded: 400, balance: 850, returning: 400 }])
  await fixture.returnOwedMoney()
  expect(await refundedAmounts(tradeNo)).toEqual([400])
  expect(await balances()).toMatchObject([{ captured: 1250, refunded: 400, balance: 850, returning: 0 }])
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2, transactionFlow: 2 })
  expect(await fixture.events(tradeNo)).toEqual(['paymentStarted', 'succeeded', 'moneyRefundAsked', 'moneyReturned'])
  expect((await getTradeStory(fixture.context, admin, { tradeNo })).refunds).toMatchObject([{ state: 'returned' }])
})

test('balances contain all entries, also those from before balances were kept', async () => {
  await refund(await paid(), { amount: 400 })
  // As if the trigger had been added between the two payments.
  await fixture.sql`truncate ledger_balances, ledger_changes, ledger_progress`
  await paid()
  await expect(balances()).rejects.toMatchObject({ code: 'balances_incomplete' })
  expect(await fixture.sql`select from ledger_progress`).toEqual([])
  await Promise.all([addUpLedger(fixture.context), paid(), addUpLedger(fixture.context)])
  const all = [{ captured: 3750, refunded: 400, balance: 3350, returning: 400 }]
  expect(await balances()).toMatchObject(all)
  await addUpLedger(fixture.context)
  expect(await fixture.sql`select from ledger_changes`).toEqual([])
  expect(await balances()).toMatchObject(all)
})

test('many refunds leave room for other jobs', async () => {
  await fixture.sql`delete from graphile_worker._private_jobs`
  const tradeNos = await Promise.all(Array.from({ length: 40 }, paid))
  for (const tradeNo of tradeNos) await refund(tradeNo)
  const jobs = await fixture.sql<{ queue: number | null }[]>`
    select job_queue_id as queue from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'returnMoney'`
  expect(jobs).toHaveLength(40)
  const queues = new Set(jobs.map(({ queue }) => queue))
  expect(queues).not.toContain(null)
  expect(queues.size).toBeLessThanOrEqual(16)
})

test('refunds the remaining amount by default and rejects more', async () => {
  const tradeNo = await paid()
  await refund(tradeNo, { amount: 1000 })
  await expect(refund(tradeNo, { amount: 251 })).rejects.toMatchObject({
    code: 'refund_too_large',
    data: { left: 250 },
  })
  expect(await refund(tradeNo)).toMatchObject({ amount: 250 })
  await expect(refund(tradeNo)).rejects.toMatchObject({ code: 'refund_too_large' })
  await fixture.returnOwedMoney()
  expect((await refundedAmounts(tradeNo)).reduce((a, b) => a + b)).toBe(1250)
})

test('ten concurrent refunds never exceed the payment', async () => {
  const tradeNo = await paid()
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => refund(tradeNo, { amount: 500 })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  await fixture.returnOwedMoney()
  expect(await refundedAmounts(tradeNo)).toEqual([500, 500])
})

test('returns the existing refund for a repeated refundNo, and rejects another amount or trade', async () => {
  const [tradeNo, other] = [await paid(), await paid()]
  const refundNo = newId()
  const first = await refund(tradeNo, { amount: 300, refundNo })
  expect(await refund(tradeNo, { amount: 300, refundNo })).toEqual(first)
  expect(await refund(tradeNo, { refundNo })).toEqual(first)
  await expect(refund(tradeNo, { amount: 301, refundNo })).rejects.toMatchObject({ code: 'refund_conflict' })
  await expect(refund(other, { amount: 300, refundNo })).rejects.toMatchObject({ code: 'refund_conflict' })
  await fixture.returnOwedMoney()
  await fixture.returnOwedMoney()
  expect(await refundedAmounts(tradeNo)).toEqual([300])
})

test('creates one refund for ten concurrent requests with one refundNo', async () => {
  const tradeNo = await paid()
  const refundNo = newId()
  const results = await Promise.all(Array.from({ length: 10 }, () => refund(tradeNo, { amount: 100, refundNo })))
  expect(new Set(results.map((each) => each.refundNo))).toEqual(new Set([refundNo]))
  await fixture.returnOwedMoney()
  expect(await refundedAmounts(tradeNo)).toEqual([100])
})

test('a refundNo sent for two trades at once refunds one of them', async () => {
  for (let round = 0; round < 5; round++) {
    const [trades, refundNo] = [[await paid(), await paid()], newId()]
    const results = await Promise.allSettled(trades.map((tradeNo) => refund(tradeNo, { amount: 100, refundNo })))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'refund_conflict' } })
  }
})

test('a refund that the provider rejects belongs to the merchant again and can be repeated', async () => {
  const tradeNo = await paid()
  await fixture.sql`update sandbox_payments set state = 'canceled' where attempt_id in (
    select attempt_id from payment_attempts where trade_no = ${tradeNo})`
  await refund(tradeNo)
  await fixture.returnOwedMoney()
  const [refused] = (await getTradeStory(fixture.context, admin, { tradeNo })).refunds
  expect(refused).toMatchObject({ state: 'refused', refusal: 'the payment is canceled' })
  expect(await balances()).toMatchObject([{ refunded: 0, balance: 1250, returning: 0 }])
  expect(await refund(tradeNo)).toMatchObject({ amount: 1250 })
})

test('retries owed refunds that the queue has dropped', async () => {
  await fixture.sql`delete from graphile_worker._private_jobs`
  const [returned, lost] = [await paid(), await paid()]
  await refund(returned)
  await fixture.returnOwedMoney()
  await refund(lost)
  await fixture.sql`delete from graphile_worker._private_jobs`
  await returnOwedMoney(fixture.context)
  await fixture.returnOwedMoney()
  expect(await refundedAmounts(lost)).toEqual([])
  fixture.context.clock.ahead = hour + 1
  for (let run = 0; run < 3; run++) await returnOwedMoney(fixture.context)
  const { appid } = fixture.app.app
  const jobs = await fixture.sql`select from graphile_worker._private_jobs where payload ->> 'appid' = ${appid}`
  expect(jobs).toHaveLength(1)
  await fixture.returnOwedMoney()
  expect(await refundedAmounts(lost)).toEqual([1250])
})

test('rejects refunds of trades that have not succeeded', async () => {
  const tradeNo = await fixture.create()
  await expect(refund(tradeNo)).rejects.toMatchObject({ code: 'trade_not_refundable' })
  await fixture.pay(tradeNo, 'pending')
  await closeTrade(fixture.context, fixture.app, { tradeNo })
  await resolvePayment(fixture.context, admin, { tradeNo, outcome: 'succeeded' })
  await expect(refund(tradeNo)).rejects.toMatchObject({ code: 'trade_not_refundable' })
  await expect(refund(newId())).rejects.toMatchObject({ code: 'trade_not_found' })
})

test('lists refunds by operators and of unapplied payments, newest first', async () => {
  const late = await fixture.create()
  await fixture.pay(late, 'pending')
  await closeTrade(fixture.context, fixture.app, { tradeNo: late })
  await resolvePayment(fixture.context, admin, { tradeNo: late, outcome: 'succeeded' })
  fixture.context.clock.ahead += 1
  const tradeNo = await paid()
  await refund(tradeNo, { amount: 1 })
  const search = (input: object = {}) =>
    searchRefunds(fixture.context, admin, { projectId, appid: fixture.app.app.appid, ...input })
  expect((await search()).items).toMatchObject([
    { tradeNo, initiator: 'operator', amount: 1 },
    { tradeNo: late, initiator: 'system', amount: 1250, reason: 'tradeFinal', note: 'the trade is closed' },
  ])
  const first = await search({ limit: 1 })
  expect((await search({ limit: 1, cursor: first.next })).items).toMatchObject([{ tradeNo: late }])
  expect((await search({ initiator: 'system' })).items).toHaveLength(1)
  expect((await search({ state: 'returned' })).items).toEqual([])
})

test('rejects every update and deletion of ledger entries', async () => {
  const tradeNo = await paid()
  for (const statement of [
    `update ledger_entries set amount = 1 where trade_no = '${tradeNo}'`,
    `delete from ledger_entries where trade_no = '${tradeNo}'`,
    'truncate ledger_entries',
  ]) {
    await expect(fixture.sql.unsafe(statement)).rejects.toThrow('never changed or deleted')
  }
  expect(await fixture.sql`select amount from ledger_entries where trade_no = ${tradeNo}`).toEqual([{ amount: 1250 }])
})

test('trades are listed and summed up less what was refunded, and found by how far they were', async () => {
  const { appid } = fixture.app.app
  const [full, partial, whole] = [await paid(), await paid(), await paid()]
  const declined = await fixture.create()
  await fixture.pay(declined, 'failed:27')
  await refund(full)
  await refund(partial, { amount: 400 })
  await refund(partial, { amount: 50 })
  const search = async (input: Partial<Parameters<typeof searchTrades>[2]> = {}) => {
    const { items, total } = await searchTrades(fixture.context, admin, { projectId, appid, total: true, ...input })
    return { total, refunded: Object.fromEntries(items.map((trade) => [trade.tradeNo, trade.refundedAmount])) }
  }
  expect(await search()).toEqual({
    refunded: { [full]: 1250, [partial]: 450, [whole]: 0, [declined]: 0 },
    total: { count: 4, isCapped: false, amounts: [{ currency: 'SAR', amount: 2050 }] },
  })
  expect((await search({ refund: 'full' })).refunded).toEqual({ [full]: 1250 })
  expect(await search({ refund: 'partial', status: [2], text: partial.slice(0, 12), sort: '-amount' })).toMatchObject({
    refunded: { [partial]: 450 },
    total: { count: 1, amounts: [{ amount: 800 }] },
  })
  expect((await search({ refund: 'partial', status: [3] })).refunded).toEqual({})
  const { rows } = await tradeTotals(fixture.context, admin, { projectId, appid })
  expect(rows).toMatchObject([
    { transactionStatus: 2, count: 3, amount: 2050, refundedAmount: 1700 },
    { transactionStatus: 3, count: 1, amount: 1250, refundedAmount: 0 },
  ])
  const { items } = await searchTrades(fixture.context, admin, { projectId, appid, limit: 1 })
  expect(items).toMatchObject([{ appName: 'Tea House', payerName: 'Layla' }])

  // A refund that the provider rejected counts no longer.
  await fixture.sql`update refunds set state = 'refused' where trade_no = ${full}`
  expect((await search({ refund: 'full' })).refunded).toEqual({})
})
