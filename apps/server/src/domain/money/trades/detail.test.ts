import { hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { updateApp } from '../../miniApps/index.ts'
import { getTrade, showTrade, tradeDetail } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

test('payment fields are null before the first attempt, then those of the attempt', async () => {
  const tradeNo = await fixture.create({ amount: 120_005, description: 'Two teas' })
  expect(await fixture.detail(tradeNo)).toMatchObject({
    appId: fixture.app.app.appid,
    amount: 120_005,
    amountStrWithYuan: '1200.05',
    description: 'Two teas',
    payType: null,
    payNo: null,
    payMethod: null,
    notifySuccess: null,
    transactionFlow: 2,
    transactionStatus: 1,
  })
  await fixture.pay(tradeNo, 'succeeded')
  expect(await fixture.detail(tradeNo)).toMatchObject({
    payType: 2,
    payNo: expect.stringMatching(/^SBX/),
    payMethod: 3,
    transactionStatus: 2,
  })
})

test('shows the merchant’s current name and logo', async () => {
  const tradeNo = await fixture.create()
  const { appid } = fixture.app.app
  const merchant = { merchantName: 'Tea House LLC', merchantLogoUrl: 'https://tea.example/logo.png' }
  await updateApp(fixture.context, admin, { appid, ...merchant })
  const caller = { ...fixture.app, app: (await fixture.context.apps.find(appid))! }
  expect(await tradeDetail(fixture.context, caller, { tradeNo })).toMatchObject(merchant)
  expect(await showTrade(fixture.context, fixture.payer, { tradeNo })).toMatchObject(merchant)
})

test('finds a tradeNo in any case', async () => {
  const tradeNo = await fixture.create()
  expect((await fixture.detail(tradeNo.toUpperCase())).tradeNo).toBe(tradeNo)
})

test('concurrent queries get their own trades', async () => {
  const other = await createTradeFixture(database.sql)
  const [first, second, foreign] = [await fixture.create(), await fixture.create(), await other.create()]
  const queried = await Promise.allSettled([
    fixture.detail(second),
    fixture.detail(foreign),
    other.detail(foreign),
    fixture.detail(first),
    fixture.detail(second),
  ])
  expect(queried).toMatchObject([
    { value: { tradeNo: second } },
    { reason: { code: 'trade_not_found' } },
    { value: { tradeNo: foreign } },
    { value: { tradeNo: first } },
    { value: { tradeNo: second } },
  ])
})

test('responds the same to an unknown trade and to one of another app', async () => {
  const other = await createTradeFixture(database.sql)
  const foreign = await other.create()
  const refusals = [foreign, '0'.repeat(32)].map((tradeNo) => fixture.detail(tradeNo).catch((error) => error))
  const [first, second] = await Promise.all(refusals)
  expect(first).toMatchObject({ code: 'trade_not_found', status: 404 })
  expect({ ...first, message: first.message }).toEqual({ ...second, message: second.message })
})

test('shows a trade to its payer only', async () => {
  const tradeNo = await fixture.create()
  expect((await showTrade(fixture.context, fixture.payer, { tradeNo })).tradeNo).toBe(tradeNo)
  await expect(showTrade(fixture.context, fixture.otherUser, { tradeNo })).rejects.toMatchObject({
    code: 'trade_not_found',
  })
})

test('expires a due trade before showing it, and queues its callback', async () => {
  const tradeNo = await fixture.create()
  fixture.context.clock.ahead = 2 * hour - 1
  expect((await fixture.detail(tradeNo)).transactionStatus).toBe(1)
  fixture.context.clock.ahead = 2 * hour
  const seen = await Promise.all([fixture.detail(tradeNo), fixture.detail(tradeNo), fixture.detail(tradeNo)])
  for (const trade of seen) expect(trade).toMatchObject({ transactionStatus: 4, failReasonType: 21 })
  expect(await fixture.sql`select state from callbacks where trade_no = ${tradeNo}`).toEqual([{ state: 'pending' }])
})

test('lists the events of a trade, oldest first', async () => {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'pending')
  const { trade, events } = await getTrade(fixture.context, admin, { tradeNo })
  expect(trade.tradeNo).toBe(tradeNo)
  expect(events).toEqual([
    { time: trade.ctime, event: 'paymentStarted', detail: expect.objectContaining({ payType: 2, payMethod: 3 }) },
    { time: trade.ctime, event: 'paymentPending', detail: expect.objectContaining({ payNo: trade.payNo }) },
  ])
  await expect(getTrade(fixture.context, admin, { tradeNo: '0'.repeat(32) })).rejects.toMatchObject({ status: 404 })
})
