import { createHmac } from 'node:crypto'
import {
  type FakeAccount,
  type FakeProvider,
  type Protocol,
  type StartOptions,
  startFakeProvider,
} from './fakeProvider.ts'
import { newId } from './ids.ts'
import {
  type DeclineReason,
  type Payment,
  type PaymentBook,
  type PaymentEvent,
  type Refund,
  refundedAmount,
  remainingAmount,
} from './paymentBook.ts'
import type { Reply, Request, Route } from './server.ts'
import { hour, minute } from './time.ts'

/** Secrets of the fake Stripe account. */
export const stripeSecrets = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' }

/** Error codes; card errors have a decline code as well. */
const codes: Record<DeclineReason, [code: string, declineCode?: string]> = {
  declined: ['card_declined', 'generic_decline'],
  insufficientFunds: ['card_declined', 'insufficient_funds'],
  expiredCard: ['expired_card'],
  processingError: ['processing_error'],
  challengeFailed: ['payment_intent_authentication_failure'],
  walletUnavailable: ['payment_method_unactivated'],
  walletToken: ['token_already_used'],
}

/** Minimum and maximum lifetime of a Checkout Session, in ms. */
const sessionLifetime = { min: 30 * minute, max: 24 * hour }

/** Starts a fake Stripe: Checkout Sessions, PaymentIntents, Refunds, events. */
export function startStripe(options: StartOptions = {}): Promise<FakeProvider> {
  return startFakeProvider(protocol, options)
}

export const account: FakeAccount = { settings: {}, secrets: stripeSecrets, start: startStripe }

const protocol: Protocol = {
  title: 'Stripe',
  pageBehavior: { staysOpenAfterDecline: true, staysOpenAfterLeaving: true },
  returnsByPost: false,
  routes(parts) {
    const api = createApi()
    return [...sessionRoutes(api, parts), ...intentRoutes(api, parts.book), ...refundRoutes(api, parts.book)]
  },
  webhooksFor(payment, event, url, now) {
    const signatureHeaders = (body: string) => {
      const time = Math.floor(now() / 1000)
      const signature = createHmac('sha256', stripeSecrets.webhookSecret).update(`${time}.${body}`).digest('hex')
      return { 'stripe-signature': `t=${time},v1=${signature}` }
    }
    return eventsOf(payment, event).map(([type, object]) => ({
      url,
      signatureHeaders,
      body: JSON.stringify({
        id: newId('evt_'),
        object: 'event',
        type,
        api_version: null,
        livemode: false,
        pending_webhooks: 1,
        created: Math.floor(now() / 1000),
        data: { object },
        request: null,
      }),
    }))
  },
}

type Api = (method: 'GET' | 'POST', pattern: string, handle: (request: Request, params: Params) => Reply) => Route

/** Returns a function that creates routes with authentication and idempotency keys. */
function createApi(): Api {
  const idempotent = new Map<string, { params: string; reply: Reply }>()
  return (method: 'GET' | 'POST', pattern: string, handle: (request: Request, params: Params) => Reply): Route => ({
    kind: 'api',
    method,
    pattern: `/v1/${pattern}`,
    handle: (request) => {
      if (request.headers.authorization !== `Bearer ${stripeSecrets.secretKey}`) {
        return errorReply(401, 'invalid_request_error', 'Invalid API Key provided')
      }
      const params = parseParams(method === 'GET' ? request.query : new URLSearchParams(request.body))
      const key = request.headers['idempotency-key']
      if (method === 'GET' || key === undefined) return handle(request, params)
      const earlier = idempotent.get(key)
      if (earlier && earlier.params !== request.body) {
        return errorReply(
          400,
          'idempotency_error',
          'Keys can only be used with the same parameters they were first used with.',
        )
      }
      const reply = earlier?.reply ?? handle(request, params)
      idempotent.set(key, { params: request.body, reply })
      return reply
    },
  })
}

