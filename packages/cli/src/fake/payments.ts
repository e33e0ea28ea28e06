import { randomBytes } from 'node:crypto'
import {
  decideSandboxPayment,
  minute,
  noFailReason,
  type Outcome,
  type PayMethod,
  type PayMethodName,
  type PayType,
  payMethod,
  type SandboxPaymentState,
  sandboxPayType,
  startSandboxPayment,
} from '@souk/contract'
import type { FakeClock } from './clock.ts'

/** A payment at the provider, and what Souk knows of it. */
export interface Payment extends SandboxPaymentState {
  readonly payNo: string
  readonly payType: PayType
  readonly payMethod: PayMethod
  outcome: Outcome
  /** Whether Souk waits for its result. */
  isInFlight: boolean
}

/** What Souk learns about a payment. */
type Report = (payment: Payment) => void

/** Time after which Souk asks the provider about a payment without a result. */
const queryDelay = minute

/** The provider of a sandbox, which decides payments by its own clock. */
export class FakeProvider {
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  create(outcome: Outcome, method: PayMethodName): Payment {
    return {
      payNo: `SBX${randomBytes(16).toString('hex')}`,
      payType: sandboxPayType(outcome),
      payMethod: payMethod[method],
      outcome,
      isInFlight: true,
      ...startSandboxPayment(outcome, this.#clock.now()),
    }
  }

  /** Calls `report` now and later, whenever Souk learns something about a new payment. */
  start(payment: Payment, report: Report): void {
    this.#decideWhenDue(payment, report)
    // The responses of these two are lost.
    if (payment.outcome !== 'lost' && payment.outcome !== 'late') report(payment)
    if (!payment.isInFlight) return
    this.#clock.at(this.#clock.now() + queryDelay, () => {
      if (!payment.isInFlight) return
      // The provider says that it does not know a late payment, so that the trade can be paid again.
      if (payment.outcome === 'late') payment.isInFlight = false
      report(payment)
    })
  }

  /** Cancels a payment, if the provider still can. */
  cancel(payment: Payment): void {
    if (!isUndecided(payment) || payment.outcome === 'late') return
    Object.assign(payment, { state: 'canceled', failReasonType: noFailReason, decidesAt: null })
  }

  /** Changes the outcome of a payment, also of a canceled one. Returns false if it is final. */
  resolve(payment: Payment, outcome: Outcome, report: Report): boolean {
    if (!isUndecided(payment) && payment.state !== 'canceled') return false
    Object.assign(payment, { outcome, ...startSandboxPayment(outcome, this.#clock.now()) })
    this.#decideWhenDue(payment, report)
    report(payment)
    return true
  }

  #decideWhenDue(payment: Payment, report: Report): void {
    const { decidesAt } = payment
    if (decidesAt === null) return
    this.#clock.at(decidesAt, () => {
      if (payment.decidesAt !== decidesAt) return
      Object.assign(payment, decideSandboxPayment(payment.outcome, decidesAt, payment.state === 'pending'))
      this.#decideWhenDue(payment, report)
      report(payment)
    })
  }
}

function isUndecided({ state }: Payment): boolean {
  return state === 'pending' || state === 'challenge'
}
