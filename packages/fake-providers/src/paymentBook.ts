import { second } from './time.ts'

/** Payment methods that a payment page can offer. */
export type Method = 'card' | 'googlepay' | 'applepay'
export const methods: readonly Method[] = ['card', 'googlepay', 'applepay']

/**
 * Outcome of an attempt to pay. `challenge` requires 3-D Secure first; `delayed` and `delayedFailure` are processed for
 * 30 s; all others except `approved` are declines.
 */
export type Outcome = (typeof outcomes)[number]
export type DeclineReason = (typeof declineReasons)[number]
const declineReasons = [
  'declined',
  'insufficientFunds',
  'expiredCard',
  'processingError',
  'challengeFailed',
  'walletUnavailable',
  'walletToken',
] as const

export const outcomes = ['approved', 'challenge', 'delayed', 'delayedFailure', ...declineReasons] as const

/** Test cards. Every other number with a valid check digit is approved. */
export const cards: Readonly<Record<string, Outcome>> = {
  '4242424242424242': 'approved',
  '4000000000003220': 'challenge',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficientFunds',
  '4000000000000069': 'expiredCard',
  '4000000000000119': 'processingError',
  '4000000000000077': 'delayed',
  '4000000000000259': 'delayedFailure',
}

/** Processing time of a delayed payment, in ms. */
const processingTime = 30 * second

/** Changes of a payment that providers report by webhook. */
export type PaymentEvent =
  | 'processing'
  | 'paid'
  | 'declined'
  | 'canceled'
  | 'expired'
  | 'refunded'
  | 'refundFailed'
  | 'disputed'

/** A payment page and its payment. Amounts in cents, times in ms of the provider's clock. */
export interface Payment {
  readonly pageId: string
  readonly paymentId: string
  /** The merchant's reference. */
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly methods: readonly Method[]
  readonly metadata: Readonly<Record<string, string>>
  /** Metadata of the page, for providers where it has its own. */
  readonly pageMetadata: Readonly<Record<string, string>>
  /** URL to which the page redirects the payer. */
  readonly redirectUrls: { readonly success: string; readonly failure: string; readonly cancel: string }
  /** Webhook URL of this payment, for providers where each payment has its own. */
  readonly webhookUrl: string | null
  readonly ctime: number
  readonly expiresAt: number
  state: 'open' | 'challenge' | 'processing' | 'paid' | 'declined' | 'canceled' | 'expired'
  /** Method of the last attempt; null before the first. */
  method: Method | null
  /** Reason of the last decline. */
  declineReason: DeclineReason | null
  /** The result of a payment in `processing`, and when it takes effect. */
  scheduled: { outcome: 'approved' | DeclineReason; at: number } | null
  refunds: Refund[]
}

export interface Refund {
  readonly id: string
  /** The merchant's reference. */
  readonly reference: string
  readonly amount: number
  readonly ctime: number
  /** The payer’s bank has rejected the refund and returned the money. */
  failed: boolean
}

export type NewPayment = Omit<
  Payment,
  'ctime' | 'state' | 'method' | 'declineReason' | 'scheduled' | 'refunds' | 'webhookUrl' | 'methods' | 'pageMetadata'
> & { webhookUrl?: string; methods?: readonly Method[]; pageMetadata?: Readonly<Record<string, string>> }

/** True if a payment page stays open after a decline, and after the payer leaves it. */
export interface PageBehavior {
  staysOpenAfterDecline: boolean
  staysOpenAfterLeaving: boolean
}

/** The records of a provider: payment pages, payments and refunds. Independent of the provider's protocol. */
export class PaymentBook {
  readonly payments = new Map<string, Payment>()
  /** Offset of the provider's clock, in ms. */
  clockOffset = 0
  readonly #behavior: PageBehavior
  readonly #emit: (payment: Payment, event: PaymentEvent) => void

  constructor(behavior: PageBehavior, emit: (payment: Payment, event: PaymentEvent) => void) {
    this.#behavior = behavior
    this.#emit = emit
  }

  now(): number {
    return Date.now() + this.clockOffset
  }

  open(input: NewPayment): Payment {
    const payment: Payment = {
      ...input,
      webhookUrl: input.webhookUrl ?? null,
      methods: input.methods?.length ? input.methods : methods,
      pageMetadata: input.pageMetadata ?? {},
      ctime: this.now(),
      state: 'open',
      method: null,
      declineReason: null,
      scheduled: null,
      refunds: [],
    }
    this.payments.set(payment.pageId, payment)
    return payment
  }

