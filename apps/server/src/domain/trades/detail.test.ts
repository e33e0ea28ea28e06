import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { admin, hour, type Stage, tradeStage } from '../../../test/tradeFixture.ts'
import { updateApp } from '../apps/index.ts'
import { getTrade, showTrade, tradeDetail } from './index.ts'

let database: FreshDatabase
let stage: Stage

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  stage = await tradeStage(database.sql)
})

test('before an attempt the payment fields are null, after it they are the attempt’s', async () => {
  const tradeNo = await stage.create({ amount: 120_005, description: 'Two teas' })
  expect(await stage.detail(tradeNo)).toMatchObject({
    appId: stage.app.app.appid,
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
  await stage.pay(tradeNo, 'succeeded')
  expect(await stage.detail(tradeNo)).toMatchObject({
    payType: 2,
    payNo: expect.stringMatching(/^SBX/),
    payMethod: 3,
    transactionStatus: 2,
  })
})

test('the merchant’s name and logo are those of now', async () => {
  const tradeNo = await stage.create()
  const { appid } = stage.app.app
  const merchant = { merchantName: 'Tea House LLC', merchantLogoUrl: 'https://tea.example/logo.png' }
  await updateApp(stage.context, admin, { appid, ...merchant })
  const caller = { ...stage.app, app: (await stage.context.apps.find(appid))! }
  expect(await tradeDetail(stage.context, caller, { tradeNo })).toMatchObject(merchant)
  expect(await showTrade(stage.context, stage.payer, { tradeNo })).toMatchObject(merchant)
})

test('tradeNo is matched whatever its case', async () => {
  const tradeNo = await stage.create()
  expect((await stage.detail(tradeNo.toUpperCase())).tradeNo).toBe(tradeNo)
})

test('an unknown trade and another app’s are refused with the same words', async () => {
  const other = await tradeStage(database.sql)
  const foreign = await other.create()
  const refusals = [foreign, '0'.repeat(32)].map((tradeNo) => stage.detail(tradeNo).catch((error) => error))
  const [first, second] = await Promise.all(refusals)
  expect(first).toMatchObject({ code: 'trade_not_found', status: 404 })
  expect({ ...first, message: first.message }).toEqual({ ...second, message: second.message })
})

test('a trade is shown to its payer and to nobody else', async () => {
  const tradeNo = await stage.create()
  expect((await showTrade(stage.context, stage.payer, { tradeNo })).tradeNo).toBe(tradeNo)
  await expect(showTrade(stage.context, stage.stranger, { tradeNo })).rejects.toMatchObject({ code: 'trade_not_found' })
})

test('a trade whose time has come is expired before it is shown, and its callback is on its way', async () => {
  const tradeNo = await stage.create()
  stage.context.clock.ahead = 2 * hour - 1
  expect((await stage.detail(tradeNo)).transactionStatus).toBe(1)
  stage.context.clock.ahead = 2 * hour
  const seen = await Promise.all([stage.detail(tradeNo), stage.detail(tradeNo), stage.detail(tradeNo)])
  for (const trade of seen) expect(trade).toMatchObject({ transactionStatus: 4, failReasonType: 21 })
  expect(await stage.sql`select state from callbacks where trade_no = ${tradeNo}`).toEqual([{ state: 'pending' }])
})

test('the operator sees the story of a trade, oldest first', async () => {
  const tradeNo = await stage.create()
  await stage.pay(tradeNo, 'pending')
  const { trade, events } = await getTrade(stage.context, admin, { tradeNo })
  expect(trade.tradeNo).toBe(tradeNo)
  expect(events).toEqual([
    { time: trade.ctime, event: 'paymentStarted', detail: expect.objectContaining({ payType: 2, payMethod: 3 }) },
    { time: trade.ctime, event: 'paymentPending', detail: expect.objectContaining({ payNo: trade.payNo }) },
  ])
  await expect(getTrade(stage.context, admin, { tradeNo: '0'.repeat(32) })).rejects.toMatchObject({ status: 404 })
})
