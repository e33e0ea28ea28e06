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
  type Method,
  methods,
  type Payment,
  type PaymentBook,
  type PaymentEvent,
  refundedAmount,
  remainingAmount,
} from './paymentBook.ts'
import { parseJsonObject, type Reply, type Request, type Route } from './server.ts'
import { hour } from './time.ts'

/** Settings and secrets of the fake Checkout.com account. */
export const checkoutSettings = { processingChannelId: 'pc_local', billingCountry: 'SA' }
export const checkoutSecrets = { secretKey: 'sk_sbox_local', webhookKey: 'local-signature-key' }

/** Response codes and summaries. */
const codes: Record<DeclineReason, [code: string, summary: string]> = {
  declined: ['20005', 'Declined - Do Not Honour'],
  insufficientFunds: ['20051', 'Insufficient Funds'],
  expiredCard: ['30033', 'Expired Card - Pick Up'],
  processingError: ['20096', 'System Malfunction'],
  challengeFailed: ['20151', 'Cardholder failed 3DS authentication'],
  walletUnavailable: ['20103', 'Card type/payment method not supported'],
  walletToken: ['20114', 'Token is incorrect'],
}

/** Lifetime of a page, in ms. */
const pageLifetime = 24 * hour

/** Starts a fake Checkout.com: hosted payment pages, payments, actions, refunds, webhooks. */
export function startCheckout(options: StartOptions = {}): Promise<FakeProvider> {
  return startFakeProvider(protocol, options)
}

export const account: FakeAccount = { settings: checkoutSettings, secrets: checkoutSecrets, start: startCheckout }

const protocol: Protocol = {
  title: 'Checkout.com',
  pageBehavior: { staysOpenAfterDecline: false, staysOpenAfterLeaving: true },
  returnsByPost: false,
  routes({ book, pageUrl }) {
    const idempotent = new Map<string, Reply>()
    const api = (method: 'GET' | 'POST', pattern: string, handle: (request: Request) => Reply): Route => ({
      kind: 'api',
      method,
      pattern,
      handle: (request) => {
        if (request.headers.authorization !== `Bearer ${checkoutSecrets.secretKey}`) return { status: 401, body: '' }
        const key = request.headers['cko-idempotency-key']
        if (method === 'GET' || key === undefined) return handle(request)
        const reply = idempotent.get(key) ?? handle(request)
        idempotent.set(key, reply)
        return reply
      },
    })
    const findPayment = (id: string) => {
      const payment = book.find(id)
      return payment?.paymentId === id && payment.method !== null ? payment : undefined
    }
    const notFound: Reply = { status: 404, body: '' }
    return [
      api('POST', '/hosted-payments', ({ body }) => {
        const created = open(book, parseJsonObject(body))
        if ('status' in created) return created
        const { payment } = created
        return {
          status: 201,
          body: { id: payment.pageId, reference: payment.reference, _links: { redirect: { href: pageUrl(payment) } } },
        }
      }),
      api('GET', '/hosted-payments/:id', ({ params: { id } }) => {
        const payment = book.payments.get(id!) && book.find(id!)
        return payment ? { status: 200, body: pageOf(payment, pageUrl(payment)) } : notFound
      }),
      api('GET', '/payments', ({ query }) => {
        const found = book.list().filter((each) => each.method !== null && each.reference === query.get('reference'))
        return { status: 200, body: { limit: 10, skip: 0, total_count: found.length, data: found.map(paymentOf) } }
      }),
      api('POST', '/payments/search', ({ body }) => {
        const { from, to, limit } = parseJsonObject(body)
        const [start, end] = [Date.parse(String(from)), Date.parse(String(to))]
        const found = book.list().filter((each) => each.method !== null && each.ctime >= start && each.ctime < end)
        const data = found.slice(0, Number(limit ?? 10)).map(paymentOf)
        return { status: 200, body: { limit, total_count: found.length, data } }
      }),
      api('GET', '/payments/:id', ({ params: { id } }) => {
        const payment = findPayment(id!)
        return payment ? { status: 200, body: paymentOf(payment) } : notFound
      }),
      api('GET', '/payments/:id/actions', ({ params: { id } }) => {
        const payment = findPayment(id!)
        return payment ? { status: 200, body: actionsOf(payment) } : notFound
      }),
      api('POST', '/payments/:id/refunds', ({ params: { id }, body }) => {
        const payment = findPayment(id!)
        if (!payment) return notFound
        const { amount = remainingAmount(payment), reference } = parseJsonObject(body)
        const actionId = newId('act_')
        const refund = book.refund(payment, { id: actionId, reference: String(reference), amount: Number(amount) })
        return refund
          ? { status: 202, body: { action_id: actionId, reference } }
          : invalid('refund_amount_exceeds_balance')
      }),
    ]
  },
  webhooksFor(payment, event, url) {
    const signatureHeaders = (body: string) => ({
      'cko-signature': createHmac('sha256', checkoutSecrets.webhookKey).update(body).digest('hex'),
    })
    return eventsOf(event).map((type) => ({
      url,
      signatureHeaders,
      body: JSON.stringify({
        id: newId('evt_'),
        type,
        version: '1.0.0',
        created_on: new Date().toISOString(),
        data: event === 'disputed' ? disputeOf(payment) : dataOf(payment, event),
      }),
    }))
  },
}