  /** Finds a payment by page ID, payment ID or the merchant's reference. */
  find(id: string): Payment | undefined {
    this.processDue()
    const found = this.payments.get(id)
    if (found) return found
    return [...this.payments.values()].find((each) => each.paymentId === id || each.reference === id)
  }

  list(): Payment[] {
    this.processDue()
    return [...this.payments.values()]
  }

  /** Attempts a payment. Does nothing if the page is no longer open. */
  pay(payment: Payment, method: Method, outcome: Outcome): void {
    this.processDue()
    if (payment.state !== 'open') return
    payment.method = method
    payment.declineReason = null
    if (outcome === 'challenge') payment.state = 'challenge'
    else if (outcome === 'delayed' || outcome === 'delayedFailure') {
      payment.state = 'processing'
      const result = outcome === 'delayed' ? 'approved' : 'declined'
      payment.scheduled = { outcome: result, at: this.now() + processingTime }
      this.#emit(payment, 'processing')
    } else this.#decide(payment, outcome)
  }

  /** Completes 3-D Secure. */
  answerChallenge(payment: Payment, passed: boolean): void {
    if (payment.state === 'challenge') this.#decide(payment, passed ? 'approved' : 'challengeFailed')
  }

  /** Cancels the payment because the payer leaves the page. */
  leavePage(payment: Payment): void {
    if (this.#behavior.staysOpenAfterLeaving) return
    if (payment.state === 'challenge' || payment.state === 'open') this.#finish(payment, 'canceled')
  }

  /** Expires the page at the merchant's request. Returns false if it is no longer open. */
  expirePage(payment: Payment): boolean {
    this.processDue()
    if (payment.state !== 'open' && payment.state !== 'challenge') return false
    this.#finish(payment, 'expired')
    return true
  }

  /** Returns undefined if the payment was not paid, or the amount is not valid or exceeds what remains of it. */
  refund(payment: Payment, refund: Omit<Refund, 'ctime' | 'failed'>): Refund | undefined {
    this.processDue()
    const isValid = Number.isSafeInteger(refund.amount) && refund.amount >= 1
    if (payment.state !== 'paid' || !isValid || refund.amount > remainingAmount(payment)) return
    const created = { ...refund, ctime: this.now(), failed: false }
    payment.refunds.push(created)
    this.#emit(payment, 'refunded')
    return created
  }

  /** Fails the latest refund, as if the payer’s bank had returned the money. */
  failRefund(payment: Payment): void {
    const refund = payment.refunds.at(-1)
    if (!refund || refund.failed) return
    refund.failed = true
    this.#emit(payment, 'refundFailed')
  }

  /** Opens a dispute of a payment, as if by the payer’s bank. */
  dispute(payment: Payment): void {
    if (payment.state === 'paid') this.#emit(payment, 'disputed')
  }

  /** Applies scheduled results and expires pages whose time has passed. */
  processDue(): void {
    const now = this.now()
    for (const payment of this.payments.values()) {
      if (payment.state === 'processing' && payment.scheduled && payment.scheduled.at <= now) {
        this.#decide(payment, payment.scheduled.outcome)
      }
      if ((payment.state === 'open' || payment.state === 'challenge') && payment.expiresAt <= now) {
        this.#finish(payment, 'expired')
      }
    }
  }

  #decide(payment: Payment, outcome: 'approved' | DeclineReason): void {
    payment.declineReason = outcome === 'approved' ? null : outcome
    if (outcome === 'approved') this.#finish(payment, 'paid')
    else if (this.#behavior.staysOpenAfterDecline && payment.state !== 'processing') {
      payment.state = 'open'
      this.#emit(payment, 'declined')
    } else this.#finish(payment, 'declined')
    // Only now, because providers report a delayed result by other events.
    payment.scheduled = null
  }

  #finish(payment: Payment, state: 'paid' | 'declined' | 'canceled' | 'expired'): void {
    payment.state = state
    this.#emit(payment, state)
  }
}

export function refundedAmount({ refunds }: Payment): number {
  return refunds.reduce((sum, { amount, failed }) => (failed ? sum : sum + amount), 0)
}

export function remainingAmount(payment: Payment): number {
  return payment.amount - refundedAmount(payment)
}

/** Returns whether a card number has a valid check digit (Luhn). */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
