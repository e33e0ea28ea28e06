import { day, hour, minute, type SoukError, verifyCallback, verifyRefundCallback } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { newId } from '../../../kernel/id.ts'
import { getTradeStory } from '../../operations/index.ts'
import { deliverDueCallbacks, listCallbacks, replayCallback, searchCallbacks } from '../callbacks/index.ts'
import { ledgerBalances, refundDetail, refundTrade, requestRefund, returnMoney, searchRefunds } from './index.ts'
import { recordFailedRefund } from './returnMoney.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

type Input = Partial<Parameters<typeof requestRefund>[2]>

const request = (tradeNo: string, input: Input = {}) =>
  requestRefund(fixture.context, fixture.app, { tradeNo, outRefundNo: 'refund-1', amount: 400, ...input })
const detail = (refundNo: string) => refundDetail(fixture.context, fixture.app, { refundNo })

async function paid(amount = 1250): Promise<string> {
  const tradeNo = await fixture.create({ amount })
  await fixture.pay(tradeNo, 'succeeded')
  return tradeNo
}

/** Returns the refunds of a trade, as the sandbox provider has made them: cents by refundNo. */
async function refundsAtProvider(tradeNo: string): Promise<Record<string, number>> {
  const [row] = await fixture.sql<{ refunds: Record<string, number> }[]>`
    select refunds from payment_attempts join sandbox_payments using (attempt_id) where trade_no = ${tradeNo}`
  return row!.refunds
}

const balance = async () => {
  const { projectId, appid } = fixture.app.app
  const [found] = await ledgerBalances(fixture.context, admin, { projectId, appid })
  return found!
}

test('refunds a part of a trade, and then the rest', async () => {
  const tradeNo = await paid()
  const { refundNo, outRefundNo } = await request(tradeNo, { reason: 'One glass was cold' })
  expect(outRefundNo).toBe('refund-1')
  const { outTradeNo, merchantId } = await fixture.detail(tradeNo)
  const expected = {
    refundNo,
    outRefundNo: 'refund-1',
    tradeNo,
    outTradeNo,
    appId: fixture.app.app.appid,
    merchantId,
    reason: 'One glass was cold',
    amount: 400,
    amountStrWithYuan: '4.00',
    currency: 'SAR',
    openId: fixture.openId,
    transactionFlow: 1,
    failReason: null,
    ctime: fixture.context.clock.now(),
  }
  expect(await detail(refundNo)).toEqual({ ...expected, refundStatus: 1, mtime: expected.ctime })
  expect(await balance()).toMatchObject({ captured: 1250, refunded: 400, balance: 850, returning: 400 })
  await fixture.returnOwedMoney()
  expect(await detail(refundNo.toUpperCase())).toMatchObject({ ...expected, refundStatus: 2 })
  expect(await balance()).toMatchObject({ refunded: 400, balance: 850, returning: 0 })

  const rest = await request(tradeNo, { outRefundNo: 'refund-2', amount: 850 })
  await fixture.returnOwedMoney()
  expect(await refundsAtProvider(tradeNo)).toEqual({ [refundNo]: 400, [rest.refundNo]: 850 })
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2, transactionFlow: 2 })
  await expect(request(tradeNo, { outRefundNo: 'refund-3', amount: 1 })).rejects.toMatchObject({
    code: 'refund_too_large',
    data: { left: 0 },
  })
})

test('operators see who has requested it, and their own refunds count as well', async () => {
  const { projectId, appid } = fixture.app.app
  const tradeNo = await paid()
  const { refundNo } = await request(tradeNo)
  const own = await refundTrade(fixture.context, admin, { tradeNo, note: 'Goodwill', amount: 800 })
  await expect(request(tradeNo, { outRefundNo: 'refund-2', amount: 51 })).rejects.toMatchObject({
    code: 'refund_too_large',
    data: { left: 50 },
  })
  const { refunds, timeline } = await getTradeStory(fixture.context, admin, { tradeNo })
  const byNumber = new Map(refunds.map((refund) => [refund.refundNo, refund]))
  expect(byNumber.get(refundNo)).toMatchObject({ initiator: 'backend', outRefundNo: 'refund-1', note: '' })
  expect(byNumber.get(own.refundNo)).toMatchObject({ initiator: 'operator', outRefundNo: null })
  expect(timeline.filter(({ event }) => event === 'moneyRefundAsked').map((entry) => entry.detail)).toMatchObject([
    { outRefundNo: 'refund-1' },
    { reason: 'Goodwill' },
  ])
  const found = async (initiator: 'operator' | 'backend' | 'system') => {
    const { items } = await searchRefunds(fixture.context, admin, { projectId, appid, initiator })
    return items.map((item) => [item.refundNo, item.initiator])
  }
  expect(await found('backend')).toEqual([[refundNo, 'backend']])
  expect(await found('operator')).toEqual([[own.refundNo, 'operator']])
  expect(await found('system')).toEqual([])
  // The refundNo of a backend's refund is not an idempotency key of operators.
  const repeated = refundTrade(fixture.context, admin, { tradeNo, note: '', amount: 400, refundNo })
  await expect(repeated).rejects.toMatchObject({ code: 'refund_conflict' })
})