/** Returns the data of a payment event. Refund events carry the refund's reference and amount. */
function dataOf(payment: Payment, event: PaymentEvent): object {
  const { paymentId: id, currency, metadata } = payment
  const { reference, amount } = event.startsWith('refund') ? payment.refunds.at(-1)! : payment
  return { id, reference, amount, currency, metadata }
}

function disputeOf({ paymentId, reference, amount, currency }: Payment): object {
  return {
    id: newId('dsp_'),
    category: 'fraudulent',
    reason_code: '10.4',
    amount,
    currency,
    payment_id: paymentId,
    payment_reference: reference,
    payment_method: 'VISA',
  }
}

function open(book: PaymentBook, request: Record<string, unknown>): { payment: Payment } | Reply {
  const { amount, currency, reference, description, metadata, billing, allow_payment_methods } = request
  if (request.processing_channel_id !== checkoutSettings.processingChannelId)
    return invalid('processing_channel_id_invalid')
  const text = (name: string) => (typeof request[name] === 'string' ? request[name] : '')
  if (!Number.isSafeInteger(amount) || Number(amount) < 0) return invalid('amount_invalid')
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return invalid('currency_required')
  if (typeof reference !== 'string' || reference.length > 50) return invalid('reference_invalid')
  if (!(billing as { address?: { country?: string } } | undefined)?.address?.country) return invalid('billing_required')
  for (const name of ['success_url', 'failure_url', 'cancel_url']) {
    if (!URL.canParse(text(name))) return invalid(`${name}_invalid`)
  }
  const allowed = Array.isArray(allow_payment_methods) ? allow_payment_methods : []
  return {
    payment: book.open({
      pageId: newId('hpp_'),
      paymentId: newId('pay_'),
      reference,
      currency,
      amount: Number(amount),
      description: String(description ?? ''),
      metadata: (metadata as Record<string, string> | undefined) ?? {},
      methods: methods.filter((method: Method) => allowed.includes(method)),
      redirectUrls: { success: text('success_url'), failure: text('failure_url'), cancel: text('cancel_url') },
      expiresAt: book.now() + pageLifetime,
    }),
  }
}

function pageOf(payment: Payment, url: string): object {
  const { pageId, paymentId, reference, amount, currency, metadata, state } = payment
  const received = payment.method !== null && state !== 'challenge'
  const status = received ? 'Payment Received' : state === 'expired' ? 'Expired' : 'Payment Pending'
  return {
    id: pageId,
    status,
    reference,
    amount,
    currency,
    metadata,
    ...(received ? { payment_id: paymentId } : {}),
    _links: { redirect: { href: url } },
  }
}

function paymentOf(payment: Payment): object {
  const { paymentId, reference, amount, currency, metadata, declineReason } = payment
  const refunded = refundedAmount(payment)
  const captured = payment.state === 'paid' ? amount : 0
  return {
    id: paymentId,
    reference,
    amount,
    currency,
    metadata,
    status: statusOf(payment),
    requested_on: new Date(payment.ctime).toISOString(),
    payment_type: 'Regular',
    approved: payment.state === 'paid',
    source: { type: payment.method === 'card' ? 'card' : 'token', scheme: 'Visa', last4: '4242' },
    balances: { total_authorized: captured, total_captured: captured, total_refunded: refunded },
    ...(declineReason ? { response_code: codes[declineReason][0], response_summary: codes[declineReason][1] } : {}),
  }
}

function statusOf(payment: Payment): string {
  switch (payment.state) {
    case 'paid': {
      const refunded = refundedAmount(payment)
      if (refunded === 0) return 'Captured'
      return refunded === payment.amount ? 'Refunded' : 'Partially Refunded'
    }
    case 'declined':
      return 'Declined'
    case 'canceled':
      return 'Canceled'
    case 'expired':
      return 'Expired'
    default:
      return 'Pending'
  }
}

function actionsOf(payment: Payment): object[] {
  const { amount, declineReason, ctime } = payment
  const [code, summary] = declineReason ? codes[declineReason] : ['10000', 'Approved']
  const authorization = {
    id: newId('act_'),
    type: 'Authorization',
    amount,
    approved: declineReason === null,
    response_code: code,
    response_summary: summary,
    processed_on: new Date(ctime).toISOString(),
  }
  const refunds = payment.refunds.map((refund) => ({
    id: refund.id,
    type: 'Refund',
    amount: refund.amount,
    approved: !refund.failed,
    reference: refund.reference,
    response_code: '10000',
    response_summary: 'Approved',
    processed_on: new Date(refund.ctime).toISOString(),
  }))
  return [...refunds.reverse(), authorization]
}

function eventsOf(event: PaymentEvent): string[] {
  switch (event) {
    case 'paid':
      return ['payment_approved', 'payment_captured']
    case 'processing':
      return ['payment_pending']
    case 'declined':
      return ['payment_declined']
    case 'expired':
    case 'canceled':
      return []
    case 'refunded':
      return ['payment_refunded']
    case 'refundFailed':
      return ['payment_refund_declined']
    case 'disputed':
      return ['dispute_received']
  }
}

function invalid(code: string): Reply {
  return { status: 422, body: { request_id: newId(''), error_type: 'request_invalid', error_codes: [code] } }
}