function sessionRoutes(api: Api, { book, pageUrl }: Parameters<Protocol['routes']>[0]): Route[] {
  const session = (payment: Payment, params: Params) => sessionOf(payment, pageUrl(payment), expandPaths(params))
  return [
    api('POST', 'checkout/sessions', (_, params) => {
      const created = open(book, params)
      return 'status' in created ? created : { status: 200, body: session(created.payment, params) }
    }),
    api('GET', 'checkout/sessions', (_, params) => {
      const payment = book.find(String(params.payment_intent))
      const data = payment ? [sessionOf(payment, pageUrl(payment), expandPaths(params, 'data.'))] : []
      return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/checkout/sessions' } }
    }),
    api('GET', 'checkout/sessions/:id', ({ params: { id } }, params) => {
      const payment = book.payments.get(id!) && book.find(id!)
      return payment ? { status: 200, body: session(payment, params) } : notFound('checkout.session', id!)
    }),
    api('POST', 'checkout/sessions/:id/expire', ({ params: { id } }, params) => {
      const payment = book.payments.get(id!)
      if (!payment) return notFound('checkout.session', id!)
      if (!book.expirePage(payment)) {
        return errorReply(
          400,
          'invalid_request_error',
          'Only Checkout Sessions with a status in ["open"] can be expired.',
        )
      }
      return { status: 200, body: session(payment, params) }
    }),
  ]
}

function intentRoutes(api: Api, book: PaymentBook): Route[] {
  return [
    api('GET', 'payment_intents/search', (_, params) => {
      const query = /^metadata\["([^"]+)"\]:"([^"]+)"$/.exec(String(params.query).replaceAll("'", '"'))
      if (!query) return errorReply(400, 'invalid_request_error', 'Unable to parse your search query.')
      const found = book.list().filter((each) => each.method !== null && each.metadata[query[1]!] === query[2])
      const data = found.map((each) => intentOf(each, expandPaths(params, 'data.')))
      return { status: 200, body: { object: 'search_result', data, has_more: false, next_page: null } }
    }),
    api('GET', 'payment_intents', (_, params) => {
      const { gte, lt } = (params.created ?? {}) as Params
      const created = ({ ctime }: Payment) => Math.floor(ctime / 1000)
      const all = book
        .list()
        .filter(
          (each) => each.method !== null && created(each) >= Number(gte ?? 0) && created(each) < Number(lt ?? 1e12),
        )
        .reverse()
      const first = all.findIndex(({ paymentId }) => paymentId === params.starting_after) + 1
      const last = first + Number(params.limit ?? 10)
      const data = all.slice(first, last).map((each) => intentOf(each, expandPaths(params, 'data.')))
      return { status: 200, body: { object: 'list', data, has_more: last < all.length, url: '/v1/payment_intents' } }
    }),
    api('GET', 'payment_intents/:id', ({ params: { id } }, params) => {
      const payment = book.find(id!)
      return payment && payment.paymentId === id && payment.method !== null
        ? { status: 200, body: intentOf(payment, expandPaths(params)) }
        : notFound('payment_intent', id!)
    }),
  ]
}

function refundRoutes(api: Api, book: PaymentBook): Route[] {
  return [
    api('GET', 'refunds', (_, params) => {
      const payment = book.find(String(params.payment_intent))
      const all = [...(payment?.refunds ?? [])].reverse()
      const first = all.findIndex(({ id }) => id === params.starting_after) + 1
      const last = first + Number(params.limit ?? 10)
      const data = all.slice(first, last).map((each) => refundOf(payment!, each))
      return { status: 200, body: { object: 'list', data, has_more: last < all.length, url: '/v1/refunds' } }
    }),
    api('GET', 'refunds/:id', ({ params: { id } }) => {
      const payment = book.list().find(({ refunds }) => refunds.some((each) => each.id === id))
      const refund = payment?.refunds.find((each) => each.id === id)
      return payment && refund ? { status: 200, body: refundOf(payment, refund) } : notFound('refund', id!)
    }),
    api('POST', 'refunds', (_, params) => {
      const payment = book.find(String(params.payment_intent))
      if (!payment) return notFound('payment_intent', String(params.payment_intent))
      const reference = String((params.metadata as Params | undefined)?.refundNo ?? newId(''))
      const amount = params.amount === undefined ? remainingAmount(payment) : Number(params.amount)
      const refund = book.refund(payment, { id: newId('re_'), reference, amount })
      return refund
        ? { status: 200, body: refundOf(payment, refund) }
        : errorReply(400, 'invalid_request_error', 'Refund amount is greater than unrefunded amount on charge.')
    }),
  ]
}

type Params = { [name: string]: string | Params }

/** Opens a session, or returns an error reply. */
function open(book: PaymentBook, params: Params): { payment: Payment } | Reply {
  const price = nested(params, 'line_items', '0', 'price_data')
  const amount = Number(price.unit_amount)
  const now = book.now()
  const expiresAt = params.expires_at === undefined ? now + sessionLifetime.max : Number(params.expires_at) * 1000
  if (params.mode !== 'payment') return errorReply(400, 'invalid_request_error', 'Invalid mode', 'mode')
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > 99_999_999) {
    return errorReply(400, 'invalid_request_error', 'Invalid integer', 'line_items[0][price_data][unit_amount]')
  }
  // Callers round to seconds.
  if (expiresAt < now + sessionLifetime.min - 1_000 || expiresAt > now + sessionLifetime.max + 1_000) {
    return errorReply(
      400,
      'invalid_request_error',
      'The expires_at timestamp must be 30 minutes to 24 hours ahead.',
      'expires_at',
    )
  }
  return {
    payment: book.open({
      pageId: newId('cs_test_', 40),
      paymentId: newId('pi_'),
      expiresAt,
      amount,
      reference: String(params.client_reference_id ?? ''),
      currency: String(price.currency).toUpperCase(),
      description: String(nested(price, 'product_data').name ?? ''),
      metadata: nested(params, 'payment_intent_data', 'metadata') as Record<string, string>,
      pageMetadata: nested(params, 'metadata') as Record<string, string>,
      redirectUrls: {
        success: String(params.success_url),
        failure: String(params.success_url),
        cancel: String(params.cancel_url ?? params.success_url),
      },
    }),
  }
}