describe('a repeated outRefundNo', () => {
  test('gets the same answer in any state of the refund, and refunds once', async () => {
    const tradeNo = await paid()
    const first = await request(tradeNo, { reason: 'Cold' })
    expect(await request(tradeNo.toUpperCase(), { reason: 'Cold', notifyUrl: '' })).toEqual(first)
    await fixture.returnOwedMoney()
    expect(await request(tradeNo, { reason: 'Cold' })).toEqual(first)
    await fixture.sql`update refunds set state = 'refused' where refund_no = ${first.refundNo}`
    expect(await request(tradeNo, { reason: 'Cold' })).toEqual(first)
    expect(await refundsAtProvider(tradeNo)).toEqual({ [first.refundNo]: 400 })
  })

  test('with other content is an error that names what differs', async () => {
    const [tradeNo, other] = [await paid(), await paid()]
    const notifyUrl = 'https://shop.example/refunds'
    const { refundNo } = await request(tradeNo, { reason: 'Cold', notifyUrl })
    const differing = async (input: Input, of = tradeNo) => {
      const repeated = request(of, { reason: 'Cold', notifyUrl, ...input })
      const error = await repeated.then(
        () => undefined,
        (thrown: SoukError) => thrown,
      )
      expect(error?.code).toBe('out_refund_no_conflict')
      return error?.data?.parameters
    }
    expect(await differing({ amount: 401 })).toEqual(['amount'])
    expect(await differing({ reason: 'Warm' })).toEqual(['reason'])
    expect(await differing({ notifyUrl: '' })).toEqual(['notifyUrl'])
    expect(await differing({}, other)).toEqual(['tradeNo'])
    expect(await differing({ amount: 2000, reason: '' }, other)).toEqual(['tradeNo', 'amount', 'reason'])
    await fixture.returnOwedMoney()
    expect(await refundsAtProvider(tradeNo)).toEqual({ [refundNo]: 400 })
    expect(await refundsAtProvider(other)).toEqual({})
  })

  test('is another one under another merchant', async () => {
    const tradeNo = await paid()
    const first = await request(tradeNo)
    const own = fixture
    fixture = await createTradeFixture(database.sql)
    const second = await request(await paid())
    expect(second.refundNo).not.toBe(first.refundNo)
    await expect(detail(first.refundNo)).rejects.toMatchObject({ code: 'refund_not_found' })
    await expect(request(tradeNo)).rejects.toMatchObject({ code: 'trade_not_found' })
    fixture = own
    expect(await detail(first.refundNo)).toMatchObject({ refundStatus: 1 })
  })
})

describe('at once', () => {
  test('ten identical requests make one refund and get its number', async () => {
    const tradeNo = await paid()
    const results = await Promise.all(Array.from({ length: 10 }, () => request(tradeNo)))
    const numbers = new Set(results.map(({ refundNo }) => refundNo))
    expect(numbers.size).toBe(1)
    await fixture.returnOwedMoney()
    expect(await refundsAtProvider(tradeNo)).toEqual({ [[...numbers][0]!]: 400 })
  })

  test('two refunds of more than what is left: one is made', async () => {
    for (let round = 0; round < 5; round++) {
      const tradeNo = await paid()
      const both = [0, 1].map((index) => request(tradeNo, { outRefundNo: `${round}-${index}`, amount: 700 }))
      const results = await Promise.allSettled(both)
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const rejected = results.find(({ status }) => status === 'rejected')
      expect(rejected).toMatchObject({ reason: { code: 'refund_too_large', data: { left: 550 } } })
      await fixture.returnOwedMoney()
      expect(Object.values(await refundsAtProvider(tradeNo))).toEqual([700])
    }
  })

  test('an operator and the backend never refund more than was paid', async () => {
    const tradeNo = await paid()
    const results = await Promise.allSettled([
      request(tradeNo, { amount: 1250 }),
      refundTrade(fixture.context, admin, { tradeNo, note: 'Goodwill', amount: 1250 }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await balance()).toMatchObject({ refunded: 1250, balance: 0 })
  })

  test('one outRefundNo for two trades refunds one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const trades = [await paid(), await paid()]
      const results = await Promise.allSettled(
        trades.map((tradeNo) => request(tradeNo, { outRefundNo: `round-${round}` })),
      )
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'out_refund_no_conflict', data: { parameters: ['tradeNo'] } },
      })
    }
  })
})

