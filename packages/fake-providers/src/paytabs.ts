import { createHmac } from 'node:crypto'
import { type FakeProvider, type Protocol, type StartOptions, startFakeProvider } from './fakeProvider.ts'
import { newNumber } from './ids.ts'
import { type Answer, jsonOf, type Request, type Route } from './server.ts'
import { type Decline, type Method, methods, type Payment, type Refund, type Till } from './paymentBook.ts'

/** What an account of the local PayTabs is opened with. */
export const paytabsSettings = { profileId: '100001' }
export const paytabsSecrets = { serverKey: 'S2JN-LOCAL-KEY' }

/** Response codes, with what they say. */
const codes: Record<Decline, [status: 'D' | 'E', code: string, message: string]> = {
  declined: ['D', '300', 'Not authorised'],
  insufficientFunds: ['D', '316', 'Insufficient funds'],
  expiredCard: ['D', '200', 'Invalid card details'],
  processingError: ['E', '400', 'Internal system error'],
  challengeFailed: ['D', '310', '3DSecure authentication rejected'],
  walletUnavailable: ['D', '206', 'Payment method not available'],
  walletToken: ['D', '300', 'Not authorised'],
}

/** How long a page is open, ms. */
const pageLifetime = 20 * 60_000

const methodNames: Record<Method, string> = { card: 'creditcard', googlepay: 'googlepay', applepay: 'applepay' }

/** Starts a local PayTabs (PT2): payment pages, queries, refunds, IPN. */
export function startPaytabs(options: StartOptions = {}): Promise<FakeProvider> {
  return startFakeProvider(protocol, options)
}

const protocol: Protocol = {
  title: 'PayTabs',
  habits: { declineLeavesOpen: false, leavingLeavesOpen: false },
  returnsByPost: true,
  routes({ till, pageUrl }) {
    const api = (pattern: string, handle: (asked: Record<string, unknown>) => Answer): Route => ({
      kind: 'api',
      method: 'POST',
      pattern,
      handle: ({ headers, body }: Request) => {
        const asked = jsonOf(body)
        const known = headers.authorization === paytabsSecrets.serverKey
        if (!known || String(asked.profile_id) !== paytabsSettings.profileId)
          return refusal(401, 1, 'Authentication failed. Check authentication header.')
        return handle(asked)
      },
    })
    return [
      api('/payment/request', (asked) => {
        if (asked.tran_type === 'refund') return refund(till, asked)
        if (asked.tran_type !== 'sale') return refusal(400, 2, 'Invalid request: tran_type')
        if (till.find(String(asked.cart_id))) return refusal(400, 4, 'Duplicate request')
        const made = open(till, asked)
        if ('status' in made) return made
        const { payment } = made
        return {
          status: 200,
          body: { ...cartOf(payment), tran_type: 'Sale', redirect_url: pageUrl(payment), callback: payment.webhookUrl },
        }
      }),
      api('/payment/query', (asked) => {
        const wanted = String(asked.tran_ref ?? asked.cart_id)
        const payment = till.find(wanted)
        const found = payment ? transactionOf(payment) : refundNamed(till, wanted)
        if (!found) return refusal(404, 113, 'No transaction found')
        return { status: 200, body: asked.tran_ref === undefined ? [found] : found }
      }),
    ]
  },
  webhooksOf(payment, change, url) {
    // What has not come to an end is not told, nor what becomes of a payment later.
    if (change === 'processing' || change === 'refundFailed' || change === 'disputed') return []
    const signed = (body: string) => ({
      signature: createHmac('sha256', paytabsSecrets.serverKey).update(body).digest('hex'),
    })
    const told = change === 'refunded' ? refundOf(payment, payment.refunds.at(-1)!) : transactionOf(payment)
    return [{ url, signed, body: JSON.stringify(told) }]
  },
}

