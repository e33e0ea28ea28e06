import { type PayMethod, type PayType, payMethod, payType, second } from '@souk/contract'
import { declineReason } from '../declines.ts'
import {
  type Connection,
  type Dispute,
  type PaidPayment,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReference,
  type Period,
  type ProviderEvent,
  type ProviderResult,
  ProviderUnavailable,
  type RefundOrder,
  type RefundResult,
} from '../port.ts'
import { asObject, type ProviderResponse, sendRequest, unexpectedResponse } from '../request.ts'
import { parseReference, parseSignedBody } from '../signedWebhook.ts'
import { declined, declines, refused } from './declines.ts'

/** Payment methods of its page, by payMethod. */
const methodNames: Record<PayMethod, string> = {
  [payMethod['wallet-a']]: 'googlepay',
  [payMethod['wallet-b']]: 'applepay',
  [payMethod.card]: 'card',
}

/**
 * Maximum number of payments in the response to a search. Checkout.com allows 1000, but a payment with all its details
 * takes about 2.5 kB, and a response that is larger than `maxResponseBytes` is cut off.
 */
const searchLimit = 200

/** The fields of a Checkout.com payment that the adapter uses. */
interface CheckoutPayment {
  id: string
  status: string
  amount: number
  currency: string
  requested_on: string
  balances?: { total_captured?: number; total_refunded?: number }
  response_code?: string
  actions?: { type: string; response_code?: string }[]
  reference?: string
  metadata?: { appid?: string; tradeNo?: string; payMethod?: string }
}

/**
 * Checkout.com with Hosted Payments Pages (ADR 260). The attemptId is the `reference` of the page and its payments.
 * Payments are looked up by it, since a page can have several.
 */
export class CheckoutProvider implements PaymentProvider {
  readonly name = 'checkout'
  readonly #connection: Connection<'checkout'>

  constructor(connection: Connection<'checkout'>) {
    this.#connection = connection
  }

  payTypeOf(): PayType {
    return payType.hostedCheckout
  }

