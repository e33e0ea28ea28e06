import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OffsetClock } from '../../../../../kernel/clock.ts'
import { createEgress, type Egress } from '../../../../../kernel/egress.ts'
import { newId } from '../../../../../kernel/id.ts'
import { ProviderUnavailable } from '../port.ts'
import { PaytabsProvider } from './paytabs.ts'

/** Responses to the next queries. The last one is repeated. */
let answers: object[]
let server: Server
let egress: Egress
let provider: PaytabsProvider

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers.length > 1 ? answers.shift() : answers[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  egress = createEgress({ allowlist: [], loopback: true })
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`
  provider = new PaytabsProvider({
    egress,
    clock: new OffsetClock(),
    webhookUrl: 'http://localhost/webhooks/1',
    settings: { baseUrl, profileId: '1' },
    secrets: { serverKey: 'key' },
  })
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answers = []
})

const payment = { attemptId: newId(), payNo: 'TST1' }
const transaction = (response_status: string, changes: object = {}) => ({
  tran_ref: 'TST1',
  tran_type: 'Sale',
  cart_id: payment.attemptId,
  cart_currency: 'SAR',
  cart_amount: '12.50',
  payment_result: { response_status, response_code: '300' },
  ...changes,
})

test.each([
  ['A', 'succeeded'],
  ['H', 'pending'],
  ['P', 'pending'],
  ['D', 'failed'],
  ['E', 'failed'],
  ['X', 'expired'],
  ['C', 'canceled'],
  ['V', 'canceled'],
])('response_status %s is %s', async (status, kind) => {
  answers = [transaction(status)]
  expect(await provider.query(payment)).toMatchObject({ kind })
})

test.each([
  ['12.50', 1250],
  ['12.5', 1250],
  ['12', 1200],
  [12.5, 1250],
  ['1,250.00', 125_000],
  ['0.07', 7],
  ['8.290', 829],
  [1.1, 110],
])('an amount of %s is %i cents', async (tran_total, amount) => {
  answers = [transaction('A', { tran_total, tran_currency: 'USD' })]
  expect(await provider.query(payment)).toMatchObject({ kind: 'succeeded', amount, currency: 'USD' })
})

test.each(['', '12.505', '-1', '1e3', 'NaN'])('rejects an amount of "%s"', async (tran_total) => {
  answers = [transaction('A', { tran_total })]
  await expect(provider.query(payment)).rejects.toThrow(ProviderUnavailable)
})

test('reports the paid one of several transactions', async () => {
  answers = [[transaction('D'), transaction('A', { tran_ref: 'TST2' }), transaction('X')]]
  expect(await provider.query({ ...payment, payNo: null })).toMatchObject({ kind: 'succeeded', payNo: 'TST2' })
})

test('an unpaid page counts as canceled, a payment under review does not', async () => {
  answers = [transaction('P')]
  expect(await provider.cancel(payment)).toEqual({ kind: 'canceled', payNo: 'TST1', pageOpen: true })
  answers = [transaction('P', { payment_info: { payment_method: 'Visa' } })]
  expect(await provider.cancel(payment)).toEqual({ kind: 'pending', payNo: 'TST1' })
})

test('an invalid key or request does not make a payment unknown', async () => {
  for (const code of [1, 2]) {
    answers = [{ code, message: 'Invalid request' }]
    await expect(provider.query(payment)).rejects.toThrow(ProviderUnavailable)
  }
  for (const none of [{ code: 113, message: 'No transaction found' }, []]) {
    answers = [none]
    expect(await provider.query(payment)).toEqual({ kind: 'unknown' })
  }
})

test('an unexpected response does not repeat a refund', async () => {
  answers = ['<html>Maintenance</html>' as unknown as object, transaction('A', { tran_type: 'Refund' })]
  const refund = { refundNo: newId(), amount: 100, currency: 'SAR' }
  await expect(provider.refund(payment, refund)).rejects.toThrow('Unexpected response')
  expect(answers).toHaveLength(1)
})

test('rejects unknown response statuses', async () => {
  answers = [transaction('Q')]
  await expect(provider.query(payment)).rejects.toThrow('response_status Q')
})
