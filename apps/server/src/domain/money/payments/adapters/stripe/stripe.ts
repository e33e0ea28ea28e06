import { day, minute, type PayType, payType, second } from '@souk/contract'
import type Stripe from 'stripe'
import type { Egress } from '../../../../../kernel/egress.ts'
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
  WebhookRejected,
} from '../port.ts'
import { asObject, maxResponseBytes, requestTimeout, toProviderUnavailable, unexpectedResponse } from '../request.ts'
import { parseReference } from '../signedWebhook.ts'
import { declined, declines, refused } from './declines.ts'

/** Lifetimes of a page that Stripe allows, with a margin of a minute for the request, in ms. */
const pageLifetime = { min: 31 * minute, max: day - minute }

/** Maximum age of a webhook, in seconds. */
const webhookTolerance = 300

/**
 * Stripe with Checkout Sessions (ADR 260). The attemptId is the session's `client_reference_id` and in the metadata of
 * its PaymentIntent. `payNo` is the session's ID, then the PaymentIntent's.
 */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe'
  readonly #connection: Connection<'stripe'>
  #client: Promise<Stripe> | undefined

  constructor(connection: Connection<'stripe'>) {
    this.#connection = connection
  }

  payTypeOf(): PayType {
    return payType.cardProcessorA
  }

  async create(order: PaymentOrder): Promise<ProviderResult> {
    const { attemptId, appid, tradeNo, description, amount, currency, payMethod, returnUrl } = order
    const metadata = { attemptId, appid, tradeNo, payMethod: String(payMethod) }
    const expiresAt = this.#expiresAt(order)
    try {
      const session = await this.#request((stripe) =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: attemptId,
            // Includes the wallets of the payer's device.
            allowed_payment_method_types: ['card'],
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: currency.toLowerCase(),
                  unit_amount: amount,
                  product_data: { name: description?.slice(0, 250) || tradeNo },
                },
              },
            ],
            payment_intent_data: { metadata },
            metadata,
            success_url: returnUrl,
            cancel_url: returnUrl,
            ...(expiresAt === undefined ? {} : { expires_at: Math.floor(expiresAt / 1000) }),
          },
          { idempotencyKey: attemptId },
        ),
      )
      return sessionResult(session, attemptId)
    } catch (error) {
      if (!isFromStripe(error)) throw error
      const credentialsRejected = error.statusCode === 401 || error.statusCode === 403
      return { kind: 'failed', payNo: null, failReasonType: refused, reason: reasonOf(error), credentialsRejected }
    }
  }

  async query({ attemptId, payNo }: PaymentReference): Promise<ProviderResult> {
    if (payNo === null) {
      // If the response to the creation was lost, the URL of the page is unknown, so only PaymentIntents matter.
      const query = `metadata['attemptId']:'${attemptId}'`
      const found = await this.#requestExisting((stripe) =>
        stripe.paymentIntents.search({ query, expand: ['data.latest_charge'] }),
      )
      return found.data[0] ? this.#resultOf(found.data[0], attemptId) : { kind: 'unknown' }
    }
    if (payNo.startsWith('pi_')) {
      const expand = ['latest_charge']
      const intent = await this.#requestExisting((stripe) => stripe.paymentIntents.retrieve(payNo, { expand }))
      return this.#resultOf(intent, attemptId)
    }
    const expand = ['payment_intent.latest_charge']
    const session = await this.#requestExisting((stripe) => stripe.checkout.sessions.retrieve(payNo, { expand }))
    return sessionResult(session, attemptId)
  }

  async listPaid({ from, to }: Period): Promise<PaidPayment[]> {
    const created = { gte: Math.floor(from / second), lt: Math.ceil(to / second) }
    const intents = await this.#requestExisting(async (stripe) => {
      const listed: Stripe.PaymentIntent[] = []
      for await (const intent of stripe.paymentIntents.list({ created, limit: 100 })) listed.push(intent)
      return listed
    })
    return intents.flatMap(({ id: payNo, status, amount_received: amount, currency, metadata }) => {
      const attemptId = parseReference(metadata.attemptId)
      if (attemptId === null || status !== 'succeeded') return []
      const { appid = null, tradeNo } = metadata
      return { attemptId, payNo, appid, tradeNo: parseReference(tradeNo), amount, currency: currency.toUpperCase() }
    })
  }

  async cancel(reference: PaymentReference): Promise<ProviderResult> {
    const result = await this.query(reference)
    if (result.kind !== 'redirect') return result
    try {
      await this.#request((stripe) => stripe.checkout.sessions.expire(result.payNo))
      return { kind: 'canceled', payNo: result.payNo }
    } catch (error) {
      if (!isFromStripe(error, 'StripeInvalidRequestError')) throw toUnavailable(error)
      // The session is no longer open.
      return this.query(reference)
    }
  }

  async refund(reference: PaymentReference, order: RefundOrder): Promise<RefundResult> {
    const { refundNo, amount } = order
    const payment = await this.query(reference)
    if (payment.kind !== 'succeeded') return { kind: 'refused', reason: `the payment is ${payment.kind}` }
    // Stripe forgets idempotency keys after a day, and a refund may be repeated later.
    const intent = payment.payNo
    const refunds = await this.#requestExisting((stripe) =>
      stripe.refunds.list({ payment_intent: intent, limit: 100 }).autoPagingToArray({ limit: 10_000 }),
    )
    const existing = refunds.find(({ metadata }) => metadata?.refundNo === refundNo)
    if (existing) return refundResultOf(existing, intent, order)
    try {
      const params = { payment_intent: intent, amount, metadata: { refundNo } }
      const idempotencyKey = `refund-${refundNo}`
      const created = await this.#request((stripe) => stripe.refunds.create(params, { idempotencyKey }))
      return refundResultOf(created, intent, order)
    } catch (error) {
      if (!isFromStripe(error, 'StripeInvalidRequestError')) throw toUnavailable(error)
      return { kind: 'refused', reason: error.message }
    }
  }

  async webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null> {
    const event = await this.#verify(rawBody, headers['stripe-signature'] ?? '')
    const object = asObject(asObject(asObject(event).data).object)
    const payNo = payNoIn(object)
    if (payNo === null) return null
    // Events may arrive in any order, so the current state is queried.
    if (object.object === 'refund' || object.object === 'dispute') return this.#refundOrDisputeEvent(payNo, object)
    const attemptId = parseReference(asObject(object.metadata).attemptId)
    return attemptId === null ? null : { attemptId, result: await this.query({ attemptId, payNo }) }
  }

  /** Converts an event about a refund or dispute. The attempt is in the metadata of the payment. */
  async #refundOrDisputeEvent(payNo: string, object: Record<string, unknown>): Promise<ProviderEvent | null> {
    const expand = ['latest_charge']
    const intent = await this.#requestExisting((stripe) => stripe.paymentIntents.retrieve(payNo, { expand }))
    const attemptId = parseReference(intent.metadata.attemptId)
    if (attemptId === null) return null
    const event = { attemptId, result: await this.#resultOf(intent, attemptId) }
    if (object.object === 'dispute') return { ...event, dispute: disputeOf(object as unknown as Stripe.Dispute) }
    const refundId = idOf(object.id)
    if (refundId === null) return null
    const refund = await this.#requestExisting((stripe) => stripe.refunds.retrieve(refundId))
    const [refundNo, result] = [parseReference(refund.metadata?.refundNo), refundResultOf(refund, payNo)]
    if (refundNo === null || result.kind !== 'refused') return event
    return { ...event, failedRefund: { refundNo, reason: result.reason } }
  }

  async #verify(rawBody: Uint8Array, signature: string): Promise<Stripe.Event> {
    const { clock, secrets } = this.#connection
    // Anyone could sign with an empty one.
    if (!secrets.webhookSecret) throw new WebhookRejected('The provider account has no webhook secret.')
    const { webhooks } = await this.#stripe()
    const body = Buffer.from(rawBody)
    try {
      const now = clock.real()
      return await webhooks.constructEventAsync(
        body,
        signature,
        secrets.webhookSecret,
        webhookTolerance,
        undefined,
        now,
      )
    } catch (error) {
      if (!isFromStripe(error, 'StripeSignatureVerificationError') && !(error instanceof SyntaxError)) throw error
      throw new WebhookRejected('Stripe-Signature does not match the body or is too old.')
    }
  }

  /** Converts a payment. A declined one is not final while its page is open, since the payer can try again. */
  async #resultOf(intent: Stripe.PaymentIntent, attemptId: string): Promise<ProviderResult> {
    if (intent.status !== 'requires_payment_method') return intentResult(intent, attemptId)
    const params = { payment_intent: intent.id, limit: 1, expand: ['data.payment_intent.latest_charge'] }
    const { data } = await this.#requestExisting((stripe) => stripe.checkout.sessions.list(params))
    return data[0] ? sessionResult(data[0], attemptId) : intentResult(intent, attemptId)
  }

  /** Returns when the page expires, ms of real time: with the trade if Stripe allows that, otherwise after a day. */
  #expiresAt({ timeExpire }: PaymentOrder): number | undefined {
    const { clock } = this.#connection
    const left = timeExpire - clock.now()
    if (left < pageLifetime.min || left > pageLifetime.max) return undefined
    return clock.real() + left
  }

  /** Sends a request for an object that must exist. */
  async #requestExisting<T>(send: (stripe: Stripe) => Promise<T>): Promise<T> {
    return this.#request(send).catch((error: unknown) => {
      throw toUnavailable(error)
    })
  }

  /**
   * @throws ProviderUnavailable if it is unknown whether Stripe has acted
   * @throws StripeError if Stripe rejects the request
   */
  async #request<T>(send: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await this.#stripe()
    try {
      return await send(stripe)
    } catch (error) {
      if (!isFromStripe(error)) throw error
      if (error.detail instanceof ProviderUnavailable) throw error.detail
      const { statusCode = 500 } = error
      const isRejected = statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429
      if (isRejected && !isFromStripe(error, 'StripeIdempotencyError')) throw error
      const mayHaveActed = statusCode !== 429
      throw new ProviderUnavailable(`Stripe responded with ${error.statusCode ?? 'nothing'}.`, {
        mayHaveActed,
        cause: error,
      })
    }
  }

  #stripe(): Promise<Stripe> {
    this.#client ??= this.#connect()
    return this.#client
  }

  /** Loads the SDK on first use: it is large, and most installations have no account at Stripe. */
  async #connect(): Promise<Stripe> {
    const { default: Stripe } = await import('stripe')
    const { egress, settings, secrets } = this.#connection
    const { protocol, hostname, port } = new URL(settings.baseUrl)
    return new Stripe(secrets.secretKey, {
      host: hostname,
      protocol: protocol === 'http:' ? 'http' : 'https',
      ...(port === '' ? {} : { port }),
      httpClient: Stripe.createFetchHttpClient(fetchThrough(egress)),
      // Souk retries after querying what has happened.
      maxNetworkRetries: 0,
      timeout: requestTimeout,
      telemetry: false,
    })
  }
}

