import { createHmac } from 'node:crypto'
import { type FakeProvider, type Protocol, type StartOptions, startFakeProvider } from './fakeProvider.ts'
import { newNumber } from './ids.ts'
import { type Answer, jsonOf, type Request, type Route } from './server.ts'
import { type Change, type Decline, type Method, methods, type Payment, refundedOf, type Till } from './paymentBook.ts'

/** What an account of the local Checkout.com is opened with. */
export const checkoutSettings = { processingChannelId: 'pc_local', billingCountry: 'SA' }
export const checkoutSecrets = { secretKey: 'sk_sbox_local', webhookKey: 'local-signature-key' }

/** Response codes, with what they say. */
const codes: Record<Decline, [code: string, summary: string]> = {
  declined: ['20005', 'Declined - Do Not Honour'],
  insufficientFunds: ['20051', 'Insufficient Funds'],
  expiredCard: ['30033', 'Expired Card - Pick Up'],
  processingError: ['20096', 'System Malfunction'],
  challengeFailed: ['20151', 'Cardholder failed 3DS authentication'],
  walletUnavailable: ['20103', 'Card type/payment method not supported'],
  walletToken: ['20114', 'Token is incorrect'],
}

const day = 24 * 3_600_000

/** Starts a local Checkout.com: hosted pages, payments, actions, refunds, webhooks. */
export function startCheckout(options: StartOptions = {}): Promise<FakeProvider> {
  return startFakeProvider(protocol, options)
}

const protocol: Protocol = {
  title: 'Checkout.com',
  habits: { declineLeavesOpen: false, leavingLeavesOpen: true },
  returnsByPost: false,
  routes({ till, pageUrl }) {
    const replayed = new Map<string, Answer>()
    const api = (method: 'GET' | 'POST', pattern: string, handle: (request: Request) => Answer): Route => ({
      kind: 'api',
      method,
      pattern,
      handle: (request) => {
        if (request.headers.authorization !== `Bearer ${checkoutSecrets.secretKey}`) return { status: 401, body: '' }
        const key = request.headers['cko-idempotency-key']
        if (method === 'GET' || key === undefined) return handle(request)
        const answer = replayed.get(key) ?? handle(request)
        replayed.set(key, answer)
        return answer
      },
    })
    const paid = (id: string) => {
      const payment = till.find(id)
      return payment?.paymentId === id && payment.method !== null ? payment : undefined
    }
    const missing: Answer = { status: 404, body: '' }
    return [
      api('POST', '/hosted-payments', ({ body }) => {
        const made = open(till, jsonOf(body))
        if ('status' in made) return made
        const { payment } = made
        return {
          status: 201,
          body: { id: payment.pageId, reference: payment.reference, _links: { redirect: { href: pageUrl(payment) } } },
        }
      }),
      api('GET', '/hosted-payments/:id', ({ params: { id } }) => {
        const payment = till.payments.get(id!) && till.find(id!)
        return payment ? { status: 200, body: pageOf(payment, pageUrl(payment)) } : missing
      }),
      api('GET', '/payments', ({ query }) => {
        const found = till.all().filter((each) => each.method !== null && each.reference === query.get('reference'))
        return { status: 200, body: { limit: 10, skip: 0, total_count: found.length, data: found.map(paymentOf) } }
      }),
      api('GET', '/payments/:id', ({ params: { id } }) => {
        const payment = paid(id!)
        return payment ? { status: 200, body: paymentOf(payment) } : missing
      }),
      api('GET', '/payments/:id/actions', ({ params: { id } }) => {
        const payment = paid(id!)
        return payment ? { status: 200, body: actionsOf(payment) } : missing
      }),
      api('POST', '/payments/:id/refunds', ({ params: { id }, body }) => {
        const payment = paid(id!)
        if (!payment) return missing
        const { amount, reference } = jsonOf(body)
        const actionId = newNumber('act_')
        const refund = till.refund(payment, { id: actionId, reference: String(reference), amount: Number(amount) })
        return refund
          ? { status: 202, body: { action_id: actionId, reference } }
          : invalid('refund_amount_exceeds_balance')
      }),
    ]
  },
  webhooksOf(payment, change, url) {
    const signed = (body: string) => ({
      'cko-signature': createHmac('sha256', checkoutSecrets.webhookKey).update(body).digest('hex'),
    })
    return eventsOf(change).map((type) => ({
      url,
      signed,
      body: JSON.stringify({
        id: newNumber('evt_'),
        type,
        version: '1.0.0',
        created_on: new Date().toISOString(),
        data: change === 'disputed' ? disputeOf(payment) : dataOf(payment, change),
      }),
    }))
  },
}

/** What an event about a payment holds. One about a refund has that one's reference and amount. */
function dataOf(payment: Payment, change: Change): object {
  const { paymentId: id, currency, metadata } = payment
  const { reference, amount } = change.startsWith('refund') ? payment.refunds.at(-1)! : payment
  return { id, reference, amount, currency, metadata }
}

function disputeOf({ paymentId, reference, amount, currency }: Payment): object {
  return {
    id: newNumber('dsp_'),
    category: 'fraudulent',
    reason_code: '10.4',
    amount,
    currency,
    payment_id: paymentId,
    payment_reference: reference,
    payment_method: 'VISA',
  }
}

function open(till: Till, asked: Record<string, unknown>): { payment: Payment } | Answer {
  const { amount, currency, reference, description, metadata, billing, allow_payment_methods } = asked
  const text = (name: string) => (typeof asked[name] === 'string' ? asked[name] : '')
  if (!Number.isSafeInteger(amount) || Number(amount) < 0) return invalid('amount_invalid')
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return invalid('currency_required')
  if (typeof reference !== 'string' || reference.length > 50) return invalid('reference_invalid')
  if (!(billing as { address?: { country?: string } } | undefined)?.address?.country) return invalid('billing_required')
  for (const name of ['success_url', 'failure_url', 'cancel_url']) {
    if (!URL.canParse(text(name))) return invalid(`${name}_invalid`)
  }
  const allowed = Array.isArray(allow_payment_methods) ? allow_payment_methods : []
  return {
    payment: till.open({
      pageId: newNumber('hpp_'),
      paymentId: newNumber('pay_'),
      reference,
      currency,
      amount: Number(amount),
      description: String(description ?? ''),
      metadata: (metadata as Record<string, string> | undefined) ?? {},
      methods: methods.filter((method: Method) => allowed.includes(method)),
      leads: { success: text('success_url'), failure: text('failure_url'), cancel: text('cancel_url') },
      expiresAt: till.now() + day,
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
  const { paymentId, reference, amount, currency, metadata, declined } = payment
  const refunded = refundedOf(payment)
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
    ...(declined ? { response_code: codes[declined][0], response_summary: codes[declined][1] } : {}),
  }
}

function statusOf(payment: Payment): string {
  switch (payment.state) {
    case 'paid': {
      const refunded = refundedOf(payment)
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
  const { amount, declined, ctime } = payment
  const [code, summary] = declined ? codes[declined] : ['10000', 'Approved']
  const authorization = {
    id: newNumber('act_'),
    type: 'Authorization',
    amount,
    approved: declined === null,
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

function eventsOf(change: Change): string[] {
  switch (change) {
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

function invalid(code: string): Answer {
  return { status: 422, body: { request_id: newNumber(''), error_type: 'request_invalid', error_codes: [code] } }
}