function sessionOf(payment: Payment, url: string, expand: readonly string[]): object {
  const { state, amount, currency, reference, pageMetadata: metadata } = payment
  const status = { open: 'open', challenge: 'open', processing: 'complete', paid: 'complete', declined: 'complete' }[
    state as string
  ]
  const intentPaths = expand.filter((path) => path.startsWith('payment_intent'))
  const intent = payment.method === null ? null : payment.paymentId
  return {
    id: payment.pageId,
    object: 'checkout.session',
    mode: 'payment',
    status: status ?? 'expired',
    payment_status: state === 'paid' ? 'paid' : 'unpaid',
    amount_total: amount,
    amount_subtotal: amount,
    currency: currency.toLowerCase(),
    client_reference_id: reference,
    metadata,
    payment_intent:
      intent && intentPaths.length > 0
        ? intentOf(
            payment,
            intentPaths.map((path) => path.replace(/^payment_intent\.?/, '')),
          )
        : intent,
    url: status === 'open' ? url : null,
    created: Math.floor(payment.ctime / 1000),
    expires_at: Math.floor(payment.expiresAt / 1000),
    livemode: false,
  }
}

const intentStates: Record<Payment['state'], string> = {
  open: 'requires_payment_method',
  challenge: 'requires_action',
  processing: 'processing',
  paid: 'succeeded',
  declined: 'requires_payment_method',
  canceled: 'canceled',
  expired: 'canceled',
}

function intentOf(payment: Payment, expand: readonly string[]): object {
  const { state, amount, currency, declineReason, metadata } = payment
  const charge = chargeOf(payment)
  const [code, declineCode] = declineReason ? codes[declineReason] : []
  return {
    id: payment.paymentId,
    object: 'payment_intent',
    status: intentStates[state],
    amount,
    amount_received: state === 'paid' ? amount : 0,
    currency: currency.toLowerCase(),
    metadata,
    latest_charge: charge && (expand.includes('latest_charge') ? charge : charge.id),
    last_payment_error: code ? { type: 'card_error', code, decline_code: declineCode, message: 'Declined.' } : null,
    created: Math.floor(payment.ctime / 1000),
    livemode: false,
  }
}