/** Returns whether an error was thrown by the SDK, and has this type. */
function isFromStripe(error: unknown, type?: string): error is Stripe.errors.StripeError {
  if (!(error instanceof Error) || !('type' in error)) return false
  return type === undefined ? String(error.type).startsWith('Stripe') : error.type === type
}

/** Returns a fetch function that sends all requests through the egress guard. */
function fetchThrough(egress: Egress): typeof fetch {
  return async (input, init) => {
    const url = String(input)
    const { status, headers, body } = await egress
      .request({
        purpose: 'stripe',
        url,
        method: init?.method === 'POST' ? 'POST' : 'GET',
        timeout: requestTimeout,
        maxBytes: maxResponseBytes,
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      })
      .catch((error: unknown) => {
        throw toProviderUnavailable(url, error)
      })
    // The SDK throws an error that nobody can catch if the answer is a JSON value without properties.
    if (isScalar(body)) throw unexpectedResponse('Stripe', 'a body that is not a JSON object')
    return new Response(body, { status, headers })
  }
}

function isScalar(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value !== 'object' || value === null
  } catch {
    return false
  }
}

/** Converts a rejection: the key is invalid, or the object belongs to another account. */
function toUnavailable(error: unknown): unknown {
  if (!isFromStripe(error)) return error
  const message = `Stripe responded with ${error.statusCode}: ${reasonOf(error)}`
  return new ProviderUnavailable(message, { mayHaveActed: false, cause: error })
}

