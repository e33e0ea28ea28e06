import assert from 'node:assert/strict'
import { accepted, type Check, optional, parameterChecks, rejected, required, topic } from '../check.ts'
import { type MiniApp, unique } from '../context.ts'
import { expectError, expectSuccess } from '../expect.ts'
import { hour, second } from '../time.ts'
import type { Parameters } from '../wire.ts'
import { expectSigned } from './callbacks.ts'

const check = topic('refund')

/** Amounts of refunds with which the sandbox shows what providers do. */
const sandboxAmounts = { declined: 90_201, late: 90_202, lost: 90_203 } as const

interface RequestedRefund {
  refundNo: string
  outRefundNo: string
}

interface Refund {
  [field: string]: unknown
  refundStatus: number
}

/** Creates a trade that has been paid. */
async function paidTrade(app: MiniApp, amount = 1250): Promise<string> {
  const tradeNo = await app.createTrade({ amount })
  await app.pay(tradeNo, 'succeeded')
  return tradeNo
}

/** Returns the parameters of a valid refund, with changes. */
export async function refundParameters(app: MiniApp, changes: Parameters = {}): Promise<Parameters> {
  return { tradeNo: changes.tradeNo ?? (await paidTrade(app)), outRefundNo: unique(), amount: 400, ...changes }
}

/** Requests a refund, which must succeed. */
export async function requestRefund(app: MiniApp, changes: Parameters = {}): Promise<RequestedRefund> {
  return expectSuccess(await app.call('refund', await refundParameters(app, changes))) as RequestedRefund
}

async function refundOf(app: MiniApp, refundNo: string): Promise<Refund> {
  return expectSuccess(await app.call('refunddetail', { refundNo })) as Refund
}