test('only succeeded trades of the mini app are refunded, with an acceptable notifyUrl', async () => {
  const open = await fixture.create()
  await expect(request(open)).rejects.toMatchObject({ code: 'trade_not_refundable' })
  await expect(request(newId())).rejects.toMatchObject({ code: 'trade_not_found' })
  const tradeNo = await paid()
  await expect(request(tradeNo, { amount: 1251 })).rejects.toMatchObject({ code: 'refund_too_large' })
  for (const notifyUrl of ['https://shop.example/?a=b', 'http://shop.example/', 'https://10.0.0.1/', 'refunds']) {
    await expect(request(tradeNo, { notifyUrl })).rejects.toMatchObject({ code: 'notify_url_refused' })
  }
  // A request that was refused leaves its outRefundNo free.
  expect(await request(tradeNo)).toMatchObject({ outRefundNo: 'refund-1' })
})

test('only refunds by the backend are found', async () => {
  const tradeNo = await paid()
  const { refundNo } = await refundTrade(fixture.context, admin, { tradeNo, note: 'Goodwill' })
  for (const number of [refundNo, newId()]) {
    await expect(detail(number)).rejects.toMatchObject({ code: 'refund_not_found' })
  }
})

describe('the callback', () => {
  const notifyUrl = 'http://localhost:8080/refunds'
  const deliver = () => deliverDueCallbacks(fixture.context)

  /** Returns the callbacks of refunds that the merchant's server has received, verified. */
  const received = () =>
    fixture.received
      .filter(({ url }) => url === notifyUrl)
      .map(({ body }) => {
        const verdict = verifyRefundCallback(body, [fixture.secret], { now: fixture.context.clock.real() })
        if (!verdict.ok) throw new Error(verdict.reason)
        return verdict.callback
      })

  test('tells the notifyUrl of the refund the result, signed like that of a payment', async () => {
    const tradeNo = await paid()
    await deliver()
    const { refundNo } = await request(tradeNo, { notifyUrl, reason: 'Cold' })
    await fixture.returnOwedMoney()
    await fixture.returnOwedMoney()
    await deliver()
    const { outTradeNo, merchantId, notifySuccess } = await fixture.detail(tradeNo)
    const { timestamp, notifyId, sign: _, ...callback } = received()[0]!
    expect(received()).toHaveLength(1)
    expect(callback).toEqual({
      notifyTime: fixture.context.clock.now(),
      appid: fixture.app.app.appid,
      merchantId,
      tradeNo,
      outTradeNo,
      refundNo,
      outRefundNo: 'refund-1',
      refundStatus: 2,
      failReason: null,
      amount: 400,
      currency: 'SAR',
      openId: fixture.openId,
    })
    expect(timestamp).toBe(fixture.context.clock.real())
    expect(fixture.received.at(-1)!.headers).toMatchObject({ 'webhook-id': notifyId })
    expect(notifySuccess).toBe(true)
    // A receiver of payment results does not accept it.
    const { body } = fixture.received.at(-1)!
    expect(verifyCallback(body, [fixture.secret], { now: fixture.context.clock.real() })).toMatchObject({
      ok: false,
      code: 'callback_malformed',
      reason: 'transactionStatus is missing',
    })
  })

  test('is retried and listed like that of a payment, whose notifySuccess it does not change', async () => {
    const { appid, projectId } = fixture.app.app
    const tradeNo = await paid()
    await deliver()
    const { refundNo } = await request(tradeNo, { notifyUrl })
    await fixture.returnOwedMoney()
    Object.assign(fixture.callbackResult, { status: 500 })
    await deliver()
    fixture.context.clock.ahead += 15_000
    await deliver()
    expect(received()).toHaveLength(2)
    expect(new Set(received().map(({ notifyId }) => notifyId)).size).toBe(1)
    expect(await fixture.detail(tradeNo)).toMatchObject({ notifySuccess: true })
    const story = await getTradeStory(fixture.context, admin, { tradeNo })
    const [ofRefund, ofPayment] = story.callbacks
    expect(story.callbacks).toHaveLength(2)
    expect(ofRefund).toMatchObject({ refundNo, transactionStatus: 2, state: 'pending', attempts: [{}, {}] })
    expect(ofPayment).toMatchObject({ refundNo: null, transactionStatus: 2, state: 'delivered' })
    const { items } = await searchCallbacks(fixture.context, admin, { projectId, appid, state: 'failing' })
    expect(items).toMatchObject([{ refundNo, tradeNo, transactionStatus: 2 }])
    const listed = await listCallbacks(fixture.context, admin, { appid, tradeNo })
    expect(listed).toEqual(story.callbacks.map(({ fields: _, ...callback }) => callback))
    const found = await searchCallbacks(fixture.context, admin, { projectId, appid, tradeNo, text: tradeNo })
    expect(found.items).toMatchObject([{ refundNo }, { refundNo: null }])
    Object.assign(fixture.callbackResult, { status: 200 })
    await replayCallback(fixture.context, admin, { notifyId: ofRefund!.notifyId })
    expect((await getTradeStory(fixture.context, admin, { tradeNo })).callbacks[0]).toMatchObject({
      state: 'delivered',
    })
  })

  test('says that a refund was declined, and why', async () => {
    const tradeNo = await paid(100_000)
    await request(tradeNo, { amount: 90201, notifyUrl })
    await fixture.returnOwedMoney()
    await deliver()
    expect(received()).toMatchObject([{ refundStatus: 3, failReason: 'the sandbox declines refunds of this amount' }])
  })

  test('is sent again, as another one, if the money of a refund comes back', async () => {
    const tradeNo = await paid()
    const { refundNo } = await request(tradeNo, { notifyUrl })
    await fixture.returnOwedMoney()
    const [attempt] = await fixture.sql<Parameters<typeof recordFailedRefund>[1][]>`
      select * from payment_attempts where trade_no = ${tradeNo}`
    const failed = { refundNo, reason: 'the account\nis closed' }
    for (let twice = 0; twice < 2; twice++) await recordFailedRefund(fixture.context, attempt!, failed)
    await deliver()
    expect(received().map(({ refundStatus, failReason }) => [refundStatus, failReason])).toEqual([
      [2, null],
      [3, 'the account is closed'],
    ])
    expect(new Set(received().map(({ notifyId }) => notifyId)).size).toBe(2)
    expect(await detail(refundNo)).toMatchObject({ refundStatus: 3, failReason: 'the account is closed' })
    expect((await getTradeStory(fixture.context, admin, { tradeNo })).callbacks).toHaveLength(3)
    expect(await balance()).toMatchObject({ refunded: 0, balance: 1250 })
  })

  test('is not sent without a notifyUrl', async () => {
    await request(await paid())
    await fixture.returnOwedMoney()
    await deliver()
    expect(fixture.received.map(({ url }) => url)).toEqual(['http://localhost:8080/notify'])
  })
})

