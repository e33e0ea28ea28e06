import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import { expectSuccess, isText } from '../expect.ts'
import type { Mailbox } from '../receiver.ts'
import { hour, minute, second } from '../time.ts'
import { declines } from './outcomes.ts'
import { finalStates } from './trades.ts'

const check = topic('state')

/** The `failCode` that the payer's client gets when the trade is already in this state. */
const failCodes: Record<string, number> = { succeeded: 20, failed: 27, expired: 21, canceled: 22, closed: 22 }

/** The six states of a trade (open-api §3.2), every reason of failure (open-api §2.5), and impossible transitions. */
export const states: Check[] = [
  check('processing', '3.2', 'a new trade has transactionStatus 1 (processing)', async (context) => {
    const app = await context.app()
    const trade = await app.detail(await app.createTrade())
    assert.deepEqual([trade.transactionStatus, trade.failReasonType], [1, -1])
  }),
  ...Object.entries(finalStates).map(([name, { status, failReasonType, reach }]) =>
    check(
      name,
      '3.2',
      `${name} is final: transactionStatus ${status}, failReasonType ${failReasonType}`,
      async (context) => {
        const app = await context.newApp()
        const tradeNo = await app.createTrade()
        const before = await app.detail(tradeNo)
        await reach(app, tradeNo)
        const after = await app.detail(tradeNo)
        assert.deepEqual([after.transactionStatus, after.failReasonType], [status, failReasonType])
        assert.ok(after.mtime >= before.mtime)
        assert.equal(after.ctime, before.ctime)

        const result = await app.pay(tradeNo, 'succeeded')
        assert.equal(result.status, 1, 'a trade in a final state was paid')
        const failCode = failCodes[name]
        if (failCode) assert.equal(result.failCode, failCode)
        await app.call('tradeclose', { tradeNo })
        await context.sandbox.forward(3 * hour)
        const { transactionStatus, failReasonType: reason } = await app.detail(tradeNo)
        assert.deepEqual([transactionStatus, reason], [status, failReasonType])
      },
    ),
  ),
  ...Object.entries(declines).map(([code, meaning]) =>
    check(
      `declined-${code}`,
      '2.5',
      `a payment can be declined with failReasonType ${code} (${meaning})`,
      async (context) => {
        const app = await context.app()
        const tradeNo = await app.createTrade()
        assert.deepEqual(await app.pay(tradeNo, `failed:${code}`), { status: 1, failCode: Number(code) })
        const trade = await app.detail(tradeNo)
        assert.deepEqual([trade.transactionStatus, trade.failReasonType], [3, Number(code)])
      },
    ),
  ),
  ...['pending', 'challenge', 'delayed', 'late', 'lost'].map((outcome) =>
    check(
      `in-flight-${outcome}`,
      '2.5',
      `a second payment during one that is ${outcome} fails with 23`,
      async (context) => {
        const app = await context.app()
        const tradeNo = await app.createTrade()
        await app.pay(tradeNo, outcome)
        assert.deepEqual(await app.pay(tradeNo, 'succeeded'), { status: 1, failCode: 23 })
        assert.equal((await app.detail(tradeNo)).transactionStatus, 1)
      },
    ),
  ),
  ...[
    ['succeeded', 2, -1],
    ['failed:6', 3, 6],
  ].map(([outcome, status, reason]) =>
    check(
      `challenge-${outcome}`,
      '2.5',
      `a trade is processing until its 3-D Secure challenge is completed (${outcome})`,
      async (context) => {
        const app = await context.app()
        const tradeNo = await app.createTrade()
        const { challenge } = await app.pay(tradeNo, 'challenge')
        assert.ok(challenge && isText(challenge.payNo))
        assert.equal((await app.detail(tradeNo)).transactionStatus, 1)
        await context.sandbox.decide(tradeNo, String(outcome))
        const trade = await app.detail(tradeNo)
        assert.deepEqual([trade.transactionStatus, trade.failReasonType], [status, reason])
      },
    ),
  ),
  check(
    'in-payment',
    '2.5',
    'while an attempt is in flight, the trade is processing and a second attempt fails with 23',
    async (context) => {
      const app = await context.app()
      const tradeNo = await app.createTrade()
      await app.pay(tradeNo, 'pending')
      assert.deepEqual(await app.pay(tradeNo, 'succeeded'), { status: 1, failCode: 23 })
      assert.equal((await app.detail(tradeNo)).transactionStatus, 1)
      await context.sandbox.decide(tradeNo, 'succeeded')
      assert.equal((await app.detail(tradeNo)).transactionStatus, 2)
    },
  ),
  check('pending-declined', '3.2', 'a pending payment can be declined', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    await app.pay(tradeNo, 'pending')
    await context.sandbox.decide(tradeNo, 'failed:24')
    const trade = await app.detail(tradeNo)
    assert.deepEqual([trade.transactionStatus, trade.failReasonType], [3, 24])
  }),
  check('in-flight-at-expiry', '3.2', 'a trade does not expire while an attempt is in flight', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    await app.pay(tradeNo, 'pending')
    await context.sandbox.forward(2 * hour + minute)
    assert.equal((await app.detail(tradeNo)).transactionStatus, 1)
    await context.sandbox.decide(tradeNo, 'succeeded')
    assert.equal((await app.detail(tradeNo)).transactionStatus, 2)
  }),
  check(
    'result-after-close',
    '3.2',
    'a payment captured after the close does not reopen the trade',
    async (context) => {
      const app = await context.app()
      const tradeNo = await app.createTrade()
      await app.pay(tradeNo, 'late')
      expectSuccess(await app.call('tradeclose', { tradeNo }))
      await context.sandbox.forward(26 * hour)
      const trade = await app.detail(tradeNo)
      assert.deepEqual([trade.transactionStatus, trade.failReasonType], [6, 22])
    },
  ),
  check('expired-on-read', '3.2', 'a trade is expired as soon as its time is over', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade({ timeExpire: (await context.sandbox.now()) + 70 * second })
    await context.sandbox.forward(minute)
    assert.equal((await app.detail(tradeNo)).transactionStatus, 1)
    await context.sandbox.forward(11 * second)
    const trade = await app.detail(tradeNo)
    assert.deepEqual([trade.transactionStatus, trade.failReasonType], [4, 21])
  }),
  ...(
    [
      ['wallet-a', 1],
      ['wallet-b', 2],
      ['card', 3],
    ] as const
  ).map(([method, payMethod]) =>
    check(`method-${method}`, '2.5', `a payment by ${method} has payMethod ${payMethod}`, async (context) => {
      const app = await context.app()
      const tradeNo = await app.createTrade()
      await app.pay(tradeNo, 'succeeded', method)
      const trade = await app.detail(tradeNo)
      assert.equal(trade.payMethod, payMethod)
      assert.ok([1, 2, 3].includes(trade.payType as number))
      assert.ok(isText(trade.payNo))
    }),
  ),
  check(
    'race',
    '3.2',
    'concurrent payments and a close lead to one state, which all responses agree on',
    async (context) => {
      const app = await context.newApp()
      const mailboxes: { mailbox: Mailbox; callbacks: number }[] = []
      for (let round = 0; round < 10; round++) {
        const { tradeNo, mailbox } = await app.createTradeWithMailbox()
        const [paid, closed] = await Promise.all([
          app.pay(tradeNo, 'succeeded'),
          app.call('tradeclose', { tradeNo }),
          app.pay(tradeNo, 'succeeded').catch(() => undefined),
        ])
        const { transactionStatus } = await app.detail(tradeNo)
        assert.ok([2, 6].includes(transactionStatus), `status ${transactionStatus}`)
        assert.equal(closed.status === 200, transactionStatus === 6, `tradeclose responded ${closed.text}`)
        if (transactionStatus === 6) assert.notEqual(paid.status, 2)
        else await mailbox.waitFor(1)
        mailboxes.push({ mailbox, callbacks: transactionStatus === 6 ? 0 : 1 })
      }
      // Sends all callbacks that are due.
      await context.sandbox.forward(16 * second)
      for (const { mailbox, callbacks } of mailboxes) assert.equal(mailbox.received.length, callbacks)
    },
  ),
]
