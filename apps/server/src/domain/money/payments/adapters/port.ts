import type {
  Currency,
  DeclineReason,
  PayMethod,
  PayType,
  Provider,
  ProviderSecrets,
  ProviderSettings,
} from '@souk/contract'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Egress } from '../../../../kernel/egress.ts'

/**
 * The port to a payment provider. An adapter translates between the provider's protocol and these types and decides
 * nothing: every result goes through `settle`. Adapters access the network through `kernel/egress` and are never called
 * inside a transaction.
 *
 * `attemptId` identifies a payment on both sides. It is the provider's idempotency key and the reference in its
 * responses and webhooks, so that a payment can be found even if a response was lost. Every call may be repeated.
 *
 * Methods throw `ProviderUnavailable` if the provider cannot be reached or its response is not understood. The attempt
 * then stays in flight and is queried again.
 */
export interface PaymentProvider {
  /** The value of `payment_attempts.provider`. Never changes. */
  readonly name: Provider

  /** Returns the `payType` (open-api §2.5) of a payment before it is created. */
  payTypeOf(order: PaymentOrder): PayType

  /**
   * Creates the payment, or returns the result of the existing one with this attemptId. Takes less than 60 s. `failed`
   * without a `payNo` means that the provider has rejected the order and no payment exists; `credentialsRejected`, that
   * it has rejected the credentials.
   */
  create(order: PaymentOrder): Promise<ProviderResult>

  /** Returns the state of a payment. `unknown`: the provider has no payment that can still be paid. */
  query(payment: PaymentReference): Promise<ProviderResult>

  /**
   * Lists the captured payments of Souk that were created in a period, including those that Souk has lost. Missing if
   * the provider cannot list payments.
   */
  listPaid?(period: Period): Promise<PaidPayment[]>

  /** Cancels or voids a payment if possible. Returns its state afterwards, which may be `succeeded`. */
  cancel(payment: PaymentReference): Promise<ProviderResult>

  /** Refunds a succeeded payment fully or partly, once for each `refundNo` even if it is called again. */
  refund(payment: PaymentReference, refund: RefundOrder): Promise<RefundResult>

  /**
   * Verifies and parses a webhook. `rawBody` is the unmodified body, header names are lowercase. Returns null for a
   * genuine webhook that does not concern Souk.
   * @throws WebhookRejected if it was not sent by the provider
   */
  webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null>
}

/** The account that an adapter uses, and its access to the network. */
export interface Connection<P extends Provider> {
  egress: Egress
  clock: Clock
  settings: ProviderSettings<P>
  secrets: ProviderSecrets<P>
  webhookUrl: string
}

/** A payment to create. The order of an attempt is always the same. */
export interface PaymentOrder {
  attemptId: string
  appid: string
  tradeNo: string
  description: string | null
  /** Cents. */
  amount: number
  currency: Currency
  payMethod: PayMethod
  /** Time when the trade expires, ms of the domain clock. The provider's page need not stay open longer. */
  timeExpire: number
  /** Return URL of the provider's page. A return proves nothing, so Souk then queries the provider. */
  returnUrl: string
}

/** A created payment. `payNo` is null if no response has been received. */
export interface PaymentReference {
  attemptId: string
  payNo: string | null
}

/** From `from` to before `to`, ms. */
export interface Period {
  from: number
  to: number
}

/** A captured payment, as its provider lists it. `amount` in cents. */
export interface PaidPayment {
  attemptId: string
  payNo: string
  /** From the metadata of the payment; null for payments of earlier versions. */
  appid: string | null
  tradeNo: string | null
  amount: number
  currency: string
}

/** A refund to make. `refundNo` is its idempotency key, 32 hexadecimal digits; `amount` in cents. */
export interface RefundOrder {
  refundNo: string
  amount: number
  currency: string
}

/**
 * The state of a payment. `payNo` is the provider's ID of its page as long as it is unpaid, then of the payment.
 *
 * - `succeeded` has the amount that was actually paid, in cents, which is compared with the trade, and the refunded
 *   amount, or null if the provider does not report it.
 * - `failed` is final. `reason` is the provider's own code.
 * - `canceled`: by the payer or by Souk. `pageOpen`: unpaid, but the provider cannot close its page, so that it may
 *   still be paid. `expired`: not paid in time.
 * - `pending`: not decided. `pageOpen`: unpaid so far, and the provider does not return the URL of its page again.
 * - `redirect`: the payer has to go to the provider's page. May be returned again while the page is open. `url` is what
 *   the provider sent; `withCheckedResults` rejects other schemes than https.
 */
export type ProviderResult =
  | { kind: 'succeeded'; payNo: string; amount: number; currency: string; refunded: number | null }
  | {
      kind: 'failed'
      payNo: string | null
      failReasonType: DeclineReason
      reason?: string
      credentialsRejected?: boolean
    }
  | { kind: 'canceled'; payNo: string | null; pageOpen?: true }
  | { kind: 'expired'; payNo: string }
  | { kind: 'pending'; payNo: string; pageOpen?: true }
  | { kind: 'challenge'; payNo: string; prompt: string }
  | { kind: 'redirect'; payNo: string; url: string }
  | { kind: 'unknown' }

/** `pending`: the provider has accepted the refund. Repeat the call for its result. */
export type RefundResult = { kind: 'returned' } | { kind: 'pending' } | { kind: 'refused'; reason: string }

/** A verified webhook: the current state of its payment, and events of refunds and disputes. */
export interface ProviderEvent {
  attemptId: string
  result: ProviderResult
  /** A failed refund, even one that was `returned` before (ADR 271). */
  failedRefund?: { refundNo: string; reason: string }
  dispute?: Dispute
}

/** A dispute of the payer (ADR 276), with the provider's own values. `amount` in cents. */
export interface Dispute {
  disputeNo: string
  state: string
  amount: number
  currency: string
  reason: string | null
}

/** The provider could not be reached or its response was not understood. The message contains no secrets. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** True if the provider may have executed the request. */
  readonly mayHaveActed: boolean

  constructor(message: string, { mayHaveActed, cause }: { mayHaveActed: boolean; cause?: unknown }) {
    super(message, { cause })
    this.mayHaveActed = mayHaveActed
  }
}

/** A webhook was not sent by the provider or cannot be parsed. The message contains no secrets. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
}