function reasonOf(error: Stripe.errors.StripeError): string {
  return [error.code ?? error.type, error.param].filter(Boolean).join(': ')
}

/** Returns the ID of the session or PaymentIntent that an event is about. */
function payNoIn({ id, object, payment_intent }: Record<string, unknown>): string | null {
  if (object === 'checkout.session' || object === 'payment_intent') return idOf(id)
  const isOfPayment = object === 'charge' || object === 'refund' || object === 'dispute'
  return isOfPayment ? idOf(payment_intent) : null
}

/** Returns an ID of Stripe, which becomes part of an address, or null if the value is not one. */
function idOf(value: unknown): string | null {
  return typeof value === 'string' && /^\w{1,255}$/.test(value) ? value : null
}

function disputeOf({ id, status, amount, currency, reason }: Stripe.Dispute): Dispute {
  return { disputeNo: id, state: status, amount, currency: String(currency).toUpperCase(), reason }
}

/** @throws ProviderUnavailable if it is the page of another attempt */
function sessionResult(session: Stripe.Checkout.Session, attemptId: string): ProviderResult {
  const { id, object, status, url, payment_intent, client_reference_id } = session
  if (object !== 'checkout.session' || client_reference_id !== attemptId) {
    throw unexpectedResponse('Stripe', 'a page of another payment')
  }
  const intent = typeof payment_intent === 'object' ? payment_intent : null
  switch (status) {
    case 'open':
      // After a decline the page lets the payer try again.
      return url === null ? { kind: 'pending', payNo: id } : { kind: 'redirect', payNo: id, url }
    case 'complete':
      return intent ? intentResult(intent, attemptId) : { kind: 'pending', payNo: id }
    case 'expired':
      return intent?.last_payment_error ? intentResult(intent, attemptId) : { kind: 'expired', payNo: id }
    // An answer without a status does not say that the page is closed.
    default:
      throw unexpectedResponse('Stripe', `a session with the status ${status}`)
  }
}

