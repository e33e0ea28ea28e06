import type {
  Currency,
  DeclineReason,
  PayMethod,
  PayType,
  Provider,
  ProviderSecrets,
  ProviderSettings,
} from '@souk/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { Egress } from '../../../kernel/egress.ts'

/**
 * What a payment provider is to Souk. An adapter turns a provider's own words into these and decides nothing: every
 * result goes through `settle`. Adapters reach the network through `kernel/egress` and are never called inside a
 * transaction.
 *
 * `attemptId` names a payment on both sides: it is sent as the provider's idempotency key and as the reference that its
 * answers and webhooks carry, so that an attempt can be found whatever was lost in between. Any call may be repeated.
 *
 * A method throws `ProviderUnavailable` where the provider could not be reached or understood: nothing is known then, the
 * attempt stays in flight, and reconciliation asks again.
 */
export interface PaymentProvider {
  /** What `payment_attempts.provider` holds; never changes. */
  readonly name: Provider

  /** Which of the document's providers carries the payment (`payType`, open-api §2.5); known before it is created. */
  payTypeOf(order: PaymentOrder): PayType

  /**
   * Creates the payment, or gives the result of the one that exists under this attemptId. Takes less than 60 s. `failed`
   * without a `payNo`: the provider has refused the order, and no payment exists; `credentialsRejected`: because it refuses the account.
   */
  create(order: PaymentOrder): Promise<ProviderResult>

  /** Where the payment stands. `unknown`: the provider has none that a payer could pay. */
  query(payment: PaymentReference): Promise<ProviderResult>

  /** Cancels or voids what can be; answers where the payment stands then, which may be `succeeded`. */
  cancel(payment: PaymentReference): Promise<ProviderResult>

  /** Gives money of a succeeded payment back, whole or in part: once for each `refundNo`, however often it is called. */
  refund(payment: PaymentReference, refund: RefundOrder): Promise<RefundResult>

  /**
   * Reads what the provider sent. `rawBody` is the body byte for byte, header names are lowercase. Null: it is genuine, and
   * about nothing that Souk keeps.
   * @throws WebhookRejected where it does not come from the provider.
   */
  webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null>
}

/** What an adapter works with: an account at its provider, and the way there. */
export interface Connection<P extends Provider> {
  egress: Egress
  clock: Clock
  settings: ProviderSettings<P>
  secrets: ProviderSecrets<P>
  /** Where the account's webhooks are received. */
  webhookUrl: string
}

/** What is to be paid. An attempt's order is the same whenever it is made. */
export interface PaymentOrder {
  attemptId: string
  tradeNo: string
  description: string | null
  /** Cents. */
  amount: number
  currency: Currency
  payMethod: PayMethod
  /** Until when the trade can be paid, ms of the domain clock: the provider's page need not be open for longer. */
  timeExpire: number
  /** Where the provider's page leads the payer back to. Who comes there proves nothing: Souk asks the provider then. */
  returnUrl: string
}

/** A payment that an order was made for. `payNo` is null where no answer of the provider has come back. */
export interface PaymentReference {
  attemptId: string
  payNo: string | null
}

/** Money to be given back. `refundNo` names the refund for ever, 32 hexadecimal digits; `amount` in cents. */
export interface RefundOrder {
  refundNo: string
  amount: number
  currency: string
}

/**
 * Where a payment stands. `payNo` is the provider's number for it: of its page as long as nobody has paid there, then of
 * the payment.
 *
 * - `succeeded` carries what was really paid, in cents: it is compared with the trade; and what of it was given back, null
 *   where the provider does not say so.
 * - `failed` is final. `reason` is the provider's own code, for the operator.
 * - `canceled`: by the payer at the provider, or by Souk's word. `pageOpen`: nobody has paid, but the provider does not close its
 *   page, so that somebody still may. `expired`: nobody has paid in time.
 * - `pending`: the provider has not decided. `pageOpen`: because nobody has tried to pay on its page, whose address it does not say again.
 * - `redirect`: the payer has to go to the provider's page. It may be given again as long as the page is open.
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

/** `pending`: the provider has taken the order to refund and is to be asked again later, by the same call. */
export type RefundResult = { kind: 'returned' } | { kind: 'pending' } | { kind: 'refused'; reason: string }

/** A webhook that has been verified: where the payment that it is about stands now, and what else the provider tells of it. */
export interface ProviderEvent {
  attemptId: string
  result: ProviderResult
  /** A refund that it is about, and that has failed: also one that was given back can come back (ADR 271). */
  failedRefund?: { refundNo: string; reason: string }
  dispute?: Dispute
}

/** The payer has their bank ask for the money back (ADR 270). What the provider says of it, in its own words; `amount` in cents. */
export interface Dispute {
  disputeNo: string
  state: string
  amount: number
  currency: string
  reason: string | null
}

/** The provider could not be reached or understood. The message holds no secret. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** Whether the provider may have done what it was asked for: false where the request has certainly not been taken. */
  readonly mayHaveActed: boolean

  constructor(message: string, { mayHaveActed, cause }: { mayHaveActed: boolean; cause?: unknown }) {
    super(message, { cause })
    this.mayHaveActed = mayHaveActed
  }
}

/** What arrived as a webhook does not come from the provider, or cannot be read. The message holds no secret. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
}
