import { createHmac } from 'node:crypto'
import {
  type FakeAccount,
  type FakeProvider,
  type Protocol,
  type StartOptions,
  startFakeProvider,
} from './fakeProvider.ts'
import { newId } from './ids.ts'
import { type DeclineReason, type Method, methods, type Payment, type PaymentBook, type Refund } from './paymentBook.ts'
import { parseJsonObject, type Reply, type Request, type Route } from './server.ts'
import { minute } from './time.ts'

/** Settings and secrets of the fake PayTabs account. */
export const paytabsSettings = { profileId: '100001' }
export const paytabsSecrets = { serverKey: 'S2JN-LOCAL-KEY' }

/** Response statuses, codes and messages. */
const codes: Record<DeclineReason, [status: 'D' | 'E', code: string, message: string]> = {
  declined: ['D', '300', 'Not authorised'],
  insufficientFunds: ['D', '316', 'Insufficient funds'],
  expiredCard: ['D', '200', 'Invalid card details'],
  processingError: ['E', '400', 'Internal system error'],
  challengeFailed: ['D', '310', '3DSecure authentication rejected'],
  walletUnavailable: ['D', '206', 'Payment method not available'],
  walletToken: ['D', '300', 'Not authorised'],
}

/** Lifetime of a page, in ms. */
const pageLifetime = 20 * minute

const methodNames: Record<Method, string> = { card: 'creditcard', googlepay: 'googlepay', applepay: 'applepay' }

/** Starts a fake PayTabs (PT2): payment pages, queries, refunds, webhooks (IPN). */
export function startPaytabs(options: StartOptions = {}): Promise<FakeProvider> {
  return startFakeProvider(protocol, options)
}

export const account: FakeAccount = { settings: paytabsSettings, secrets: paytabsSecrets, start: startPaytabs }

const protocol: Protocol = {
  title: 'PayTabs',
  pageBehavior: { staysOpenAfterDecline: false, staysOpenAfterLeaving: false },
  returnsByPost: true,
  routes({ book, pageUrl }) {
    const api = (pattern: string, handle: (request: Record<string, unknown>) => Reply): Route => ({
      kind: 'api',
      method: 'POST',
      pattern,
      handle: ({ headers, body }: Request) => {
        const request = parseJsonObject(body)
        const authenticated = headers.authorization === paytabsSecrets.serverKey
        if (!authenticated || String(request.profile_id) !== paytabsSettings.profileId)
          return errorReply(401, 1, 'Authentication failed. Check authentication header.')
        return handle(request)
      },
    })
    return [
      api('/payment/request', (request) => {
        if (request.tran_type === 'refund') return refund(book, request)
        if (request.tran_type !== 'sale') return errorReply(400, 2, 'Invalid request: tran_type')
        if (book.find(String(request.cart_id))) return errorReply(400, 4, 'Duplicate request')
        const created = open(book, request)
        if ('status' in created) return created
        const { payment } = created
        return {
          status: 200,
          body: { ...cartOf(payment), tran_type: 'Sale', redirect_url: pageUrl(payment), callback: payment.webhookUrl },
        }
      }),
      api('/payment/query', (request) => {
        const id = String(request.tran_ref ?? request.cart_id)
        const payment = book.find(id)
        const found = payment ? transactionOf(payment) : findRefund(book, id)
        if (!found) return errorReply(404, 113, 'No transaction found')
        return { status: 200, body: request.tran_ref === undefined ? [found] : found }
      }),
    ]
  },
  webhooksFor(payment, event, url) {
    // PayTabs reports final results only, and nothing that happens to a payment afterwards.
    if (event === 'processing' || event === 'refundFailed' || event === 'disputed') return []
    const signatureHeaders = (body: string) => ({
      signature: createHmac('sha256', paytabsSecrets.serverKey).update(body).digest('hex'),
    })
    const transaction = event === 'refunded' ? refundOf(payment, payment.refunds.at(-1)!) : transactionOf(payment)
    return [{ url, signatureHeaders, body: JSON.stringify(transaction) }]
  },
}

function open(book: PaymentBook, request: Record<string, unknown>): { payment: Payment } | Reply {
  const { cart_id, cart_currency, cart_amount, cart_description, callback, payment_methods } = request
  const text = (name: string) => (typeof request[name] === 'string' ? request[name] : '')
  const amount = Math.round(Number(cart_amount) * 100)
  if (typeof cart_id !== 'string' || cart_id === '') return errorReply(400, 2, 'Invalid request: cart_id')
  if (!/^[A-Z]{3}$/.test(String(cart_currency))) return errorReply(400, 2, 'Invalid request: cart_currency')
  if (!(amount > 0)) return errorReply(400, 2, 'Invalid request: cart_amount')
  if (text('cart_description') === '') return errorReply(400, 2, 'Invalid request: cart_description')
  const tranRef = newId('TST', 13).toUpperCase()
  const allowed = Array.isArray(payment_methods) ? payment_methods : []
  return {
    payment: book.open({
      pageId: tranRef,
      paymentId: tranRef,
      reference: cart_id,
      amount,
      currency: String(cart_currency),
      description: String(cart_description),
      metadata: {},
      methods: methods.filter((method) => allowed.includes(methodNames[method])),
      redirectUrls: { success: text('return'), failure: text('return'), cancel: text('return') },
      ...(typeof callback === 'string' ? { webhookUrl: callback } : {}),
      expiresAt: book.now() + pageLifetime,
    }),
  }
}

function refund(book: PaymentBook, request: Record<string, unknown>): Reply {
  const payment = book.find(String(request.tran_ref))
  if (!payment) return errorReply(404, 113, 'No transaction found')
  const reference = String(request.cart_id)
  if (payment.refunds.some((each) => each.reference === reference)) return errorReply(400, 4, 'Duplicate request')
  const amount = Math.round(Number(request.cart_amount) * 100)
  const created = book.refund(payment, { id: newId('TST', 13).toUpperCase(), reference, amount })
  if (created) return { status: 200, body: refundOf(payment, created) }
  const payment_result = { response_status: 'E', response_code: '337', response_message: 'Refund amount too large' }
  const cart = { ...cartOf(payment), cart_id: reference, cart_amount: decimal(amount) }
  return { status: 200, body: { ...cart, tran_type: 'Refund', payment_result } }
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

function resultOf({ state, declineReason }: Payment): object {
  const result = (response_status: string, response_code: string, response_message: string) => ({
    response_status,
    response_code,
    response_message,
  })
  switch (state) {
    case 'paid':
      return result('A', 'G12345', 'Authorised')
    case 'declined':
      return result(...codes[declineReason!])
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

function findRefund(book: PaymentBook, idOrReference: string): object | undefined {
  for (const payment of book.list()) {
    const found = payment.refunds.find(({ id, reference }) => id === idOrReference || reference === idOrReference)
    if (found) return refundOf(payment, found)
  }
  return undefined
}

function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function errorReply(status: number, code: number, message: string): Reply {
  return { status, body: { code, message, trace: newId('PMNT') } }
}