describe('the sandbox provider', () => {
  /** Runs the job that makes a refund, like the worker, which repeats it after an error. */
  const run = async (tradeNo: string, refundNo: string) =>
    returnMoney(fixture.context, { appid: fixture.app.app.appid, tradeNo, refundNo })

  test('declines a refund: its money belongs to the merchant again, and another outRefundNo can be requested', async () => {
    const tradeNo = await paid(100_000)
    const { refundNo } = await request(tradeNo, { amount: 90201 })
    await run(tradeNo, refundNo)
    expect(await detail(refundNo)).toMatchObject({
      refundStatus: 3,
      failReason: 'the sandbox declines refunds of this amount',
    })
    expect(await balance()).toMatchObject({ refunded: 0, balance: 100_000, returning: 0 })
    await request(tradeNo, { outRefundNo: 'refund-2', amount: 100_000 })
    await fixture.returnOwedMoney()
    expect(Object.values(await refundsAtProvider(tradeNo))).toEqual([100_000])
  })

  test('makes a late refund 25 h after it has accepted it', async () => {
    const tradeNo = await paid(100_000)
    const { refundNo } = await request(tradeNo, { amount: 90202 })
    await expect(run(tradeNo, refundNo)).rejects.toThrow('has not completed refund')
    fixture.context.clock.ahead += day
    await expect(run(tradeNo, refundNo)).rejects.toThrow('has not completed refund')
    expect(await detail(refundNo)).toMatchObject({ refundStatus: 1 })
    expect(await refundsAtProvider(tradeNo)).toEqual({})
    fixture.context.clock.ahead += hour + minute
    await run(tradeNo, refundNo)
    expect(await detail(refundNo)).toMatchObject({ refundStatus: 2 })
    expect(await refundsAtProvider(tradeNo)).toEqual({ [refundNo]: 90202 })
  })

  test('loses the response to a refund, which is repeated and made once', async () => {
    const tradeNo = await paid(100_000)
    const { refundNo } = await request(tradeNo, { amount: 90203 })
    await expect(run(tradeNo, refundNo)).rejects.toMatchObject({ name: 'ProviderUnavailable', mayHaveActed: true })
    expect(await detail(refundNo)).toMatchObject({ refundStatus: 1 })
    await run(tradeNo, refundNo)
    expect(await detail(refundNo)).toMatchObject({ refundStatus: 2 })
    expect(await refundsAtProvider(tradeNo)).toEqual({ [refundNo]: 90203 })
  })
})
