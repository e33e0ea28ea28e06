import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { expectError, expectSuccess } from '../expect.ts'
import type { Mailbox } from '../receiver.ts'
import { day, hour, minute, second } from '../time.ts'
import { expectSigned, field, waitForAttempts } from './callbacks.ts'
import { refundParameters } from './refunds.ts'

const check = topic('outcome')

/** The state of a trade some time after its payment, in ms. */
type Step = [after: number, transactionStatus: number, failReasonType: number]

/** Every `failReasonType` of a declined payment (open-api §2.5). */
export const declines: Readonly<Record<number, string>> = {
  1: 'Wallet A not ready',
  2: 'Wallet A error',
  3: 'Wallet A token generation network error',
  4: 'Wallet A token generation error',
  5: 'Card processor B payment error',
  6: 'Card processor B 3-D Secure authentication rejected',
  10: 'Wallet B error',
  11: 'Wallet B unsupported',
  24: 'Checkout failed',
  25: 'Checkout request for payment failed',
  26: 'Card processor A creation of payment failed',
  27: 'Transaction failed',
}

/** Outcomes of payments in a sandbox, with the amount in cents that selects each, and what the backend sees. */
const outcomes: Readonly<Record<string, { amount: number; steps: Step[] }>> = {
  succeeded: { amount: 1250, steps: [[0, 2, -1]] },
  canceled: { amount: 90_106, steps: [[0, 5, -1]] },
  pending: {
    amount: 90_100,
    steps: [
      [0, 1, -1],
      [25 * hour, 3, 27],
    ],
  },
  challenge: {
    amount: 90_101,
    steps: [
      [0, 1, -1],
      [25 * hour, 3, 27],
    ],
  },
  delayed: {
    amount: 90_102,
    steps: [
      [0, 1, -1],
      [31 * second, 2, -1],
    ],
  },
  'delayed-failure': {
    amount: 90_103,
    steps: [
      [0, 1, -1],
      [31 * second, 3, 27],
    ],
  },
  late: {
    amount: 90_104,
    steps: [
      [0, 1, -1],
      [hour, 1, -1],
      [25 * hour, 2, -1],
    ],
  },
  lost: {
    amount: 90_105,
    steps: [
      [0, 1, -1],
      [10 * minute, 2, -1],
    ],
  },
  ...Object.fromEntries(
    Object.keys(declines).map((code): [string, { amount: number; steps: Step[] }] => [
      `failed:${code}`,
      { amount: 90_000 + Number(code), steps: [[0, 3, Number(code)]] },
    ]),
  ),
}

/** Asserts that the backend sees this state: queries return it, and a final one is reported by one callback. */
async function expectState(app: MiniApp, tradeNo: string, mailbox: Mailbox, [, status, reason]: Step): Promise<void> {
  const trade = await app.detail(tradeNo)
  assert.deepEqual([trade.transactionStatus, trade.failReasonType], [status, reason])
  if (status === 1) return assert.equal(mailbox.received.length, 0)
  const callback = expectSigned((await mailbox.waitFor(1))[0], app)
  assert.deepEqual(
    ['transactionStatus', 'failReasonType'].map((name) => field(callback, name)),
    [String(status), String(reason)],
  )
}

/** Creates a trade that does not expire before its payment has a result. */
async function lastingTrade(app: MiniApp, amount: number) {
  const mailbox = app.context.receiver.mailbox()
  const timeExpire = (await app.context.sandbox.now()) + 6 * day
  return { mailbox, tradeNo: await app.createTrade({ amount, timeExpire, notifyUrl: mailbox.url }) }
}

