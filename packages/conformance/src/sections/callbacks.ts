import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type Check, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { expectSuccess } from '../expect.ts'
import type { MailboxResponse, ReceivedCallback } from '../receiver.ts'
import { hour, minute, second } from '../time.ts'
import { canonicalString, sha256 } from '../wire.ts'
import { finalStates } from './trades.ts'

const check = topic('callback')

/** The maximum delay after each failed attempt. */
const schedule = [
  ...[15 * second, 15 * second, 30 * second, 3 * minute, 10 * minute, 20 * minute],
  ...[30 * minute, 30 * minute, 30 * minute, hour, 3 * hour, 3 * hour, 3 * hour, 6 * hour, 6 * hour],
]

/** Returns a field of a callback. */
export function field(callback: ReceivedCallback, name: string): string | undefined {
  return callback.fields.find(([key]) => key === name)?.[1]
}

/** Asserts that a callback is a form with a valid sign of the app. */
export function expectSigned(callback: ReceivedCallback | undefined, app: MiniApp): ReceivedCallback {
  assert.ok(callback)
  assert.equal(callback.method, 'POST')
  assert.match(callback.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  assert.equal(field(callback, 'sign'), sha256(canonicalString(callback.fields, app.secret)))
  assert.ok(Math.abs(Number(field(callback, 'timestamp')) - Date.now()) < minute)
  return callback
}

/** Pays and waits for the first callback. */
async function firstCallback(app: MiniApp, responses: MailboxResponse[]) {
  const { tradeNo, mailbox } = await app.createTradeWithMailbox()
  mailbox.responses = responses
  await app.pay(tradeNo, 'succeeded')
  const [callback] = await mailbox.waitFor(1)
  return { tradeNo, mailbox, callback: expectSigned(callback, app) }
}

/** Waits until the server has recorded this many attempts, which it does only after a response. */
export async function waitForAttempts(app: MiniApp, tradeNo: string, attempts: number) {
  const deadline = Date.now() + 15 * second
  for (;;) {
    const entry = (await app.context.sandbox.callbacks(app.appid)).find((each) => each.tradeNo === tradeNo)
    if (entry && entry.attempts.length >= attempts) return entry
    assert.ok(Date.now() < deadline, `the server recorded ${entry?.attempts.length} attempts instead of ${attempts}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Creates a check of whether a response of the backend acknowledges the callback. */
const responseCheck = (id: string, title: string, response: MailboxResponse, acknowledged: boolean): Check =>
  check(
    `response-${id}`,
    '6',
    `${title} ${acknowledged ? 'acknowledges' : 'does not acknowledge'}`,
    async (context) => {
      const app = await context.newApp()
      const { tradeNo, mailbox } = await firstCallback(app, [response])
      await waitForAttempts(app, tradeNo, 1)
      assert.equal((await app.detail(tradeNo)).notifySuccess, acknowledged)
      mailbox.responses = [{ status: 200, body: 'success' }]
      await context.sandbox.forward(16 * second)
      if (acknowledged) {
        assert.equal(mailbox.received.length, 1)
      } else {
        const received = await mailbox.waitFor(2)
        expectSigned(received[1], app)
        assert.equal(
          field(received[1] as ReceivedCallback, 'notifyId'),
          field(received[0] as ReceivedCallback, 'notifyId'),
        )
        await waitForAttempts(app, tradeNo, 2)
        assert.equal((await app.detail(tradeNo)).notifySuccess, true)
      }
    },
  )

/** The payment result callback (open-api §6). */
export const callbacks: Check[] = [
  ...Object.entries(finalStates)
    .filter(([name]) => name !== 'closed')
    .map(([name, { status, failReasonType, reach }]) =>
      check(
        name,
        '6',
        `the callback of a trade in state ${name} has transactionStatus ${status} and failReasonType ${failReasonType}`,
        async (context) => {
          const app = await context.newApp()
          const { tradeNo, mailbox } = await app.createTradeWithMailbox()
          await reach(app, tradeNo)
          const callback = expectSigned((await mailbox.waitFor(1))[0], app)
          const trade = await app.detail(tradeNo)
          const text = (value: unknown) => String(value ?? '')
          const { notifyId, notifyTime, timestamp, sign, ...rest } = Object.fromEntries(callback.fields)
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
  check('closed', '6', 'a trade that the merchant closed causes no callback', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox } = await app.createTradeWithMailbox()
    expectSuccess(await app.call('tradeclose', { tradeNo }))
    await context.sandbox.forward(minute)
    assert.equal(mailbox.received.length, 0)
    assert.equal((await app.detail(tradeNo)).notifySuccess, null)
  }),
  check('standard-webhooks', '6', 'a callback has the headers of Standard Webhooks', async (context) => {
    const app = await context.newApp()
    const { callback } = await firstCallback(app, [{ status: 200 }])
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = callback.headers
    assert.equal(id, field(callback, 'notifyId'))
    assert.ok(Math.abs(Number(time) * second - Date.now()) < minute)
    const expected = createHmac('sha256', app.secret).update(`${id}.${time}.${callback.body}`).digest('base64')
    assert.ok(String(signature).split(' ').includes(`v1,${expected}`), String(signature))
  }),
  responseCheck('200', '200 success', { status: 200, body: 'success' }, true),
  responseCheck('empty', '200 without a body', { status: 200 }, true),
  responseCheck('204', '204', { status: 204 }, true),
  responseCheck('201-json', '201 with JSON', { status: 201, body: '{"code":"SUCCESS"}' }, true),
  responseCheck('fail', '200 fail', { status: 200, body: 'fail' }, false),
  responseCheck('500', '500', { status: 500, body: 'success' }, false),
  responseCheck('404', '404', { status: 404 }, false),
  responseCheck('hanging', 'no response within 5 s', 'hang', false),
  check('redirect', '6', 'a redirect is not followed and does not acknowledge', async (context) => {
    const app = await context.newApp()
    const elsewhere = context.receiver.mailbox()
    const { tradeNo } = await firstCallback(app, [{ status: 307, headers: { location: elsewhere.url } }])
    const entry = await waitForAttempts(app, tradeNo, 1)
    assert.equal(entry.attempts[0]?.acknowledged, false)
    assert.equal(elsewhere.received.length, 0)
  }),
  check('endless-response', '6', 'a response of several megabytes does no harm', async (context) => {
    const app = await context.newApp()
    const { tradeNo } = await firstCallback(app, [{ status: 500, body: 'x'.repeat(8 * 1024 * 1024) }])
    await waitForAttempts(app, tradeNo, 1)
    assert.equal((await app.detail(tradeNo)).notifySuccess, false)
  }),
  check('retry-after', '6', 'Retry-After delays the next attempt', async (context) => {
    const app = await context.newApp()
    const busy: MailboxResponse = { status: 503, headers: { 'retry-after': '600' } }
    const { tradeNo, mailbox } = await firstCallback(app, [busy, { status: 200 }])
    await waitForAttempts(app, tradeNo, 1)
    await context.sandbox.forward(9 * minute)
    assert.equal(mailbox.received.length, 1)
    await context.sandbox.forward(2 * minute)
    await mailbox.waitFor(2)
  }),
  check(
    'schedule',
    '6',
    'a callback that is never acknowledged is sent 16 times over about 24 hours',
    async (context) => {
      const app = await context.newApp()
      const { tradeNo, mailbox, callback } = await firstCallback(app, [{ status: 500 }])
      for (const [index, delay] of schedule.entries()) {
        const { nextAttempt, attempts } = await waitForAttempts(app, tradeNo, index + 1)
        const wait = Number(nextAttempt) - Number(attempts.at(-1)?.time)
        assert.ok(
          wait <= delay + second && wait > delay * 0.75,
          `after attempt ${index + 1}: ${wait} ms, expected ${delay}`,
        )
        await context.sandbox.forward(delay + second)
        const latest = (await mailbox.waitFor(index + 2)).at(-1) as ReceivedCallback
        expectSigned(latest, app)
        for (const constant of ['notifyId', 'notifyTime', 'transactionStatus', 'payNo']) {
          assert.equal(field(latest, constant), field(callback, constant), constant)
        }
      }
      const entry = await waitForAttempts(app, tradeNo, schedule.length + 1)
      assert.deepEqual([entry.state, entry.nextAttempt], ['dead', null])
      await context.sandbox.forward(24 * hour)
      assert.equal(mailbox.received.length, schedule.length + 1)
      assert.equal((await app.detail(tradeNo)).notifySuccess, false)
    },
  ),
  check('replay', '6', 'a callback can be replayed with the same notifyId', async (context) => {
    const app = await context.newApp()
    const { tradeNo, mailbox, callback } = await firstCallback(app, [{ status: 200 }])
    const entry = await waitForAttempts(app, tradeNo, 1)
    assert.equal(entry.state, 'delivered')
    await context.sandbox.replay(entry.notifyId)
    const again = expectSigned((await mailbox.waitFor(2))[1], app)
    assert.equal(field(again, 'notifyId'), field(callback, 'notifyId'))
    assert.equal((await waitForAttempts(app, tradeNo, 2)).attempts.length, 2)
  }),
  check(
    'rotated-secret',
    '6',
    'after a secret rotation without overlap, callbacks are signed with the new secret',
    async (context) => {
      const app = await context.newApp()
      const { tradeNo, mailbox } = await app.createTradeWithMailbox()
      app.secret = await context.sandbox.rotateSecret(app.appid, 0)
      await app.pay(tradeNo, 'succeeded')
      expectSigned((await mailbox.waitFor(1))[0], app)
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
      mailbox.responses = [{ status: 500 }, { status: 200 }]
      await app.pay(tradeNo, 'succeeded')
      await waitForAttempts(app, tradeNo, 1)
      assert.equal((await app.detail(tradeNo)).notifySuccess, false)
      await context.sandbox.forward(16 * second)
      await waitForAttempts(app, tradeNo, 2)
      assert.equal((await app.detail(tradeNo)).notifySuccess, true)
    },
  ),
]