function chargeOf(payment: Payment) {
  if (payment.state !== 'paid') return null
  const wallet = { card: null, googlepay: { type: 'google_pay' }, applepay: { type: 'apple_pay' } }[payment.method!]
  return {
    id: payment.paymentId.replace(/^pi_/, 'ch_'),
    object: 'charge',
    amount: payment.amount,
    amount_captured: payment.amount,
    amount_refunded: refundedAmount(payment),
    refunded: refundedAmount(payment) === payment.amount,
    currency: payment.currency.toLowerCase(),
    payment_intent: payment.paymentId,
    payment_method_details: { type: 'card', card: { brand: 'visa', wallet } },
    metadata: payment.metadata,
  }
}

function refundOf(payment: Payment, { id, reference, amount, ctime, failed }: Refund): object {
  return {
    id,
    object: 'refund',
    amount,
    currency: payment.currency.toLowerCase(),
    ...(failed ? { status: 'failed', failure_reason: 'lost_or_stolen_card' } : { status: 'succeeded' }),
    payment_intent: payment.paymentId,
    metadata: { refundNo: reference },
    created: Math.floor(ctime / 1000),
  }
}

function disputeOf({ paymentId, amount, currency }: Payment): object {
  return {
    id: newId('du_'),
    object: 'dispute',
    amount,
    currency: currency.toLowerCase(),
    metadata: {},
    charge: paymentId.replace(/^pi_/, 'ch_'),
    payment_intent: paymentId,
    status: 'needs_response',
    reason: 'fraudulent',
  }
}

function eventsOf(payment: Payment, event: PaymentEvent): [type: string, object: object][] {
  const session = () => sessionOf(payment, '', [])
  const intent = () => intentOf(payment, [])
  const isDelayed = payment.scheduled !== null
  switch (event) {
    case 'paid':
      return [
        ['payment_intent.succeeded', intent()],
        [isDelayed ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed', session()],
      ]
    case 'processing':
      return [['checkout.session.completed', session()]]
    case 'declined':
      return [
        ['payment_intent.payment_failed', intent()],
        ...(isDelayed ? [['checkout.session.async_payment_failed', session()] as [string, object]] : []),
      ]
    case 'canceled':
      return []
    case 'expired':
      return [['checkout.session.expired', session()]]
    case 'refunded':
      return [['charge.refunded', chargeOf(payment)!]]
    case 'refundFailed':
      return [['refund.failed', refundOf(payment, payment.refunds.at(-1)!)]]
    case 'disputed':
      return [['charge.dispute.created', disputeOf(payment)]]
  }
}

/** Returns the paths in `expand[]`, without the prefix of list replies. */
function expandPaths(params: Params, prefix = ''): string[] {
  const expandField = params.expand
  if (typeof expandField !== 'object') return []
  return Object.values(expandField).map((path) => String(path).replace(prefix, ''))
}

/** Parses parameters such as a[b][c]=d into nested objects. */
function parseParams(pairs: URLSearchParams): Params {
  const params: Params = {}
  for (const [name, value] of pairs) {
    const path = name.replaceAll(']', '').split('[')
    let target = params
    for (const part of path.slice(0, -1)) {
      target[part] = typeof target[part] === 'object' ? target[part] : {}
      target = target[part] as Params
    }
    const last = path.at(-1)!
    target[last === '' ? String(Object.keys(target).length) : last] = value
  }
  return params
}

function nested(params: Params, ...path: string[]): Params {
  return path.reduce<Params>((value, part) => (typeof value[part] === 'object' ? value[part] : {}), params)
}

function errorReply(status: number, type: string, message: string, param?: string): Reply {
  return { status, body: { error: { type, message, ...(param === undefined ? {} : { param }) } } }
}

function notFound(type: string, id: string): Reply {
  return {
    status: 404,
    body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${type}: '${id}'` } },
  }
}
