import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type Check, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { succeeded } from '../expect.ts'
import type { Answer, Arrival } from '../receiver.ts'
import { canonicalString, sha256 } from '../wire.ts'
import { endings } from './trades.ts'

const check = topic('callback')
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The longest delays between one failed attempt and the next. */
const schedule = [
  ...[15 * second, 15 * second, 30 * second, 3 * minute, 10 * minute, 20 * minute],
  ...[30 * minute, 30 * minute, 30 * minute, hour, 3 * hour, 3 * hour, 3 * hour, 6 * hour, 6 * hour],
]

const field = (arrival: Arrival, name: string) => arrival.fields.find(([key]) => key === name)?.[1]

/** Asserts that a callback is a signed form of the app. */
function verified(arrival: Arrival | undefined, app: MiniApp): Arrival {
  assert.ok(arrival)
  assert.equal(arrival.method, 'POST')
  assert.match(arrival.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  assert.equal(field(arrival, 'sign'), sha256(canonicalString(arrival.fields, app.secret)))
  assert.ok(Math.abs(Number(field(arrival, 'timestamp')) - Date.now()) < minute)
  return arrival
}

/** Pays and waits for the first callback. */
async function firstCallback(app: MiniApp, answers: Answer[], outcome = 'succeeded') {
  const { tradeNo, mailbox } = await app.createTradeWithMailbox()
  mailbox.answers = answers
  await app.pay(tradeNo, outcome)
  const [arrival] = await mailbox.until(1)
  return { tradeNo, mailbox, arrival: verified(arrival, app) }
}

/** Waits until the ledger has as many attempts of the trade's callback; the answer is recorded after it arrived. */
async function ledger(app: MiniApp, tradeNo: string, attempts: number) {
  const deadline = Date.now() + 15_000
  for (;;) {
    const entry = (await app.context.sandbox.callbacks(app.appid)).find((each) => each.tradeNo === tradeNo)
    if (entry && entry.attempts.length >= attempts) return entry
    assert.ok(Date.now() < deadline, `the ledger has ${entry?.attempts.length} attempts, not ${attempts}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** An answer of the backend, and whether it acknowledges. */
const answerCheck = (id: string, title: string, answer: Answer, acknowledged: boolean): Check =>
  check(`answer-${id}`, '6', `${title} ${acknowledged ? 'acknowledges' : 'does not acknowledge'}`, async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await firstCallback(app, [answer])
    await ledger(app, tradeNo, 1)
    assert.equal((await app.detail(tradeNo)).notifySuccess, acknowledged)
    mailbox.answers = [{ status: 200, body: 'success' }]
    await context.sandbox.forward(16 * second)
    if (acknowledged) {
      assert.equal(mailbox.arrivals.length, 1)
    } else {
      const arrivals = await mailbox.until(2)
      verified(arrivals[1], app)
      assert.equal(field(arrivals[1] as Arrival, 'notifyId'), field(arrivals[0] as Arrival, 'notifyId'))
      await ledger(app, tradeNo, 2)
      assert.equal((await app.detail(tradeNo)).notifySuccess, true)
    }
  })

/** Open-api §6: the payment result callback. */
export const callbacks: Check[] = [
  ...Object.entries(endings)
    .filter(([name]) => name !== 'closed')
    .map(([name, { status, failReasonType, bring }]) =>
      check(
        name,
        '6',
        `a trade that is ${name} is told with transactionStatus ${status} and failReasonType ${failReasonType}`,
        async (context) => {
          const app = await context.newApp()
          const { tradeNo, mailbox } = await app.createTradeWithMailbox()
          await bring(app, tradeNo)
          const arrival = verified((await mailbox.until(1))[0], app)
          const trade = await app.detail(tradeNo)
          const text = (value: unknown) => String(value ?? '')
          const { notifyId, notifyTime, timestamp, sign, ...rest } = Object.fromEntries(arrival.fields)
          assert.deepEqual(rest, {
            appid: app.appid,
            merchantId: trade.merchantId,
            tradeNo,
            outTradeNo: trade.outTradeNo,
            transactionStatus: String(status),
            failReasonType: String(failReasonType),
            amount: '1250',
            currency: 'SAR',
            openId: app.user.openId,
            payType: text(trade.payType),
            payMethod: text(trade.payMethod),
            payNo: text(trade.payNo),
          })
          assert.match(notifyId ?? '', /^[0-9a-f]{32}$/)
          for (const digits of [notifyTime, timestamp]) assert.match(digits ?? '', /^\d{13}$/)
          assert.match(sign ?? '', /^[0-9a-f]{64}$/)
        },
      ),
    ),
  check('closed', '6', 'a trade that its merchant closed is not told', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    succeeded(await app.call('tradeclose', { tradeNo }))
    await context.sandbox.forward(minute)
    assert.equal(mailbox.arrivals.length, 0)
    assert.equal((await app.detail(tradeNo)).notifySuccess, null)
  }),
  check('standard-webhooks', '6', 'a callback carries the headers of Standard Webhooks', async (context) => {
    const app = await context.newApp()
    const { arrival } = await firstCallback(app, [{ status: 200 }])
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = arrival.headers
    assert.equal(id, field(arrival, 'notifyId'))
    assert.ok(Math.abs(Number(time) * second - Date.now()) < minute)
    const expected = createHmac('sha256', app.secret).update(`${id}.${time}.${arrival.body}`).digest('base64')
    assert.ok(String(signature).split(' ').includes(`v1,${expected}`), String(signature))
  }),
  answerCheck('200', '200 success', { status: 200, body: 'success' }, true),
  answerCheck('empty', '200 without a body', { status: 200 }, true),
  answerCheck('204', '204', { status: 204 }, true),
  answerCheck('201-json', '201 with JSON', { status: 201, body: '{"code":"SUCCESS"}' }, true),
  answerCheck('fail', '200 fail', { status: 200, body: 'fail' }, false),
  answerCheck('500', '500', { status: 500, body: 'success' }, false),
  answerCheck('404', '404', { status: 404 }, false),
  answerCheck('hanging', 'no answer within 5 s', 'never', false),
  check('redirect', '6', 'a redirect is not followed and does not acknowledge', async (context) => {
    const app = await context.newApp()
    const elsewhere = context.receiver.mailbox()
    const { tradeNo } = await firstCallback(app, [{ status: 307, headers: { location: elsewhere.url } }])
    const entry = await ledger(app, tradeNo, 1)
    assert.equal(entry.attempts[0]?.acknowledged, false)
    assert.equal(elsewhere.arrivals.length, 0)
  }),
  check('endless-answer', '6', 'an answer of megabytes does no harm', async (context) => {
    const app = await context.newApp()
    const { tradeNo } = await firstCallback(app, [{ status: 500, body: 'x'.repeat(8 * 1024 * 1024) }])
    await ledger(app, tradeNo, 1)
    assert.equal((await app.detail(tradeNo)).notifySuccess, false)
  }),
  check('retry-after', '6', 'Retry-After is honoured', async (context) => {
    const app = await context.newApp()
    const busy: Answer = { status: 503, headers: { 'retry-after': '600' } }
    const { tradeNo, mailbox } = await firstCallback(app, [busy, { status: 200 }])
    await ledger(app, tradeNo, 1)
    await context.sandbox.forward(9 * minute)
    assert.equal(mailbox.arrivals.length, 1)
    await context.sandbox.forward(2 * minute)
    await mailbox.until(2)
  }),
  check(
    'schedule',
    '6',
    'a callback that nobody takes is tried 16 times over about 24 hours, then given up',
    async (context) => {
      const app = await context.newApp()
      const { tradeNo, mailbox, arrival } = await firstCallback(app, [{ status: 500 }])
      for (const [index, delay] of schedule.entries()) {
        const { nextAttempt, attempts } = await ledger(app, tradeNo, index + 1)
        const wait = Number(nextAttempt) - Number(attempts.at(-1)?.time)
        assert.ok(
          wait <= delay + second && wait > delay * 0.75,
          `after attempt ${index + 1}: ${wait} ms, expected ${delay}`,
        )
        await context.sandbox.forward(delay + second)
        const latest = (await mailbox.until(index + 2)).at(-1) as Arrival
        verified(latest, app)
        for (const constant of ['notifyId', 'notifyTime', 'transactionStatus', 'payNo']) {
          assert.equal(field(latest, constant), field(arrival, constant), constant)
        }
      }
      const entry = await ledger(app, tradeNo, schedule.length + 1)
      assert.deepEqual([entry.state, entry.nextAttempt], ['dead', null])
      await context.sandbox.forward(24 * hour)
      assert.equal(mailbox.arrivals.length, schedule.length + 1)
      assert.equal((await app.detail(tradeNo)).notifySuccess, false)
    },
  ),
  check('replay', '6', 'a callback can be sent again with the same notifyId', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox, arrival } = await firstCallback(app, [{ status: 200 }])
    const entry = await ledger(app, tradeNo, 1)
    assert.equal(entry.state, 'delivered')
    await context.sandbox.replay(entry.notifyId)
    const again = verified((await mailbox.until(2))[1], app)
    assert.equal(field(again, 'notifyId'), field(arrival, 'notifyId'))
    assert.equal((await ledger(app, tradeNo, 2)).attempts.length, 2)
  }),
  check(
    'rotated-secret',
    '6',
    'after a rotation without overlap callbacks are signed with the new secret',
    async (context) => {
      const app = await context.newApp()
      const { tradeNo, mailbox } = await app.createTradeWithMailbox()
      app.secret = await context.sandbox.rotateSecret(app.appid, 0)
      await app.pay(tradeNo, 'succeeded')
      verified((await mailbox.until(1))[0], app)
    },
  ),
  check(
    'notifySuccess',
    '2.5',
    'notifySuccess is null until the first attempt, false after a failed one, then true',
    async (context) => {
      const app = await context.newApp()
      const { tradeNo, mailbox } = await app.createTradeWithMailbox()
      assert.equal((await app.detail(tradeNo)).notifySuccess, null)
      mailbox.answers = [{ status: 500 }, { status: 200 }]
      await app.pay(tradeNo, 'succeeded')
      await ledger(app, tradeNo, 1)
      assert.equal((await app.detail(tradeNo)).notifySuccess, false)
      await context.sandbox.forward(16 * second)
      await ledger(app, tradeNo, 2)
      assert.equal((await app.detail(tradeNo)).notifySuccess, true)
    },
  ),
]
