import { hour, minute } from '@souk/contract'
import { type FakeProvider, startStripe, stripeSecrets } from '@souk/fake-providers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OffsetClock } from '../../../../../kernel/clock.ts'
import { createEgress, type Egress } from '../../../../../kernel/egress.ts'
import { newId } from '../../../../../kernel/id.ts'
import type { PaymentOrder } from '../port.ts'
import { StripeProvider } from './stripe.ts'

let stripe: FakeProvider
let egress: Egress
const clock = new OffsetClock()

beforeAll(async () => {
  stripe = await startStripe({ webhookUrl: 'http://localhost:9' })
  stripe.setWebhookFaults({ hold: true })
  egress = createEgress({ allowlist: [], loopback: true })
})
afterAll(async () => {
  await stripe.close()
  await egress.close()
})

const provider = (through = egress, on = clock) =>
  new StripeProvider({
    egress: through,
    clock: on,
    settings: { baseUrl: stripe.url },
    secrets: stripeSecrets,
    webhookUrl: '',
  })
const order = (lifetime: number): PaymentOrder => ({
  attemptId: newId(),
  appid: 'teahouse00000001',
  tradeNo: newId(),
  description: null,
  amount: 1250,
  currency: 'SAR',
  payMethod: 3,
  timeExpire: clock.now() + lifetime,
  returnUrl: 'http://localhost:7070/host/v1/return/1',
})

test('the page expires with the trade, even on a moved clock, or after a day if Stripe does not allow that', async () => {
  clock.offset = 3 * hour
  for (const [lifetime, expected] of [
    [2 * hour, 2 * hour],
    [10 * minute, 24 * hour],
    [7 * 24 * hour, 24 * hour],
  ] as const) {
    const made = order(lifetime)
    await provider().create(made)
    const open = stripe.find(made.attemptId)!.expiresAt - Date.now()
    expect(Math.abs(open - expected)).toBeLessThan(minute)
  }
  clock.offset = 0
})

test('a declined card is not final while the page is open', async () => {
  const made = order(hour)
  await provider().create(made)
  stripe.webhooks.held.length = 0
  stripe.pay(made.attemptId, 'declined')
  const [declined] = stripe.webhooks.held
  expect(declined!.body).toContain('payment_intent.payment_failed')
  const take = () => provider().webhook(Buffer.from(declined!.body), declined!.signatureHeaders(declined!.body))
  expect(await take()).toMatchObject({ attemptId: made.attemptId, result: { kind: 'redirect' } })
  expect(await provider().query({ attemptId: made.attemptId, payNo: null })).toMatchObject({ kind: 'redirect' })
  stripe.pay(made.attemptId)
  expect(await take()).toMatchObject({ result: { kind: 'succeeded' } })
})

test('rejects a webhook older than five minutes', async () => {
  const made = order(hour)
  await provider().create(made)
  stripe.pay(made.attemptId)
  const { body, signatureHeaders } = stripe.webhooks.held.at(-1)!
  const headers = signatureHeaders(body)
  const later = { now: () => clock.now(), real: () => clock.real() + 301_000 } as OffsetClock
  await expect(provider(egress, later).webhook(Buffer.from(body), headers)).rejects.toThrow('too old')
  expect(await provider().webhook(Buffer.from(body), headers)).toMatchObject({ attemptId: made.attemptId })
})

test('ignores genuine webhooks about payments of others', async () => {
  const { signatureHeaders } = stripe.webhooks.held.at(-1)!
  for (const object of [
    { object: 'checkout.session', id: 'cs_1', metadata: {} },
    { object: 'checkout.session', id: 'cs_1', metadata: { attemptId: 'order 7' } },
    { object: 'payout', id: 'po_1' },
  ]) {
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'some.event', data: { object } })
    expect(await provider().webhook(Buffer.from(body), signatureHeaders(body))).toBeNull()
  }
})

test('finds a refund beyond the first page', async () => {
  const made = order(hour)
  await provider().create(made)
  stripe.pay(made.attemptId)
  const payment = { attemptId: made.attemptId, payNo: stripe.find(made.attemptId)!.paymentId }
  const refund = { refundNo: newId(), amount: 100, currency: 'SAR' }
  // Without an idempotency key, as after a day, when Stripe has forgotten it.
  const first = { amount: '100', 'metadata[refundNo]': refund.refundNo }
  for (const each of [first, ...Array<Record<string, string>>(100).fill({ amount: '1' })]) {
    await fetch(`${stripe.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripeSecrets.secretKey}` },
      body: new URLSearchParams({ payment_intent: payment.payNo, ...each }),
    })
  }
  const { refunds } = stripe.find(made.attemptId)!
  expect(await provider().refund(payment, refund)).toEqual({ kind: 'returned' })
  expect(refunds).toHaveLength(101)
})

test('ignores the reference of a refund made in Stripe’s dashboard', async () => {
  const made = order(hour)
  await provider().create(made)
  stripe.pay(made.attemptId)
  await fetch(`${stripe.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeSecrets.secretKey}` },
    body: new URLSearchParams({
      payment_intent: stripe.find(made.attemptId)!.paymentId,
      amount: '400',
      'metadata[refundNo]': 'order 7',
    }),
  })
  stripe.failRefund(made.attemptId)
  const { body, signatureHeaders } = stripe.webhooks.held.at(-1)!
  expect(JSON.parse(body)).toMatchObject({
    type: 'refund.failed',
    data: { object: { metadata: { refundNo: 'order 7' } } },
  })
  expect(await provider().webhook(Buffer.from(body), signatureHeaders(body))).toEqual({
    attemptId: made.attemptId,
    result: expect.objectContaining({ kind: 'succeeded', refunded: 0 }),
  })
})

test('sends every request through the egress guard', async () => {
  const closed = createEgress({ allowlist: [], loopback: false })
  await expect(provider(closed).create(order(hour))).rejects.toMatchObject({
    mayHaveActed: false,
    message: expect.stringContaining('SOUK_PRIVATE_HOSTS'),
  })
  await closed.close()
})