/** Queries a refund until it has a result. */
async function waitForResult(app: MiniApp, refundNo: string): Promise<Refund> {
  const deadline = Date.now() + 20 * second
  for (;;) {
    const refund = await refundOf(app, refundNo)
    if (refund.refundStatus !== 1) return refund
    assert.ok(Date.now() < deadline, 'the refund has no result after 20 s')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Refunds by the backend, an addition to open-api §4.3. */
export const refunds: Check[] = [
  ...parameterChecks('refund', refundParameters, [
    required('tradeNo'),
    rejected('tradeNo', ['0'.repeat(31), 'g'.repeat(32)]),
    required('outRefundNo'),
    accepted('outRefundNo', 'x'.repeat(64)),
    rejected('outRefundNo', ['x'.repeat(65), 'a b', 'a.b', 'ä', 'a,b']),
    required('amount'),
    rejected('amount', ['1.5', '1e3', 'all', '１']),
    optional('reason'),
    accepted('reason', 'x'.repeat(256), 'One glass was cold & late 茶'),
    rejected('reason', ['x'.repeat(257)]),
    optional('notifyUrl'),
  ]),
  ...parameterChecks('refunddetail', async (app) => ({ refundNo: (await requestRefund(app)).refundNo }), [
    required('refundNo'),
    rejected('refundNo', ['0'.repeat(31), 'g'.repeat(32)]),
  ]),
  check('notifyUrl-refused', '4.3', 'the notifyUrl of a refund has the rules of that of a trade', async (context) => {
    const app = await context.app()
    const parameters = await refundParameters(app)
    for (const notifyUrl of ['https://shop.example/?a=b', 'http://shop.example/', '/refunds']) {
      const reply = await app.call('refund', { ...parameters, notifyUrl })
      expectError(reply, { status: 400, code: 'notify_url_refused', message: 'notifyUrl' })
    }
  }),
  check('partial', '4.3', 'a trade is refunded in parts, up to what was paid, and stays succeeded', async (context) => {
    const app = await context.app()
    const tradeNo = await paidTrade(app)
    const first = await requestRefund(app, { tradeNo, amount: 400, reason: 'Cold' })
    const trade = await app.detail(tradeNo)
    const { ctime, mtime, ...refund } = await waitForResult(app, first.refundNo)
    assert.deepEqual(refund, {
      ...first,
      tradeNo,
      outTradeNo: trade.outTradeNo,
      appId: app.appid,
      merchantId: trade.merchantId,
      reason: 'Cold',
      amount: 400,
      amountStrWithYuan: '4.00',
      currency: 'SAR',
      openId: app.user.openId,
      transactionFlow: 1,
      refundStatus: 2,
      failReason: null,
    })
    for (const time of [ctime, mtime]) assert.match(String(time), /^\d{13}$/)
    const more = await app.call('refund', await refundParameters(app, { tradeNo, amount: 851 }))
    expectError(more, { status: 409, code: 'refund_too_large', message: '850' })
    await waitForResult(app, (await requestRefund(app, { tradeNo, amount: 850 })).refundNo)
    const rest = await app.call('refund', await refundParameters(app, { tradeNo, amount: 1 }))
    expectError(rest, { status: 409, code: 'refund_too_large' })
    assert.equal((await app.detail(tradeNo)).transactionStatus, 2)
  }),
  check('repeated', '4.3', 'a repeated outRefundNo refunds once and gets the same answer', async (context) => {
    const app = await context.app()
    const parameters = await refundParameters(app, { reason: 'Cold' })
    const first = expectSuccess(await app.call('refund', parameters)) as RequestedRefund
    assert.deepEqual(expectSuccess(await app.call('refund', parameters)), first)
    await waitForResult(app, first.refundNo)
    assert.deepEqual(expectSuccess(await app.call('refund', parameters)), first)
  }),
  ...Object.entries({
    amount: async () => ({ amount: 401 }),
    reason: async () => ({ reason: 'other' }),
    notifyUrl: async () => ({ notifyUrl: 'https://backend.example.com/refunds' }),
    tradeNo: async (app: MiniApp) => ({ tradeNo: await paidTrade(app) }),
  }).map(([name, change]) =>
    check(`conflict-${name}`, '4.3', `a repeated outRefundNo with another ${name} conflicts`, async (context) => {
      const app = await context.app()
      const parameters = await refundParameters(app)
      expectSuccess(await app.call('refund', parameters))
      const reply = await app.call('refund', { ...parameters, ...(await change(app)) })
      expectError(reply, { status: 409, code: 'out_refund_no_conflict', message: name })
    }),
  ),
  check('race-identical', '4.3', '20 identical requests at once make one refund', async (context) => {
    const app = await context.app()
    const parameters = await refundParameters(app)
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.call('refund', parameters)))
    const numbers = replies.map((reply) => (expectSuccess(reply) as RequestedRefund).refundNo)
    assert.equal(new Set(numbers).size, 1)
    const tradeNo = String(parameters.tradeNo)
    expectSuccess(await app.call('refund', await refundParameters(app, { tradeNo, amount: 850 })))
  }),
  check('race-too-large', '4.3', 'refunds at once never exceed what was paid', async (context) => {
    const app = await context.app()
    const tradeNo = await paidTrade(app)
    const replies = await Promise.all(
      Array.from({ length: 10 }, async () => app.call('refund', await refundParameters(app, { tradeNo, amount: 500 }))),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 2)
    for (const reply of replies) {
      if (reply.status !== 200) expectError(reply, { status: 409, code: 'refund_too_large', message: '250' })
    }
  }),
  check('unpaid', '4.3', 'only a succeeded trade is refunded', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    const refused = { status: 409, code: 'trade_not_refundable' }
    expectError(await app.call('refund', await refundParameters(app, { tradeNo })), refused)
    await app.pay(tradeNo, 'failed:27')
    expectError(await app.call('refund', await refundParameters(app, { tradeNo })), refused)
  }),
  check(
    'foreign',
    '4.3',
    'trades and refunds of another mini app are not found, like unknown ones',
    async (context) => {
      const [app, other] = [await context.app(), await context.newApp()]
      const parameters = await refundParameters(other)
      const { refundNo } = expectSuccess(await other.call('refund', parameters)) as RequestedRefund
      const [foreign, unknown] = [
        await app.call('refund', parameters),
        await app.call('refund', { ...parameters, tradeNo: 'f'.repeat(32) }),
      ]
      for (const reply of [foreign, unknown]) expectError(reply, { status: 404, code: 'trade_not_found' })
      assert.equal(foreign.text, unknown.text)
      const details = [refundNo, 'f'.repeat(32)].map((number) => app.call('refunddetail', { refundNo: number }))
      const [foreignRefund, unknownRefund] = await Promise.all(details)
      for (const reply of [foreignRefund!, unknownRefund!])
        expectError(reply, { status: 404, code: 'refund_not_found' })
      assert.equal(foreignRefund!.text, unknownRefund!.text)
    },
  ),
  check('declined', '4.3', 'a declined refund fails, and its money can be refunded again', async (context) => {
    const app = await context.app()
    const amount = sandboxAmounts.declined
    const tradeNo = await paidTrade(app, amount)
    const { refundNo } = await requestRefund(app, { tradeNo, amount })
    const refund = await waitForResult(app, refundNo)
    assert.equal(refund.refundStatus, 3)
    assert.ok(refund.failReason)
    await requestRefund(app, { tradeNo, amount: amount - 1 })
  }),
  check('late', '4.3', 'a late refund is processing until the provider has made it', async (context) => {
    const app = await context.newApp()
    const amount = sandboxAmounts.late
    const mailbox = context.receiver.mailbox()
    const tradeNo = await paidTrade(app, amount)
    const { refundNo } = await requestRefund(app, { tradeNo, amount, notifyUrl: mailbox.url })
    await context.sandbox.forward(hour)
    assert.equal((await refundOf(app, refundNo)).refundStatus, 1)
    assert.equal(mailbox.received.length, 0)
    await context.sandbox.forward(25 * hour)
    assert.equal((await waitForResult(app, refundNo)).refundStatus, 2)
    expectSigned((await mailbox.waitFor(1))[0], app)
  }),
  check('lost', '4.3', 'a refund whose response was lost is made once', async (context) => {
    const app = await context.app()
    const amount = sandboxAmounts.lost
    const mailbox = context.receiver.mailbox()
    const tradeNo = await paidTrade(app, amount)
    const { refundNo } = await requestRefund(app, { tradeNo, amount, notifyUrl: mailbox.url })
    assert.equal((await waitForResult(app, refundNo)).refundStatus, 2)
    expectSigned((await mailbox.waitFor(1))[0], app)
  }),
  ...(
    [
      [2, 'succeeded', 400],
      [3, 'declined', sandboxAmounts.declined],
    ] as const
  ).map(([status, name, amount]) =>
    check(`callback-${name}`, '6', `the callback of a refund has refundStatus ${status}`, async (context) => {
      const app = await context.newApp()
      const mailbox = context.receiver.mailbox()
      const tradeNo = await paidTrade(app, 100_000)
      const { refundNo, outRefundNo } = await requestRefund(app, { tradeNo, amount, notifyUrl: mailbox.url })
      const callback = expectSigned((await mailbox.waitFor(1))[0], app)
      const { notifyId, notifyTime, timestamp: _, sign: __, ...fields } = Object.fromEntries(callback.fields)
      const trade = await app.detail(tradeNo)
      const { failReason } = await refundOf(app, refundNo)
      assert.deepEqual(fields, {
        appid: app.appid,
        merchantId: trade.merchantId,
        tradeNo,
        outTradeNo: trade.outTradeNo,
        refundNo,
        outRefundNo,
        refundStatus: String(status),
        failReason: String(failReason ?? ''),
        amount: String(amount),
        currency: 'SAR',
        openId: app.user.openId,
      })
      assert.match(notifyId ?? '', /^[0-9a-f]{32}$/)
      assert.match(notifyTime ?? '', /^\d{13}$/)
    }),
  ),
]