  async create(order: PaymentOrder): Promise<ProviderResult> {
    const { attemptId, appid, tradeNo, amount, currency, description, returnUrl } = order
    const { processingChannelId, billingCountry } = this.#connection.settings
    const response = await this.#send('POST', '/hosted-payments', {
      key: attemptId,
      body: {
        amount,
        currency,
        reference: attemptId,
        description: description?.slice(0, 100) || tradeNo,
        processing_channel_id: processingChannelId,
        billing: { address: { country: billingCountry } },
        success_url: returnUrl,
        failure_url: returnUrl,
        cancel_url: returnUrl,
        allow_payment_methods: [methodNames[order.payMethod]],
        capture: true,
        '3ds': { enabled: true },
        metadata: { appid, tradeNo, payMethod: String(order.payMethod) },
      },
    })
    if (response.status >= 400) {
      const credentialsRejected = response.status === 401 || response.status === 403
      return { kind: 'failed', payNo: null, failReasonType: refused, reason: reasonOf(response), credentialsRejected }
    }
    if (response.status !== 201) throw unexpectedResponse('Checkout.com', `a creation with HTTP ${response.status}`)
    return pageResult(asObject(response.body), attemptId)
  }

  async query({ attemptId, payNo }: PaymentReference): Promise<ProviderResult> {
    const payment = await this.#findPayment(attemptId)
    if (payment) return paymentResult(payment)
    if (payNo === null) return { kind: 'unknown' }
    const response = await this.#send('GET', `/hosted-payments/${encodeURIComponent(payNo)}`)
    if (isMissing(response)) return { kind: 'unknown' }
    return pageResult(this.#expectOk(response), attemptId)
  }

  /** Halves a period with more payments than a response can have. */
  async listPaid({ from, to }: Period): Promise<PaidPayment[]> {
    const body = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: searchLimit }
    const { data } = this.#expectOk(await this.#send('POST', '/payments/search', { body }))
    if (!Array.isArray(data)) throw unexpectedResponse('Checkout.com', 'a list of payments without data')
    if (data.length >= searchLimit && to - from > second) {
      const middle = Math.floor((from + to) / 2)
      return [...(await this.listPaid({ from, to: middle })), ...(await this.listPaid({ from: middle, to }))]
    }
    return (data as CheckoutPayment[]).flatMap((payment) => {
      const attemptId = parseReference(payment.reference)
      const result = paymentResult(payment)
      if (attemptId === null || result.kind !== 'succeeded') return []
      const { appid = null, tradeNo } = payment.metadata ?? {}
      const { payNo, amount, currency } = result
      return { attemptId, payNo, appid, tradeNo: parseReference(tradeNo), amount, currency }
    })
  }

  /** Queries only: pages cannot be closed and captures are immediate; a later payment is refunded (ADR 261). */
  async cancel(reference: PaymentReference): Promise<ProviderResult> {
    const result = await this.query(reference)
    return result.kind === 'redirect' ? { kind: 'canceled', payNo: result.payNo, pageOpen: true } : result
  }

  async refund({ attemptId }: PaymentReference, order: RefundOrder): Promise<RefundResult> {
    const { refundNo, amount } = order
    const payment = await this.#findPayment(attemptId)
    if (!payment) return { kind: 'refused', reason: 'the payment does not exist' }
    const existing = await this.#findRefund(payment.id, refundNo, amount)
    if (existing) return existing
    const response = await this.#send('POST', `/payments/${encodeURIComponent(payment.id)}/refunds`, {
      key: `refund-${refundNo}`,
      body: { amount, reference: refundNo },
    })
    if (response.status !== 202) return { kind: 'refused', reason: reasonOf(response) }
    return (await this.#findRefund(payment.id, refundNo, amount)) ?? { kind: 'pending' }
  }

  async webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null> {
    const fields = parseSignedBody(rawBody, headers['cko-signature'], this.#connection.secrets.webhookKey)
    const [type, data] = [String(fields.type), asObject(fields.data)]
    const attemptId = await this.#findAttemptId(type, data)
    if (attemptId === null) return null
    // Events may arrive in any order, so the current state is queried.
    const payment = await this.#findPayment(attemptId)
    if (!payment) throw new ProviderUnavailable('Checkout.com does not list the payment yet.', { mayHaveActed: true })
    const event = { attemptId, result: paymentResult(payment) }
    if (isDispute(type)) return { ...event, dispute: disputeOf(type, data) }
    const refundNo = isRefund(type) ? parseReference(data.reference) : null
    const refund = refundNo === null ? undefined : await this.#findRefund(payment.id, refundNo)
    if (refundNo === null || refund?.kind !== 'refused') return event
    return { ...event, failedRefund: { refundNo, reason: refund.reason } }
  }

  /** Finds the attempt of an event. Refund events may carry the reference of the refund. */
  async #findAttemptId(type: string, data: Record<string, unknown>): Promise<string | null> {
    if (isDispute(type)) return parseReference(data.payment_reference)
    if (!isRefund(type)) return parseReference(data.reference)
    if (typeof data.id !== 'string' || !/^\w{1,255}$/.test(data.id)) return null
    const response = await this.#send('GET', `/payments/${encodeURIComponent(data.id)}`)
    return response.status === 404 ? null : parseReference(this.#expectOk(response).reference)
  }

  /** Finds the most advanced payment of a page, with all its details. */
  async #findPayment(attemptId: string): Promise<CheckoutPayment | undefined> {
    const response = await this.#send('GET', `/payments?reference=${encodeURIComponent(attemptId)}`)
    if (isMissing(response)) return undefined
    const found = this.#expectOk(response).data
    if (!Array.isArray(found)) throw unexpectedResponse('Checkout.com', 'a list of payments without data')
    if (found.some((each) => typeof asObject(each).id !== 'string')) {
      throw unexpectedResponse('Checkout.com', 'a payment without an id')
    }
    const [furthest] = (found as CheckoutPayment[]).sort(
      (a, b) => rankOf(b.status) - rankOf(a.status) || String(b.requested_on).localeCompare(String(a.requested_on)),
    )
    if (!furthest) return undefined
    const details = await this.#send('GET', `/payments/${encodeURIComponent(furthest.id)}`)
    const payment = this.#expectOk(details) as unknown as CheckoutPayment
    if (payment.reference !== attemptId || payment.id !== furthest.id) {
      throw unexpectedResponse('Checkout.com', 'another payment')
    }
    return payment
  }

  /** @throws ProviderUnavailable if the refund is of another amount than `expected`, cents */
  async #findRefund(paymentId: string, refundNo: string, expected?: number): Promise<RefundResult | undefined> {
    const response = await this.#send('GET', `/payments/${encodeURIComponent(paymentId)}/actions`)
    if (response.status !== 200 || !Array.isArray(response.body))
      throw unexpectedResponse('Checkout.com', 'actions of a payment')
    const action = response.body
      .map(asObject)
      .find(({ type, reference }) => type === 'Refund' && reference === refundNo)
    if (!action) return undefined
    if (expected !== undefined && action.amount !== expected) {
      throw unexpectedResponse('Checkout.com', 'a refund of another amount')
    }
    if (action.approved === true) return { kind: 'returned' }
    if (action.approved !== false) return { kind: 'pending' }
    return { kind: 'refused', reason: String(action.response_summary ?? action.response_code ?? 'declined') }
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    { key, body }: { key?: string; body?: unknown } = {},
  ): Promise<ProviderResponse> {
    const { egress, settings, secrets } = this.#connection
    const headers = { authorization: `Bearer ${secrets.secretKey}` }
    return sendRequest(egress, {
      provider: this.name,
      method,
      url: settings.baseUrl + path,
      ...(body === undefined ? {} : { body }),
      headers: key === undefined ? headers : { ...headers, 'cko-idempotency-key': key },
    })
  }

  #expectOk({ status, body }: ProviderResponse): Record<string, unknown> {
    if (status === 200) return asObject(body)
    throw new ProviderUnavailable(`Checkout.com responded with ${status}.`, { mayHaveActed: false })
  }
}

