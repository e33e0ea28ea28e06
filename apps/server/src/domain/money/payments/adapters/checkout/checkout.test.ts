import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { day } from '@souk/contract'
import { checkoutSecrets, checkoutSettings } from '@souk/fake-providers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OffsetClock } from '../../../../../kernel/clock.ts'
import { createEgress, type Egress } from '../../../../../kernel/egress.ts'
import { newId } from '../../../../../kernel/id.ts'
import { type PaymentOrder, ProviderUnavailable } from '../port.ts'
import { CheckoutProvider } from './checkout.ts'

/** The payments with the reference. */
let payments: { id: string; status: string; requested_on: string; balances?: object }[]
/** The actions of each payment. */
let actions: object[] = []
let server: Server
let egress: Egress
let provider: CheckoutProvider

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://checkout')
    const one = payments.find(({ id }) => pathname === `/payments/${id}`)
    const page = {
      id: 'hpp_1',
      reference: reference.attemptId,
      status: 'Payment Pending',
      _links: { redirect: { href: 'https://pay.example/hpp_1' } },
    }
    response.setHeader('content-type', 'application/json')
    if (pathname === '/payments/search') return response.end(JSON.stringify(search((await json(request)) as Search)))
    const listed = pathname === '/payments' ? { data: payments } : pathname.endsWith('/actions') ? actions : undefined
    response.end(JSON.stringify(one ?? listed ?? page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  egress = createEgress({ allowlist: [], loopback: true })
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`
  provider = new CheckoutProvider({
    egress,
    clock: new OffsetClock(),
    webhookUrl: '',
    settings: { ...checkoutSettings, baseUrl },
    secrets: checkoutSecrets,
  })
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})

interface Search {
  from: string
  to: string
  limit: number
}

function search({ from, to, limit }: Search): object {
  const found = payments.filter(({ requested_on: time }) => time >= from && time < to)
  return { data: found.slice(0, limit) }
}

const reference = { attemptId: newId(), payNo: 'hpp_1' }
let made = 0
const payment = (status: string, changes: object = {}) => ({
  id: `pay_${++made}`,
  reference: reference.attemptId,
  status,
  amount: 1250,
  currency: 'SAR',
  requested_on: '2030-01-01T00:00:00Z',
  ...changes,
})

test.each([
  ['Captured', 'succeeded'],
  ['Partially Refunded', 'succeeded'],
  ['Refunded', 'succeeded'],
  // Authorized payments are not captured yet.
  ['Authorized', 'pending'],
  ['Pending', 'pending'],
  ['A status of tomorrow', 'pending'],
  ['Declined', 'failed'],
  ['Canceled', 'canceled'],
  ['Voided', 'canceled'],
  ['Expired', 'expired'],
])('a payment that is %s has %s', async (status, kind) => {
  payments = [payment(status)]
  expect(await provider.query(reference)).toMatchObject({ kind })
})

test('reports the captured amount', async () => {
  payments = [payment('Partially Captured', { balances: { total_captured: 1000, total_refunded: 0 } })]
  expect(await provider.query(reference)).toMatchObject({ kind: 'succeeded', amount: 1000, refunded: 0 })
})

test('reports the most advanced payment of a page, or the newest of equals', async () => {
  payments = [payment('Declined'), payment('Captured', { id: 'pay_good' }), payment('Pending')]
  expect(await provider.query(reference)).toMatchObject({ kind: 'succeeded', payNo: 'pay_good' })
  payments = [payment('Declined'), payment('Declined', { id: 'pay_new', requested_on: '2030-01-02T00:00:00Z' })]
  expect(await provider.query(reference)).toMatchObject({ kind: 'failed', payNo: 'pay_new' })
})

test('cannot cancel a pending payment; an unpaid page counts as canceled', async () => {
  payments = [payment('Authorized', { id: 'pay_held' })]
  expect(await provider.cancel(reference)).toEqual({ kind: 'pending', payNo: 'pay_held' })
  payments = []
  expect(await provider.cancel(reference)).toEqual({ kind: 'canceled', payNo: 'hpp_1', pageOpen: true })
})

test('has a webhook repeated if the payment is not listed yet', async () => {
  const body = JSON.stringify({ type: 'payment_captured', data: { id: 'pay_1', reference: reference.attemptId } })
  const signature = createHmac('sha256', checkoutSecrets.webhookKey).update(body).digest('hex')
  const take = () => provider.webhook(Buffer.from(body), { 'cko-signature': signature })
  payments = []
  await expect(take()).rejects.toThrow(ProviderUnavailable)
  payments = [payment('Captured')]
  expect(await take()).toMatchObject({ attemptId: reference.attemptId, result: { kind: 'succeeded' } })
})

test('an unexpected response to a creation leaves the outcome unknown', async () => {
  payments = []
  const order: PaymentOrder = {
    ...reference,
    appid: 'teahouse00000001',
    tradeNo: newId(),
    description: null,
    amount: 1250,
    currency: 'SAR',
    payMethod: 3,
    timeExpire: 0,
    returnUrl: 'http://localhost:7070/host/v1/return/1',
  }
  // The stub responds to everything with 200.
  await expect(provider.create(order)).rejects.toMatchObject({ name: 'ProviderUnavailable', mayHaveActed: true })
})

test('finds the payment of a refund event by its ID', async () => {
  payments = [payment('Partially Refunded', { id: 'pay_7', reference: reference.attemptId })]
  const take = (type: string, data: object) => {
    const body = JSON.stringify({ type, data })
    const signature = createHmac('sha256', checkoutSecrets.webhookKey).update(body).digest('hex')
    return provider.webhook(Buffer.from(body), { 'cko-signature': signature })
  }
  const { attemptId } = reference
  expect(await take('payment_refunded', { id: 'pay_7', reference: attemptId })).toMatchObject({ attemptId })
  const refundNo = newId()
  actions = [{ type: 'Refund', reference: refundNo, approved: false, response_summary: 'Refused' }]
  expect(await take('payment_refund_declined', { id: 'pay_7', reference: refundNo })).toMatchObject({
    attemptId,
    failedRefund: { refundNo, reason: 'Refused' },
  })
  const dispute = { id: 'dsp_1', payment_reference: attemptId, amount: 700, currency: 'SAR', category: 'fraudulent' }
  expect(await take('dispute_received', dispute)).toMatchObject({
    attemptId,
    result: { kind: 'succeeded' },
    dispute: { disputeNo: 'dsp_1', state: 'received', amount: 700, currency: 'SAR', reason: 'fraudulent' },
  })
})

test('lists the payments of a busy day, although a response can have a part of them only', async () => {
  const from = Date.parse('2030-01-01T00:00:00Z')
  // The size of a payment with its source, customer, addresses and links.
  const source = { type: 'card', details: 'x'.repeat(2_500) }
  payments = Array.from({ length: 1_000 }, (_, index) =>
    payment('Captured', {
      reference: newId(),
      requested_on: new Date(from + index * 20_000).toISOString(),
      source,
    }),
  )
  const listed = await provider.listPaid({ from, to: from + day })
  expect(listed.map(({ payNo }) => payNo)).toEqual(payments.map(({ id }) => id))
})
