import { type PayType, payType } from '@souk/contract'
import type Stripe from 'stripe'
import type { Egress } from '../../../../kernel/egress.ts'
import { declineReason } from '../declines.ts'
import {
  type Connection,
  type Dispute,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReference,
  type ProviderEvent,
  type ProviderResult,
  ProviderUnavailable,
  type RefundOrder,
  type RefundResult,
  WebhookRejected,
} from '../port.ts'
import { asObject, maxResponseBytes, requestTimeout, toProviderUnavailable } from '../request.ts'
import { parseReference } from '../signedWebhook.ts'
import { declined, declines, refused } from './declines.ts'

const minute = 60_000
const hour = 60 * minute

/** How long a page can be open, by Stripe's rules, with a minute for the way there; ms. */
const pageLifetime = { min: 31 * minute, max: 24 * hour - minute }

/** How old a webhook may be, seconds. */
const tolerance = 300

/**
 * Stripe, by Checkout Sessions (ADR 260). The attempt is the session's `client_reference_id` and stands in the metadata of
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
    const { attemptId, tradeNo, description, amount, currency, payMethod, returnUrl } = order
    const metadata = { attemptId, tradeNo, payMethod: String(payMethod) }
    const expiresAt = this.#expiresAt(order)
    try {
      const session = await this.#ask((stripe) =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: attemptId,
            // The page offers the wallets of the payer's device among cards.
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
      return sessionResult(session)
    } catch (error) {
      if (!isFromStripe(error)) throw error
      const credentialsRejected = error.statusCode === 401 || error.statusCode === 403
      return { kind: 'failed', payNo: null, failReasonType: refused, reason: reasonOf(error), credentialsRejected }
    }
  }

  async query({ attemptId, payNo }: PaymentReference): Promise<ProviderResult> {
    if (payNo === null) {
      // The address of a page whose creation was not answered has reached nobody, so nobody can pay there.
      const query = `metadata['attemptId']:'${attemptId}'`
      const found = await this.#known((stripe) =>
        stripe.paymentIntents.search({ query, expand: ['data.latest_charge'] }),
      )
      return found.data[0] ? this.#resultOf(found.data[0]) : { kind: 'unknown' }
    }
    if (payNo.startsWith('pi_')) {
      const expand = ['latest_charge']
      return this.#resultOf(await this.#known((stripe) => stripe.paymentIntents.retrieve(payNo, { expand })))
    }
    const expand = ['payment_intent.latest_charge']
    return sessionResult(await this.#known((stripe) => stripe.checkout.sessions.retrieve(payNo, { expand })))
  }

  async cancel(reference: PaymentReference): Promise<ProviderResult> {
    const result = await this.query(reference)
    if (result.kind !== 'redirect') return result
    try {
      await this.#ask((stripe) => stripe.checkout.sessions.expire(result.payNo))
      return { kind: 'canceled', payNo: result.payNo }
    } catch (error) {
      if (!isFromStripe(error, 'StripeInvalidRequestError')) throw unexpected(error)
      // The page has come to its end in between.
      return this.query(reference)
    }
  }

  async refund(reference: PaymentReference, { refundNo, amount }: RefundOrder): Promise<RefundResult> {
    const payment = await this.query(reference)
    if (payment.kind !== 'succeeded') return { kind: 'refused', reason: `the payment is ${payment.kind}` }
    // Stripe forgets idempotency keys after a day, and a refund may be asked for again later than that.
    const intent = payment.payNo
    const made = await this.#known((stripe) =>
      stripe.refunds.list({ payment_intent: intent, limit: 100 }).autoPagingToArray({ limit: 10_000 }),
    )
    const before = made.find(({ metadata }) => metadata?.refundNo === refundNo)
    if (before) return refundResultOf(before)
    try {
      const wanted = { payment_intent: intent, amount, metadata: { refundNo } }
      return refundResultOf(
        await this.#ask((stripe) => stripe.refunds.create(wanted, { idempotencyKey: `refund-${refundNo}` })),
      )
    } catch (error) {
      if (!isFromStripe(error, 'StripeInvalidRequestError')) throw unexpected(error)
      return { kind: 'refused', reason: error.message }
    }
  }

  async webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null> {
    const event = await this.#verified(rawBody, headers['stripe-signature'] ?? '')
    const object = event.data.object as unknown as Record<string, unknown>
    const payNo = payNoIn(object)
    if (payNo === null) return null
    // The event says that something happened; what holds now is asked, so that events may come in any order.
    if (object.object === 'refund' || object.object === 'dispute') return this.#aftermath(payNo, object)
    const attemptId = parseReference(asObject(object.metadata).attemptId)
    return attemptId === null ? null : { attemptId, result: await this.query({ attemptId, payNo }) }
  }

  /** An event about what became of a payment later: it does not name the attempt, but its payment does. */
  async #aftermath(payNo: string, object: Record<string, unknown>): Promise<ProviderEvent | null> {
    const expand = ['latest_charge']
    const intent = await this.#known((stripe) => stripe.paymentIntents.retrieve(payNo, { expand }))
    const attemptId = parseReference(intent.metadata.attemptId)
    if (attemptId === null) return null
    const event = { attemptId, result: await this.#resultOf(intent) }
    if (object.object === 'dispute') return { ...event, dispute: disputeOf(object as unknown as Stripe.Dispute) }
    const refund = await this.#known((stripe) => stripe.refunds.retrieve(String(object.id)))
    const [refundNo, result] = [parseReference(refund.metadata?.refundNo), refundResultOf(refund)]
    if (refundNo === null || result.kind !== 'refused') return event
    return { ...event, failedRefund: { refundNo, reason: result.reason } }
  }

  async #verified(rawBody: Uint8Array, signature: string): Promise<Stripe.Event> {
    const { webhooks } = await this.#stripe()
    const { clock, secrets } = this.#connection
    const body = Buffer.from(rawBody)
    try {
      const now = clock.real()
      return await webhooks.constructEventAsync(body, signature, secrets.webhookSecret, tolerance, undefined, now)
    } catch (error) {
      if (!isFromStripe(error, 'StripeSignatureVerificationError') && !(error instanceof SyntaxError)) throw error
      throw new WebhookRejected('Stripe-Signature does not fit the body, or is too old')
    }
  }

  /** Where a payment stands. One that was declined is not over while its page is open: the payer may try again. */
  async #resultOf(intent: Stripe.PaymentIntent): Promise<ProviderResult> {
    if (intent.status !== 'requires_payment_method') return intentResult(intent)
    const wanted = { payment_intent: intent.id, limit: 1, expand: ['data.payment_intent.latest_charge'] }
    const { data } = await this.#known((stripe) => stripe.checkout.sessions.list(wanted))
    return data[0] ? sessionResult(data[0]) : intentResult(intent)
  }

  /** When the page lapses, ms of real time: with the trade, where that lies within Stripe's bounds; else after a day. */
  #expiresAt({ timeExpire }: PaymentOrder): number | undefined {
    const { clock } = this.#connection
    const left = timeExpire - clock.now()
    if (left < pageLifetime.min || left > pageLifetime.max) return undefined
    return clock.real() + left
  }

  /** Asks for something that has to be there. */
  async #known<T>(question: (stripe: Stripe) => Promise<T>): Promise<T> {
    return this.#ask(question).catch((error: unknown) => {
      throw unexpected(error)
    })
  }

  /**
   * @throws ProviderUnavailable where the answer leaves open what has happened
   * @throws StripeError where Stripe refuses
   */
  async #ask<T>(question: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await this.#stripe()
    try {
      return await question(stripe)
    } catch (error) {
      if (!isFromStripe(error)) throw error
      if (error.detail instanceof ProviderUnavailable) throw error.detail
      const { statusCode = 500 } = error
      const isClear = statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429
      if (isClear && !isFromStripe(error, 'StripeIdempotencyError')) throw error
      const mayHaveActed = statusCode !== 429
      throw new ProviderUnavailable(`Stripe answers ${error.statusCode ?? 'nothing'}`, { mayHaveActed, cause: error })
    }
  }

  #stripe(): Promise<Stripe> {
    this.#client ??= this.#connect()
    return this.#client
  }

  /** The SDK is large, and most installations have no account at Stripe. */
  async #connect(): Promise<Stripe> {
    const { default: Stripe } = await import('stripe')
    const { egress, settings, secrets } = this.#connection
    const { protocol, hostname, port } = new URL(settings.baseUrl)
    return new Stripe(secrets.secretKey, {
      host: hostname,
      protocol: protocol === 'http:' ? 'http' : 'https',
      ...(port === '' ? {} : { port }),
      httpClient: Stripe.createFetchHttpClient(fetchThrough(egress)),
      // Reconciliation tries again, and it knows what has happened meanwhile.
      maxNetworkRetries: 0,
      timeout: requestTimeout,
      telemetry: false,
    })
  }
}

