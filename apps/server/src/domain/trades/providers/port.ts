import type { Currency, DeclineReason, PayMethod, PayType } from '@souk/contract'

/**
 * What a payment processor is to Souk. An adapter turns a processor's own words into these and decides nothing: every
 * result goes through `settle`. Adapters reach the network through `kernel/egress` and are never called inside a
 * transaction.
 *
 * `attemptId` names a payment on both sides: it is sent as the processor's idempotency key and as the reference that its
 * answers and webhooks carry, so that an attempt can be found whatever was lost in between. Any call may be repeated.
 *
 * A method throws where the processor could not be reached or understood: nothing is known then, the attempt stays in
 * flight, and reconciliation asks again.
 */
export interface PaymentProvider {
  /** What `payment_attempts.provider` holds; never changes. */
  readonly name: string

  /** Which of the document's processors carries the payment (`payType`, open-api §2.5); known before it is created. */
  payTypeOf(order: PaymentOrder): PayType

  /** Creates the payment, or gives the result of the one that exists under this attemptId. Takes less than 60 s. */
  create(order: PaymentOrder): Promise<ProviderResult>

  /** Where the payment stands. `unknown`: the processor has none under this attemptId. */
  query(attemptId: string): Promise<ProviderResult>

  /** Cancels or voids what can be; answers where the payment stands then, which may be `succeeded`. */
  cancel(attemptId: string): Promise<ProviderResult>

  /** Gives the money of a succeeded payment back, once however often it is called. */
  refund(attemptId: string, amount: number, currency: string): Promise<RefundResult>

  /**
   * Reads what the processor sent. `rawBody` is the body byte for byte, header names are lowercase.
   * @throws WebhookRefused where it does not come from the processor.
   */
  webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent>
}

/** What is to be paid. */
export interface PaymentOrder {
  attemptId: string
  tradeNo: string
  description: string | null
  /** Cents. */
  amount: number
  currency: Currency
  payMethod: PayMethod
}

/**
 * Where a payment stands. `payNo` is the processor's number for it. `succeeded` carries what was really paid, in cents:
 * it is compared with the trade. `failed` is final.
 */
export type ProviderResult =
  | { kind: 'succeeded'; payNo: string; amount: number; currency: string }
  | { kind: 'failed'; payNo: string | null; failReasonType: DeclineReason }
  | { kind: 'canceled'; payNo: string | null }
  | { kind: 'pending'; payNo: string }
  | { kind: 'challenge'; payNo: string; prompt: string }
  | { kind: 'unknown' }

/** `pending`: the processor has taken the order to refund and is to be asked again later. */
export type RefundResult = { kind: 'returned' } | { kind: 'pending' } | { kind: 'refused'; reason: string }

/** A webhook that has been verified. */
export interface ProviderEvent {
  attemptId: string
  result: ProviderResult
}

/** What arrived as a webhook does not come from the processor, or cannot be read. The message holds no secret. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}
