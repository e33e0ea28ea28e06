import { createServer, type RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { callbackBody, parseForm, webhookHeaders } from '@souk/contract'
import express from 'express'
import { afterEach, expect, test } from 'vitest'
import golden from '../../contract/vectors/callback.json' with { type: 'json' }
import { type Clock, type PaymentHandler, Souk } from './index.ts'

const appid = 'aaaaaaaaaaaaaaa'
const secret = '0123456789abcdef0123456789abcdef0123456789abcdef'
const otherSecret = 'fedcba9876543210fedcba9876543210fedcba9876543210'
const now = 1_700_000_000_000
const clock: Clock = { now: () => now, sleep: async () => {} }
const souk = new Souk({ baseUrl: 'http://localhost:7070', appid, secret, clock })
const { callbacks } = souk
const { body, headers } = callbacks.signTestCallback({
  notifyId: '0123456789abcdef0123456789abcdef',
  outTradeNo: 'order-1',
  amount: 1250,
  payNo: null,
})

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

const post = async (url: string, sent: string, type = headers['content-type']!) => {
  const answer = await fetch(url, { method: 'POST', body: sent, headers: { ...headers, 'content-type': type } })
  return { status: answer.status, text: await answer.text() }
}

test.each(golden.settings)('several secrets and a tolerance: $name', (vector) => {
  const { callbacks } = new Souk({
    baseUrl: 'http://localhost:7070',
    appid: 'a1b2c3d4e5f6g7h',
    secret: vector.secret,
    callbackSecrets: vector.otherSecrets,
    ...('tolerance' in vector && { callbackTolerance: vector.tolerance }),
    clock: { ...clock, now: () => vector.now },
  })
  const verify = () => callbacks.verify(vector.body, 'headers' in vector ? vector.headers : undefined)
  if (vector.code === null) expect(verify()).toMatchObject({ outTradeNo: '2024-ORDER_0001*A' })
  else expect(verify).toThrow(expect.objectContaining({ reason: vector.code }))
})

test('refuses an empty secret and a tolerance of 0', () => {
  const create = (settings: object) => () => new Souk({ baseUrl: 'http://localhost:7070', appid, secret, ...settings })
  expect(create({ callbackSecrets: [''] })).toThrow('callbackSecrets is empty')
  expect(create({ callbackTolerance: 0 })).toThrow('callbackTolerance must be a positive number')
})

test('returns a verified, typed callback', () => {
  expect(callbacks.verify(body)).toEqual({
    notifyId: '0123456789abcdef0123456789abcdef',
    notifyTime: now,
    appid,
    merchantId: '1123456789abcdef0123456789abcdef',
    tradeNo: '2123456789abcdef0123456789abcdef',
    outTradeNo: 'order-1',
    transactionStatus: 2,
    failReasonType: -1,
    amount: 1250,
    currency: 'SAR',
    openId: '3123456789abcdef0123456789abcdef',
    payType: 2,
    payMethod: 3,
    payNo: null,
    timestamp: now,
  })
})

test('verifies the result of a refund, and takes neither kind of callback for the other', async () => {
  const refund = callbacks.signTestRefund({ refundStatus: 3, failReason: 'closed', amount: 400 })
  const event = callbacks.verifyRefund(refund.body, refund.headers)
  expect(event).toEqual({
    notifyId: expect.stringMatching(/^[0-9a-f]{32}$/),
    notifyTime: now,
    appid,
    merchantId: '1123456789abcdef0123456789abcdef',
    tradeNo: '2123456789abcdef0123456789abcdef',
    outTradeNo: 'test-order',
    refundNo: '4123456789abcdef0123456789abcdef',
    outRefundNo: 'test-refund',
    refundStatus: 3,
    failReason: 'closed',
    amount: 400,
    currency: 'SAR',
    openId: '3123456789abcdef0123456789abcdef',
    timestamp: now,
  })
  expect(() => callbacks.verify(refund.body)).toThrow('transactionStatus is missing')
  expect(() => callbacks.verifyRefund(body)).toThrow('refundNo is missing')

  const received: string[] = []
  const handle = ({ outRefundNo }: { outRefundNo: string }) => void received.push(outRefundNo)
  const url = await listen(callbacks.nodeRefund(handle, { onError: () => {} }))
  expect(await post(url, refund.body)).toEqual({ status: 200, text: 'success' })
  expect(await post(url, body)).toMatchObject({ status: 400 })
  const answer = await callbacks.webRefund(handle)(new Request(url, { method: 'POST', ...refund }))
  expect(answer.status).toBe(200)
  expect(received).toEqual(['test-refund', 'test-refund'])
})

test('signs each test callback with its own notifyId', () => {
  const [first, second] = [callbacks.signTestCallback(), callbacks.signTestCallback()].map(({ body, headers }) =>
    callbacks.verify(body, headers),
  )
  expect(first!.notifyId).toMatch(/^[0-9a-f]{32}$/)
  expect(second!.notifyId).not.toBe(first!.notifyId)
})

test.each([
  ['text', body],
  ['bytes', new TextEncoder().encode(body)],
  ['a Buffer', Buffer.from(body)],
  ['URLSearchParams', new URLSearchParams(body)],
  ['the fields of a form parser', Object.fromEntries(new URLSearchParams(body))],
])('a body is taken as %s', (_, received) => {
  expect(callbacks.verify(received).outTradeNo).toBe('order-1')
})

const fields = Object.fromEntries(parseForm(body))
const other = new Souk({ baseUrl: 'http://localhost:7070', appid: 'bbbbbbbbbbbbbbb', secret: otherSecret, clock })

test.each([
  ['an empty body', '', 'body_missing'],
  ['an empty object, as a parser that takes no forms leaves it', {}, 'body_missing'],
  ['no body at all', undefined as unknown as string, 'body_missing'],
  ['a parsed body with numbers', { ...fields, amount: 1250 }, 'callback_malformed'],
  ['JSON', JSON.stringify(fields), 'callback_malformed'],
  ['a body without sign', 'notifyId=1', 'callback_malformed'],
  ['the callback of another app', other.callbacks.signTestCallback().body, 'other_app'],
  ['a changed amount', body.replace('amount=1250', 'amount=1'), 'sign_mismatch'],
  ['a body from which empty fields were dropped', body.replace('payNo=&', ''), 'body_changed'],
  ['a body to which fields were added', `${body}&utm_source=x`, 'body_changed'],
])('%s is refused with its reason', (_, received, reason) => {
  expect(() => callbacks.verify(received)).toThrow(
    expect.objectContaining({ name: 'CallbackVerificationError', reason }),
  )
})

test('refuses an old callback', () => {
  const later = new Souk({
    baseUrl: 'http://localhost:7070',
    appid,
    secret,
    clock: { ...clock, now: () => now + 301_000 },
  })
  expect(() => later.callbacks.verify(body)).toThrow(expect.objectContaining({ reason: 'callback_stale' }))
})

test('reveals neither the secret nor a value of the callback in the error', () => {
  try {
    callbacks.verify(body.replace('order-1', 'order-2'))
    expect.unreachable()
  } catch (error) {
    expect(String(error)).not.toMatch(/order-2|0123456789abcdef/)
  }
})

test('verifies the raw body with either secret during a rotation', () => {
  const { sign: _, ...unsigned } = { ...callbacks.verify(body), sign: '' }
  const signedByOther = callbackBody(unsigned, otherSecret)
  const rotating = webhookHeaders(unsigned.notifyId, now, signedByOther, [otherSecret, secret])
  expect(callbacks.verify(signedByOther, rotating)).toEqual(unsigned)
  expect(callbacks.verify(signedByOther, new Headers(rotating))).toEqual(unsigned)
  expect(() => callbacks.verify(signedByOther)).toThrow(expect.objectContaining({ reason: 'sign_mismatch' }))
  expect(() => callbacks.verify(signedByOther.replace('amount=1250', 'amount=1'), rotating)).toThrow(
    expect.objectContaining({ reason: 'sign_mismatch' }),
  )
})

test('verifies texts with characters that are not percent-encoded', () => {
  const orders = '订单'
  const forged = body.replace('order-1', orders)
  for (const received of [forged, new TextEncoder().encode(forged)]) {
    expect(() => callbacks.verify(received)).toThrow(expect.objectContaining({ reason: 'sign_mismatch' }))
    const vouched = webhookHeaders('0123456789abcdef0123456789abcdef', now, forged, [secret])
    expect(callbacks.verify(received, vouched)).toMatchObject({ outTradeNo: orders })
  }
})

test.each([
  ['no parser', undefined],
  ['express.urlencoded', express.urlencoded()],
  ['express.raw', express.raw({ type: '*/*' })],
  ['express.text', express.text({ type: '*/*' })],
  ['express.json', express.json()],
])('the listener for Express works behind %s', async (_, parser) => {
  const seen: string[] = []
  const app = express()
  if (parser) app.use(parser)
  app.post(
    '/',
    callbacks.node((payment) => void seen.push(payment.outTradeNo)),
  )
  expect(await post(await listen(app), body)).toEqual({ status: 200, text: 'success' })
  expect(seen).toEqual(['order-1'])
})

const handlers: [string, (handler: PaymentHandler, onError: (error: unknown) => void) => Promise<string>][] = [
  ['node', (handler, onError) => listen(callbacks.node(handler, { onError }))],
  ['web', (handler, onError) => listen(getRequestListener(callbacks.web(handler, { onError })))],
]

test.each(handlers)('a %s handler that throws responds 500, so that Souk retries', async (_, open) => {
  const errors: unknown[] = []
  const failure = new Error('the database is away')
  const url = await open(
    () => {
      throw failure
    },
    (error) => errors.push(error),
  )
  expect(await post(url, body)).toEqual({ status: 500, text: 'fail' })
  expect(errors).toEqual([failure])
})

test.each(handlers)('a %s handler refuses anything that is not a callback', async (_, open) => {
  const url = await open(
    () => expect.unreachable(),
    () => {},
  )
  expect(await post(url, 'x'.repeat(70_000))).toMatchObject({ status: 400, text: expect.stringContaining('larger') })
  expect(await post(url, '{}', 'application/json')).toMatchObject({ status: 400 })
  expect((await fetch(url)).status).toBe(405)
})