/** Returns whether Checkout.com says that an object does not exist. A 404 of a proxy does not say that. */
function isMissing({ status, isForeign }: ProviderResponse): boolean {
  return status === 404 && !isForeign
}

function isRefund(type: string): boolean {
  return type.startsWith('payment_refund')
}

function isDispute(type: string): boolean {
  return type.startsWith('dispute_')
}

function disputeOf(type: string, { id, amount, currency, category, reason_code }: Record<string, unknown>): Dispute {
  const reason = [category, reason_code].filter(Boolean).join(' ')
  return {
    disputeNo: String(id),
    state: type.slice('dispute_'.length),
    reason: reason || null,
    amount: Number(amount),
    currency: String(currency),
  }
}

/** Ranks payments by progress. */
function rankOf(status: string): number {
  const { kind } = paymentResult({ status } as CheckoutPayment)
  return kind === 'succeeded' ? 2 : kind === 'pending' ? 1 : 0
}

/** Converts a payment. Unknown statuses and authorized payments, which are captured immediately, are pending. */
function paymentResult(payment: CheckoutPayment): ProviderResult {
  const { id: payNo, status, amount, currency, balances } = payment
  switch (status) {
    case 'Captured':
    case 'Partially Captured':
    case 'Partially Refunded':
    case 'Refunded': {
      const paid = balances?.total_captured ?? amount
      const refunded = balances?.total_refunded ?? (status === 'Refunded' ? paid : 0)
      return { kind: 'succeeded', payNo, amount: paid, currency, refunded }
    }
    case 'Declined': {
      const code = payment.response_code ?? payment.actions?.find(({ response_code }) => response_code)?.response_code
      const failReasonType = declineReason(declines, declined, Number(payment.metadata?.payMethod), code)
      return { kind: 'failed', payNo, failReasonType, ...(code === undefined ? {} : { reason: code }) }
    }
    case 'Canceled':
    case 'Voided':
      return { kind: 'canceled', payNo }
    case 'Expired':
      return { kind: 'expired', payNo }
    default:
      return { kind: 'pending', payNo }
  }
}

/** Converts an unpaid page. */
function pageResult(page: Record<string, unknown>, attemptId: string): ProviderResult {
  const { id: payNo, reference, status, _links } = page
  if (typeof payNo !== 'string') throw unexpectedResponse('Checkout.com', 'a page without an id')
  if (reference !== attemptId) throw unexpectedResponse('Checkout.com', 'the page of another payment')
  if (status === 'Expired') return { kind: 'expired', payNo }
  const { href } = asObject(asObject(_links).redirect)
  // A received payment may not be in the list of payments yet.
  if (status === 'Payment Received' || typeof href !== 'string') return { kind: 'pending', payNo }
  return { kind: 'redirect', payNo, url: href }
}

function reasonOf({ status, body }: ProviderResponse): string {
  const { error_codes } = asObject(body)
  return Array.isArray(error_codes) && error_codes.length > 0 ? error_codes.join(', ') : `HTTP ${status}`
}
