import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  checkoutSecrets,
  checkoutSettings,
  type FakeProvider,
  startCheckout,
  startStripe,
  stripeSecrets,
} from './index.ts'

let stripe: FakeProvider

beforeEach(async () => {
  stripe = await startStripe()
})
afterEach(() => stripe.close())

async function control(method: string, body: string) {
  const response = await fetch(`${stripe.url}/_control/${method}`, { method: 'POST', body })
  return [response.status, ((await response.json()) as { error?: { message: string } }).error?.message]
}

async function call(path: string, params: Record<string, string>) {
  const headers = { authorization: `Bearer ${stripeSecrets.secretKey}` }
  const body = new URLSearchParams(params)
  const response = await fetch(`${stripe.url}/v1/${path}`, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const openSession = (more: Record<string, string> = {}) =>
  call('checkout/sessions', {
    ...more,
    mode: 'payment',
    client_reference_id: 'order',
    success_url: 'http://localhost:9/',
    'line_items[0][price_data][unit_amount]': '100',
    'line_items[0][price_data][currency]': 'sar',
  })

test.each([
  ['failNext', '["dropafter"]', 'dropafter is not one of none, error, limit, dropBefore, dropAfter, hang.'],
  ['setWebhookFaults', '[{"lossrate":1}]', 'lossrate is not one of seed, lossRate, duplicateRate, maxDelay, hold.'],
  ['setRequestFaults', '[{"lossRate":1}]', expect.stringContaining('lossRate is not one of seed, errorRate')],
  ['setWebhookFaults', '{"lossRate":1}', 'The body must be the arguments as a JSON array.'],
  ['failNext', 'dropAfter', 'The body must be the arguments as a JSON array.'],
  ['webhookUrl', 'http://localhost:3000/', 'The body must be the arguments as a JSON array.'],
  ['webhookUrl', '[]', 'undefined is not a URL.'],
  ['moveClock', '["1h"]', 'The time must be a number of milliseconds.'],
])('%s refuses %s', async (method, body, message) => {
  expect(await control(method, body)).toEqual([400, message])
})

test('refuses an unknown outcome, and a payment that does not exist', async () => {
  expect(await control('pay', '["order"]')).toEqual([404, 'Stripe has no payment order'])
  await openSession()
  expect(await control('pay', '["order","aproved"]')).toEqual([400, expect.stringContaining('approved, challenge')])
  expect(stripe.find('order')!.state).toBe('open')
  expect(await control('pay', '["order","approved","card"]')).toEqual([200, undefined])
  expect(stripe.find('order')!.state).toBe('paid')
})

test.each([
  ['approved', ['payment_intent.succeeded', 'checkout.session.completed']],
  ['delayed', ['checkout.session.completed', 'payment_intent.succeeded', 'checkout.session.async_payment_succeeded']],
  [
    'delayedFailure',
    ['checkout.session.completed', 'payment_intent.payment_failed', 'checkout.session.async_payment_failed'],
  ],
] as const)('Stripe reports the outcome %s by its own events', async (outcome, events) => {
  stripe.webhookUrl = 'http://localhost:9/'
  stripe.setWebhookFaults({ hold: true })
  await openSession()
  stripe.pay('order', outcome)
  stripe.moveClock(31_000)
  expect(stripe.webhooks.held.map(({ body }) => JSON.parse(body).type)).toEqual(events)
})

test('a Checkout Session has its own metadata, not that of its PaymentIntent', async () => {
  const { body } = await openSession({ 'metadata[a]': '1', 'payment_intent_data[metadata][b]': '2' })
  expect(body.metadata).toEqual({ a: '1' })
  expect(stripe.find('order')!.metadata).toEqual({ b: '2' })
})

test('a refund without an amount returns what remains; one of an invalid amount is refused', async () => {
  await openSession()
  stripe.pay('order')
  const { paymentId: payment_intent } = stripe.find('order')!
  for (const amount of ['1.5', 'NaN', '0', '-1', '101']) {
    expect((await call('refunds', { payment_intent, amount })).status).toBe(400)
  }
  expect((await call('refunds', { payment_intent, amount: '30' })).status).toBe(200)
  expect((await call('refunds', { payment_intent })).body).toMatchObject({ amount: 70, status: 'succeeded' })
  expect((await call('refunds', { payment_intent })).status).toBe(400)
})

test('Checkout.com takes payments of its processing channel only', async () => {
  const checkout = await startCheckout()
  const urls = { success_url: checkout.url, failure_url: checkout.url, cancel_url: checkout.url }
  const order = { amount: 100, currency: 'SAR', reference: 'order', billing: { address: { country: 'SA' } }, ...urls }
  const open = async (processing_channel_id?: string) => {
    const headers = { authorization: `Bearer ${checkoutSecrets.secretKey}` }
    const body = JSON.stringify({ ...order, processing_channel_id })
    return (await fetch(`${checkout.url}/hosted-payments`, { method: 'POST', headers, body })).status
  }
  expect([await open(), await open('pc_other'), await open(checkoutSettings.processingChannelId)]).toEqual([
    422, 422, 201,
  ])
  await checkout.close()
})