/** Checks each outcome of a sandbox and each fault of callbacks, as a backend sees them. */
export const outcomeChecks: Check[] = [
  ...Object.entries(outcomes).map(([outcome, { amount, steps }]) =>
    check(
      outcome,
      '3.2',
      `a payment with the outcome ${outcome}, and one of ${amount} cents, has transactionStatus ${steps
        .map(([, status]) => status)
        .join(', then ')}`,
      async (context) => {
        const app = await context.app()
        const chosen = await lastingTrade(app, 1250)
        const byAmount = await lastingTrade(app, amount)
        await app.pay(chosen.tradeNo, outcome)
        await context.sandbox.pay({ tradeNo: byAmount.tradeNo, uid: app.user.uid })
        let time = 0
        for (const step of steps) {
          if (step[0] > time) await context.sandbox.forward(step[0] - time)
          time = step[0]
          for (const { tradeNo, mailbox } of [chosen, byAmount]) await expectState(app, tradeNo, mailbox, step)
        }
      },
    ),
  ),
  check('late-after-expiry', '3.2', 'a trade expires before a late payment, and stays expired', async (context) => {
    const app = await context.app()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await app.pay(tradeNo, 'late')
    await context.sandbox.forward(3 * hour)
    await expectState(app, tradeNo, mailbox, [0, 4, 21])
    await context.sandbox.forward(23 * hour)
    await expectState(app, tradeNo, mailbox, [0, 4, 21])
    assert.equal(mailbox.received.length, 1)
  }),
  check('late-paid-again', '3.2', 'a trade whose payment is late can be paid again', async (context) => {
    const app = await context.app()
    const { tradeNo, mailbox } = await lastingTrade(app, 1250)
    await app.pay(tradeNo, 'late')
    await context.sandbox.forward(10 * minute)
    assert.deepEqual(await app.pay(tradeNo, 'succeeded'), { status: 2 })
    await context.sandbox.forward(26 * hour)
    await expectState(app, tradeNo, mailbox, [0, 2, -1])
    assert.equal(mailbox.received.length, 1)
  }),
  check('lost-and-closed', '4.3', 'a trade whose lost payment has succeeded is not closed', async (context) => {
    const app = await context.app()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await app.pay(tradeNo, 'lost')
    expectError(await app.call('tradeclose', { tradeNo }), { status: 409, code: 'trade_not_processing' })
    await expectState(app, tradeNo, mailbox, [0, 2, -1])
  }),
  check('challenge-and-closed', '4.3', 'a trade that waits for 3-D Secure can be closed', async (context) => {
    const app = await context.app()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await app.pay(tradeNo, 'challenge')
    expectSuccess(await app.call('tradeclose', { tradeNo }))
    await context.sandbox.decide(tradeNo, 'succeeded')
    assert.equal((await app.detail(tradeNo)).transactionStatus, 6)
    assert.equal(mailbox.received.length, 0)
  }),
  check('callback-drop', '6', 'a callback that is lost is sent again, and queries know the result', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await context.sandbox.injectFault(app.appid, 'drop', 1)
    await app.pay(tradeNo, 'succeeded')
    await waitForAttempts(app, tradeNo, 1)
    const { transactionStatus, notifySuccess } = await app.detail(tradeNo)
    assert.deepEqual([transactionStatus, notifySuccess, mailbox.received.length], [2, false, 0])
    await context.sandbox.forward(16 * second)
    expectSigned((await mailbox.waitFor(1))[0], app)
  }),
  check('callback-error500', '6', 'a callback whose response is lost arrives again', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await context.sandbox.injectFault(app.appid, 'error500', 1)
    await app.pay(tradeNo, 'succeeded')
    await waitForAttempts(app, tradeNo, 1)
    assert.equal((await app.detail(tradeNo)).notifySuccess, false)
    await context.sandbox.forward(16 * second)
    const [first, again] = await mailbox.waitFor(2)
    assert.equal(field(first!, 'notifyId'), field(again!, 'notifyId'))
  }),
  check('callback-twice', '6', 'a callback can arrive twice with the same notifyId', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await context.sandbox.injectFault(app.appid, 'twice', 1)
    await app.pay(tradeNo, 'succeeded')
    const [first, again] = await mailbox.waitFor(2)
    assert.equal(field(first!, 'notifyId'), field(again!, 'notifyId'))
    await waitForAttempts(app, tradeNo, 1)
    assert.equal((await app.detail(tradeNo)).notifySuccess, true)
  }),
  check('callback-order', '6', 'the callback of a refund can arrive before that of its payment', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    await context.sandbox.injectFault(app.appid, 'drop', 1)
    await app.pay(tradeNo, 'succeeded')
    await waitForAttempts(app, tradeNo, 1)
    const { url: notifyUrl } = mailbox
    expectSuccess(await app.call('refund', await refundParameters(app, { tradeNo, notifyUrl })))
    await mailbox.waitFor(1)
    await context.sandbox.forward(16 * second)
    const received = await mailbox.waitFor(2)
    assert.deepEqual(
      received.map((callback) => ['refundStatus', 'transactionStatus'].map((name) => field(callback, name))),
      [
        ['2', undefined],
        [undefined, '2'],
      ],
    )
  }),
]
