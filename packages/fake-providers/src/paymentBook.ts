/** What a payer can pay with on a page. */
export type Method = 'card' | 'googlepay' | 'applepay'
export const methods: readonly Method[] = ['card', 'googlepay', 'applepay']

/**
 * What becomes of a try to pay. `challenge` asks for 3-D Secure first; `delayed` and `delayedFailure` are in the balance for
 * 30 s; the rest but `approved` are declines.
 */
export type Outcome = 'approved' | 'challenge' | 'delayed' | 'delayedFailure' | Decline
export type Decline = (typeof declines)[number]
const declines = [
  'declined',
  'insufficientFunds',
  'expiredCard',
  'processingError',
  'challengeFailed',
  'walletUnavailable',
  'walletToken',
] as const

/** Test cards; every other number with the right check digit is approved. */
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

/** How long a delayed payment is in the balance, ms. */
const delay = 30_000

/** What happens to a payment; each is told by a webhook. */
export type Change =
  | 'processing'
  | 'paid'
  | 'declined'
  | 'canceled'
  | 'expired'
  | 'refunded'
  | 'refundFailed'
  | 'disputed'

/** A page of a provider, and what was paid there. Amounts in cents, times in ms of the till's clock. */
export interface Payment {
  readonly pageId: string
  readonly paymentId: string
  /** What the merchant calls it. */
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly methods: readonly Method[]
  readonly metadata: Readonly<Record<string, string>>
  /** Where the page leads the payer. */
  readonly leads: { readonly success: string; readonly failure: string; readonly cancel: string }
  /** Where webhooks about this payment go, where the provider has one address for each payment. */
  readonly webhookUrl: string | null
  readonly ctime: number
  readonly expiresAt: number
  state: 'open' | 'challenge' | 'processing' | 'paid' | 'declined' | 'canceled' | 'expired'
  /** Of the last try; null before the first one. */
  method: Method | null
  /** Why the last try was declined. */
  declined: Decline | null
  /** What becomes of a payment that waits for 3-D Secure or for time to pass. */
  next: { outcome: 'approved' | Decline; at: number } | null
  refunds: Refund[]
}

export interface Refund {
  readonly id: string
  /** What the merchant calls it. */
  readonly reference: string
  readonly amount: number
  readonly ctime: number
  /** The payer’s bank has not taken it: the money is back. */
  failed: boolean
}

export type NewPayment = Omit<
  Payment,
  'ctime' | 'state' | 'method' | 'declined' | 'next' | 'refunds' | 'webhookUrl' | 'methods'
> & { webhookUrl?: string; methods?: readonly Method[] }

/** What a provider's page does after a decline, and when the payer leaves it: both may come back, or neither. */
export interface Habits {
  declineLeavesOpen: boolean
  leavingLeavesOpen: boolean
}

/** A provider's books: pages, what was paid there, what was given back. It knows no protocol. */
export class Till {
  readonly payments = new Map<string, Payment>()
  /** How far its clock runs ahead, ms. */
  ahead = 0
  readonly #habits: Habits
  readonly #changed: (payment: Payment, change: Change) => void

  constructor(habits: Habits, changed: (payment: Payment, change: Change) => void) {
    this.#habits = habits
    this.#changed = changed
  }

  now(): number {
    return Date.now() + this.ahead
  }

  open(made: NewPayment): Payment {
    const payment: Payment = {
      ...made,
      webhookUrl: made.webhookUrl ?? null,
      methods: made.methods?.length ? made.methods : methods,
      ctime: this.now(),
      state: 'open',
      method: null,
      declined: null,
      next: null,
      refunds: [],
    }
    this.payments.set(payment.pageId, payment)
    return payment
  }

  /** By the number of the page or of the payment, or by the merchant's reference. */
  find(name: string): Payment | undefined {
    this.#letTimePass()
    const found = this.payments.get(name)
    if (found) return found
    return [...this.payments.values()].find((each) => each.paymentId === name || each.reference === name)
  }

  all(): Payment[] {
    this.#letTimePass()
    return [...this.payments.values()]
  }

  /** The payer tries to pay. Does nothing where the page is no longer open. */
  pay(payment: Payment, method: Method, outcome: Outcome): void {
    this.#letTimePass()
    if (payment.state !== 'open') return
    payment.method = method
    payment.declined = null
    if (outcome === 'challenge') payment.state = 'challenge'
    else if (outcome === 'delayed' || outcome === 'delayedFailure') {
      payment.state = 'processing'
      payment.next = { outcome: outcome === 'delayed' ? 'approved' : 'declined', at: this.now() + delay }
      this.#changed(payment, 'processing')
    } else this.#decide(payment, outcome)
  }

  /** The payer answers 3-D Secure. */
  answer(payment: Payment, passed: boolean): void {
    if (payment.state === 'challenge') this.#decide(payment, passed ? 'approved' : 'challengeFailed')
  }

  /** The payer gives up on the page. */
  giveUp(payment: Payment): void {
    if (this.#habits.leavingLeavesOpen) return
    if (payment.state === 'challenge' || payment.state === 'open') this.#end(payment, 'canceled')
  }

  /** The merchant withdraws the page; false where it is no longer open. */
  withdraw(payment: Payment): boolean {
    this.#letTimePass()
    if (payment.state !== 'open' && payment.state !== 'challenge') return false
    this.#end(payment, 'expired')
    return true
  }

  /** Undefined where less than that is left of the payment, or nothing was paid. */
  refund(payment: Payment, refund: Omit<Refund, 'ctime' | 'failed'>): Refund | undefined {
    this.#letTimePass()
    if (payment.state !== 'paid' || refund.amount < 1 || refund.amount > payment.amount - refundedOf(payment)) return
    const made = { ...refund, ctime: this.now(), failed: false }
    payment.refunds.push(made)
    this.#changed(payment, 'refunded')
    return made
  }

  /** The payer’s bank sends back what was refunded last. */
  failRefund(payment: Payment): void {
    const refund = payment.refunds.at(-1)
    if (!refund || refund.failed) return
    refund.failed = true
    this.#changed(payment, 'refundFailed')
  }

  /** The payer disputes the payment with their bank. */
  dispute(payment: Payment): void {
    if (payment.state === 'paid') this.#changed(payment, 'disputed')
  }

  #letTimePass(): void {
    const now = this.now()
    for (const payment of this.payments.values()) {
      if (payment.state === 'processing' && payment.next && payment.next.at <= now) {
        this.#decide(payment, payment.next.outcome)
      }
      if ((payment.state === 'open' || payment.state === 'challenge') && payment.expiresAt <= now) {
        this.#end(payment, 'expired')
      }
    }
  }

  #decide(payment: Payment, outcome: 'approved' | Decline): void {
    payment.next = null
    payment.declined = outcome === 'approved' ? null : outcome
    if (outcome === 'approved') this.#end(payment, 'paid')
    else if (this.#habits.declineLeavesOpen && payment.state !== 'processing') {
      payment.state = 'open'
      this.#changed(payment, 'declined')
    } else this.#end(payment, 'declined')
  }

  #end(payment: Payment, state: 'paid' | 'declined' | 'canceled' | 'expired'): void {
    payment.state = state
    this.#changed(payment, state)
  }
}

export function refundedOf({ refunds }: Payment): number {
  return refunds.reduce((sum, { amount, failed }) => (failed ? sum : sum + amount), 0)
}

/** Whether a card's number has the right check digit (Luhn). */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