/** @throws ProviderUnavailable if it is the payment of another attempt, or not a payment */
function intentResult(intent: Stripe.PaymentIntent, attemptId: string): ProviderResult {
  const { id: payNo, object, status, amount_received, currency, latest_charge, last_payment_error, metadata } = intent
  if (object !== 'payment_intent' || metadata?.attemptId !== attemptId) {
    throw unexpectedResponse('Stripe', 'another payment')
  }
  switch (status) {
    case 'succeeded': {
      const refunded = typeof latest_charge === 'object' ? (latest_charge?.amount_refunded ?? 0) : 0
      return { kind: 'succeeded', payNo, amount: amount_received, currency: String(currency).toUpperCase(), refunded }
    }
    case 'canceled':
    case 'requires_payment_method': {
      if (!last_payment_error) return status === 'canceled' ? { kind: 'canceled', payNo } : { kind: 'pending', payNo }
      const { code, decline_code } = last_payment_error
      const reason = decline_code ?? code
      const failReasonType = declineReason(declines, declined, Number(metadata.payMethod), decline_code, code)
      return { kind: 'failed', payNo, failReasonType, ...(reason ? { reason } : {}) }
    }
    default:
      return { kind: 'pending', payNo }
  }
}

/**
 * @param order what was asked for, if this is the answer
 * @throws ProviderUnavailable if it is a refund of another payment or amount
 */
function refundResultOf(refund: Stripe.Refund, intent: string, order?: RefundOrder): RefundResult {
  const { object, payment_intent, status, failure_reason, amount, currency, metadata } = refund
  const isOrdered =
    order === undefined ||
    (amount === order.amount && currency === order.currency.toLowerCase() && metadata?.refundNo === order.refundNo)
  if (object !== 'refund' || payment_intent !== intent || !isOrdered) {
    throw unexpectedResponse('Stripe', 'another refund')
  }
  if (status === 'succeeded') return { kind: 'returned' }
  if (status === 'pending' || status === 'requires_action') return { kind: 'pending' }
  // A refund whose state is unknown may have been made.
  if (status !== 'failed' && status !== 'canceled')
    throw unexpectedResponse('Stripe', `a refund with the status ${status}`)
  return { kind: 'refused', reason: failure_reason ?? status }
}
