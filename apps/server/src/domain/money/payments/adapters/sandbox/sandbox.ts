import {
  type DeclineReason,
  decideSandboxPayment,
  magicAmounts,
  magicRefundAmounts,
  noFailReason,
  type Outcome,
  type PayType,
  sandboxDelay,
  sandboxPayType,
  startSandboxPayment,
} from '@souk/contract'
import type { Clock } from '../../../../../kernel/clock.ts'
import type { Sql } from '../../../../../kernel/db/pool.ts'
import { newId } from '../../../../../kernel/id.ts'
import {
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
import {
  type Change,
  findDecisionTime,
  findPayment,
  findPaymentByNumber,
  insertPayment,
  listUntold,
  lockDuePayments,
  lockPayment,
  type Payment,
  type SandboxDecision,
  updateDecisionToTold,
  updatePayment,
} from './store.ts'

/**
 * The sandbox provider (ADR 13). Like an external provider it stores payments in its own transactions: its decisions
 * are final, whether Souk has received them or not. It uses the domain clock.
 */
export class SandboxProvider implements PaymentProvider {
  static readonly providerName = 'sandbox'
  readonly name = SandboxProvider.providerName
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #chosen: Outcome | undefined

  /** @param chosen outcome of the payments created here; if absent, their amount decides */
  constructor({ sql, clock }: { sql: Sql; clock: Clock }, chosen?: Outcome) {
    this.#sql = sql
    this.#clock = clock
    this.#chosen = chosen
  }

  payTypeOf(order: PaymentOrder): PayType {
    return sandboxPayType(this.#outcomeOf(order.amount))
  }

  async create({ attemptId, amount, currency }: PaymentOrder): Promise<ProviderResult> {
    const outcome = this.#outcomeOf(amount)
    const now = this.#clock.now()
    const created = {
      payNo: `SBX${newId()}`,
      attemptId,
      amount,
      currency,
      outcome,
      ...startSandboxPayment(outcome, now),
    }
    await insertPayment(this.#sql, created, now)
    const payment = (await findPayment(this.#sql, attemptId))!
    // A lost payment also loses its response. A late one becomes unknown later.
    if (outcome === 'lost' || outcome === 'late') return { kind: 'pending', payNo: payment.payNo }
    return resultOf(payment)
  }

  async query({ attemptId }: PaymentReference): Promise<ProviderResult> {
    const payment = await findPayment(this.#sql, attemptId)
    return payment ? resultOf(payment) : { kind: 'unknown' }
  }

  async cancel({ attemptId }: PaymentReference): Promise<ProviderResult> {
    return this.#change(attemptId, (payment) =>
      isUndecided(payment) && payment.outcome !== 'late'
        ? { state: 'canceled', failReasonType: noFailReason, decidesAt: null }
        : null,
    )
  }

  /** Makes a refund. Its amount can select another outcome (`magicRefundAmounts`). */
  async refund({ attemptId }: PaymentReference, refund: RefundOrder): Promise<RefundResult> {
    const now = this.#clock.now()
    const outcome = magicRefundAmounts[refund.amount]?.outcome
    let result: RefundResult = { kind: 'refused', reason: 'the payment does not exist' }
    let isMadeNow = false
    await this.#change(attemptId, (payment) => {
      const { refundNo, amount } = refund
      result = { kind: 'returned' }
      if (refundNo in payment.refunds) return null
      const refused = explainRefusal(payment, refund)
      if (refused !== null) {
        result = { kind: 'refused', reason: refused }
        return null
      }
      const madeAt = payment.lateRefunds[refundNo] ?? now + (outcome === 'late' ? sandboxDelay.late : 0)
      const { state, failReasonType, decidesAt } = payment
      if (madeAt > now) {
        result = { kind: 'pending' }
        return { state, failReasonType, decidesAt, lateRefunds: { ...payment.lateRefunds, [refundNo]: madeAt } }
      }
      isMadeNow = true
      return {
        state: amount === payment.amount - refundedOf(payment) ? 'refunded' : 'succeeded',
        failReasonType: noFailReason,
        decidesAt: null,
        refunds: { ...payment.refunds, [refundNo]: amount },
      }
    })
    if (isMadeNow && outcome === 'lost')
      throw new ProviderUnavailable('The sandbox has lost the response.', { mayHaveActed: true })
    return result
  }

  /** Reads a payNo from the body, and its state from the database, so that webhooks cannot be forged. */
  async webhook(rawBody: Uint8Array): Promise<ProviderEvent> {
    const payNo = Buffer.from(rawBody).toString('utf8')
    const payment = await findPaymentByNumber(this.#sql, payNo)
    if (!payment) throw new WebhookRejected('The sandbox has no such payment.')
    return { attemptId: payment.attemptId, result: resultOf(payment) }
  }

  /** Completes 3-D Secure. A payment that did not pass fails with 6. */
  async answerChallenge(attemptId: string, passed: boolean): Promise<ProviderResult> {
    return this.#change(attemptId, ({ state }) => {
      if (state !== 'challenge') return null
      return passed
        ? { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
        : { state: 'failed', failReasonType: 6, decidesAt: null }
    })
  }

  /**
   * Overrides the outcome of a payment. A canceled payment can be overridden as well, to simulate a cancellation that
   * came too late. Returns undefined if the payment is final.
   */
  async resolve(attemptId: string, outcome: Outcome): Promise<SandboxDecision | undefined> {
    const now = this.#clock.now()
    let decision: SandboxDecision | undefined
    await this.#change(attemptId, (payment) => {
      if (!isUndecided(payment) && payment.state !== 'canceled') return null
      const change = { ...startSandboxPayment(outcome, now), outcome, told: outcome === 'lost' }
      decision = { payNo: payment.payNo, state: change.state }
      return change
    })
    return decision
  }

  /**
   * Decides up to `limit` due payments and returns up to `limit` decisions that Souk has not settled, oldest first.
   * Waits for a concurrent run to record its decisions, so that none of them is missing here. A late payment is decided
   * again only after Souk has settled its failure, else the trade would take the payment as one in time.
   */
  async decideDue(limit: number): Promise<SandboxDecision[]> {
    const now = this.#clock.now()
    return this.#sql.begin(async (tx) => {
      for (const payment of await lockDuePayments(tx, now, limit)) {
        const decision = decideSandboxPayment(payment.outcome, payment.decidesAt!, payment.state === 'pending')
        await updatePayment(tx, payment, { ...decision, told: false }, now)
      }
      return listUntold(tx, limit)
    })
  }

  /** Returns when the next payment is due in ms of the domain clock: 0 if Souk has not settled a decision. */
  async findNextDecision(): Promise<number> {
    return (await findDecisionTime(this.#sql)) ?? Number.POSITIVE_INFINITY
  }

  /** Marks a decision as settled, unless the payment has changed since. */
  async markReported(decision: SandboxDecision): Promise<void> {
    await updateDecisionToTold(this.#sql, decision)
  }

  #outcomeOf(amount: number): Outcome {
    return this.#chosen ?? magicAmounts[amount]?.outcome ?? 'succeeded'
  }

  async #change(attemptId: string, decide: (payment: Payment) => Change | null): Promise<ProviderResult> {
    return this.#sql.begin(async (tx) => {
      const payment = await lockPayment(tx, attemptId)
      if (!payment) return { kind: 'unknown' }
      const change = decide(payment)
      if (change) await updatePayment(tx, payment, change, this.#clock.now())
      return resultOf({ ...payment, ...change })
    })
  }
}