/** An error of the SDK, of this type where one is given. */
function isFromStripe(error: unknown, type?: string): error is Stripe.errors.StripeError {
  if (!(error instanceof Error) || !('type' in error)) return false
  return type === undefined ? String(error.type).startsWith('Stripe') : error.type === type
}

/** A fetch whose every request goes through the guard of the way out. */
function fetchThrough(egress: Egress): typeof fetch {
  return async (input, init) => {
    const url = String(input)
    const { status, headers, body } = await egress
      .request({
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
    return new Response(body, { status, headers })
  }
}

/** A refusal of something that has to be there: the key does not fit, or it is another account's. */
function unexpected(error: unknown): unknown {
  if (!isFromStripe(error)) return error
  const message = `Stripe answers ${error.statusCode}: ${reasonOf(error)}`
  return new ProviderUnavailable(message, { mayHaveActed: false, cause: error })
}

function reasonOf(error: Stripe.errors.StripeError): string {
  return [error.code ?? error.type, error.param].filter(Boolean).join(': ')
}

/** The session or PaymentIntent that an event is about. */
function payNoIn({ id, object, payment_intent }: Record<string, unknown>): string | null {
  if (object === 'checkout.session' || object === 'payment_intent') return String(id)
  const isOfPayment = object === 'charge' || object === 'refund' || object === 'dispute'
  return isOfPayment && typeof payment_intent === 'string' ? payment_intent : null
}

function disputeOf({ id, status, amount, currency, reason }: Stripe.Dispute): Dispute {
  return { disputeNo: id, state: status, amount, currency: currency.toUpperCase(), reason }
}

function sessionResult(session: Stripe.Checkout.Session): ProviderResult {
  const { id, status, url, payment_intent } = session
  const intent = typeof payment_intent === 'object' ? payment_intent : null
  switch (status) {
    case 'open':
      // After a decline the page lets the payer try again.
      return url === null ? { kind: 'pending', payNo: id } : { kind: 'redirect', payNo: id, url }
    case 'complete':
      return intent ? intentResult(intent) : { kind: 'pending', payNo: id }
    default:
      return intent?.last_payment_error ? intentResult(intent) : { kind: 'expired', payNo: id }
  }
}

function intentResult(intent: Stripe.PaymentIntent): ProviderResult {
  const { id: payNo, status, amount_received, currency, latest_charge, last_payment_error, metadata } = intent
  switch (status) {
    case 'succeeded': {
      const refunded = typeof latest_charge === 'object' ? (latest_charge?.amount_refunded ?? 0) : 0
      return { kind: 'succeeded', payNo, amount: amount_received, currency: currency.toUpperCase(), refunded }
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

function refundResultOf({ status, failure_reason }: Stripe.Refund): RefundResult {
  if (status === 'succeeded') return { kind: 'returned' }
  if (status === 'pending' || status === 'requires_action') return { kind: 'pending' }
  return { kind: 'refused', reason: failure_reason ?? status ?? 'failed' }
}