function open(till: Till, asked: Record<string, unknown>): { payment: Payment } | Answer {
  const { cart_id, cart_currency, cart_amount, cart_description, callback, payment_methods } = asked
  const text = (name: string) => (typeof asked[name] === 'string' ? asked[name] : '')
  const amount = Math.round(Number(cart_amount) * 100)
  if (typeof cart_id !== 'string' || cart_id === '') return refusal(400, 2, 'Invalid request: cart_id')
  if (!/^[A-Z]{3}$/.test(String(cart_currency))) return refusal(400, 2, 'Invalid request: cart_currency')
  if (!(amount > 0)) return refusal(400, 2, 'Invalid request: cart_amount')
  if (text('cart_description') === '') return refusal(400, 2, 'Invalid request: cart_description')
  const tranRef = newNumber('TST', 13).toUpperCase()
  const chosen = Array.isArray(payment_methods) ? payment_methods : []
  return {
    payment: till.open({
      pageId: tranRef,
      paymentId: tranRef,
      reference: cart_id,
      amount,
      currency: String(cart_currency),
      description: String(cart_description),
      metadata: {},
      methods: methods.filter((method) => chosen.includes(methodNames[method])),
      leads: { success: text('return'), failure: text('return'), cancel: text('return') },
      ...(typeof callback === 'string' ? { webhookUrl: callback } : {}),
      expiresAt: till.now() + pageLifetime,
    }),
  }
}

function refund(till: Till, asked: Record<string, unknown>): Answer {
  const payment = till.find(String(asked.tran_ref))
  if (!payment) return refusal(404, 113, 'No transaction found')
  const reference = String(asked.cart_id)
  if (payment.refunds.some((each) => each.reference === reference)) return refusal(400, 4, 'Duplicate request')
  const amount = Math.round(Number(asked.cart_amount) * 100)
  const made = till.refund(payment, { id: newNumber('TST', 13).toUpperCase(), reference, amount })
  if (made) return { status: 200, body: refundOf(payment, made) }
  const payment_result = { response_status: 'E', response_code: '337', response_message: 'Refund amount too large' }
  return { status: 200, body: { ...cartOf(payment), tran_type: 'Refund', payment_result } }
}

function cartOf({ pageId, reference, amount, currency, description }: Payment): object {
  return {
    tran_ref: pageId,
    cart_id: reference,
    cart_description: description,
    cart_currency: currency,
    cart_amount: decimal(amount),
    tran_currency: currency,
    tran_total: decimal(amount),
    profileId: Number(paytabsSettings.profileId),
  }
}

function transactionOf(payment: Payment): object {
  return {
    ...cartOf(payment),
    tran_type: 'Sale',
    payment_result: { ...resultOf(payment), transaction_time: new Date(payment.ctime).toISOString() },
    ...(payment.method === null ? {} : { payment_info: { payment_method: 'Visa', card_scheme: 'Visa' } }),
  }
}

function resultOf({ state, declined }: Payment): object {
  const result = (response_status: string, response_code: string, response_message: string) => ({
    response_status,
    response_code,
    response_message,
  })
  switch (state) {
    case 'paid':
      return result('A', 'G12345', 'Authorised')
    case 'declined':
      return result(...codes[declined!])
    case 'canceled':
      return result('C', '321', 'Cancelled by the customer')
    case 'expired':
      return result('X', '601', 'Expired')
    default:
      return result('P', '600', 'Pending')
  }
}

function refundOf(payment: Payment, { id, reference, amount }: Refund): object {
  return {
    ...cartOf(payment),
    tran_ref: id,
    previous_tran_ref: payment.pageId,
    tran_type: 'Refund',
    cart_id: reference,
    cart_amount: decimal(amount),
    tran_total: decimal(amount),
    payment_result: { response_status: 'A', response_code: 'G12345', response_message: 'Authorised' },
  }
}

function refundNamed(till: Till, name: string): object | undefined {
  for (const payment of till.all()) {
    const found = payment.refunds.find(({ id, reference }) => id === name || reference === name)
    if (found) return refundOf(payment, found)
  }
  return undefined
}

function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function refusal(status: number, code: number, message: string): Answer {
  return { status, body: { code, message, trace: newNumber('PMNT') } }
}