/** Returns why a refund is refused, or null if it is not. */
function explainRefusal(payment: Payment, { amount, currency }: RefundOrder): string | null {
  const left = payment.amount - refundedOf(payment)
  if (payment.state !== 'succeeded') return `the payment is ${payment.state}`
  if (payment.currency !== currency) return `the payment is in ${payment.currency}`
  if (amount > left) return `${left} cents of the payment are left`
  return magicRefundAmounts[amount]?.outcome === 'declined' ? 'the sandbox declines refunds of this amount' : null
}

/** Returns whether a payment is undecided. */
function isUndecided({ state }: Payment): boolean {
  return state === 'pending' || state === 'challenge'
}

/** Converts a payment to a result. A late one is unknown until it succeeds. */
function resultOf(payment: Payment): ProviderResult {
  const { state, outcome, payNo, amount, currency, failReasonType } = payment
  switch (state) {
    case 'succeeded':
    case 'refunded':
      return { kind: 'succeeded', payNo, amount, currency, refunded: refundedOf(payment) }
    case 'failed':
      return { kind: 'failed', payNo, failReasonType: failReasonType as DeclineReason }
    case 'canceled':
      return { kind: 'canceled', payNo }
    case 'challenge':
      return { kind: 'challenge', payNo, prompt: '3-D Secure: confirm this payment.' }
    case 'pending':
      return outcome === 'late' ? { kind: 'unknown' } : { kind: 'pending', payNo }
  }
}

function refundedOf({ refunds }: Payment): number {
  return Object.values(refunds).reduce((sum, amount) => sum + amount, 0)
}
