import {
  type DeclineReason,
  magicAmounts,
  noFailReason,
  type Outcome,
  type PayType,
  payType,
  sandboxDelay,
} from '@souk/contract'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Sql, Tx } from '../../../../kernel/db/pool.ts'
import { newId } from '../../../../kernel/id.ts'
import { transactionFailed } from '../../../trades/index.ts'
import {
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReference,
  type ProviderEvent,
  type ProviderResult,
  type RefundOrder,
  type RefundResult,
  WebhookRejected,
} from '../port.ts'

const hour = 3_600_000

/** How long a payment that nobody decides stays in flight, in ms of the domain clock; it then fails with 27. */
const patience = 24 * hour

/** One line of the provider's books. */
interface Payment {
  payNo: string
  attemptId: string
  amount: number
  currency: string
  outcome: Outcome
  state: 'pending' | 'challenge' | 'succeeded' | 'failed' | 'canceled' | 'refunded'
  failReasonType: DeclineReason | typeof noFailReason
  decidesAt: number | null
  /** Cents by refundNo. */
  refunds: Record<string, number>
  ctime: number
}

/** A decision of the provider that Souk has not asked for and has still to take. */
export type SandboxDecision = Pick<Payment, 'payNo' | 'state'>

/** What the provider changes in a line of its books. */
type Entry = Pick<Payment, 'state' | 'failReasonType' | 'decidesAt'> & { refunds?: Record<string, number> }

/**
 * The sandbox's provider (ADR 13). It keeps its own books in its own transactions, as a provider elsewhere would: what
 * it has decided stands, whether Souk has heard of it or not. It runs on the domain clock.
 */
export class SandboxProvider implements PaymentProvider {
  static readonly providerName = 'sandbox'
  readonly name = SandboxProvider.providerName
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #chosen: Outcome | undefined

  /** @param chosen what happens to the payments created here; absent: what their amount says. */
  constructor({ sql, clock }: { sql: Sql; clock: Clock }, chosen?: Outcome) {
    this.#sql = sql
    this.#clock = clock
    this.#chosen = chosen
  }

  payTypeOf(order: PaymentOrder): PayType {
    switch (this.#outcomeOf(order.amount)) {
      case 'failed:24':
      case 'failed:25':
        return payType.hostedCheckout
      case 'failed:5':
      case 'failed:6':
      case 'challenge':
        return payType.cardProcessorB
      default:
        return payType.cardProcessorA
    }
  }

  async create({ attemptId, amount, currency }: PaymentOrder): Promise<ProviderResult> {
    const outcome = this.#outcomeOf(amount)
    const now = this.#clock.now()
    const { state, failReasonType, decidesAt } = opening(outcome, now)
    await this.#sql`
      insert into sandbox_payments
        (pay_no, attempt_id, amount, currency, outcome, state, fail_reason_type, decides_at, ctime, mtime)
      values
        (${`SBX${newId()}`}, ${attemptId}, ${amount}, ${currency}, ${outcome}, ${state}, ${failReasonType}, ${decidesAt},
         ${now}, ${now})
      on conflict (attempt_id) do nothing`
    const payment = (await paymentOf(this.#sql, attemptId))!
    // Of a lost payment the answer is lost as well: only asking finds out. A late one drops out of sight only later.
    if (outcome === 'lost' || outcome === 'late') return { kind: 'pending', payNo: payment.payNo }
    return resultOf(payment)
  }

  async query({ attemptId }: PaymentReference): Promise<ProviderResult> {
    const payment = await paymentOf(this.#sql, attemptId)
    return payment ? resultOf(payment) : { kind: 'unknown' }
  }

  async cancel({ attemptId }: PaymentReference): Promise<ProviderResult> {
    return this.#change(attemptId, (payment) =>
      isUndecided(payment) && payment.outcome !== 'late'
        ? { state: 'canceled', failReasonType: noFailReason, decidesAt: null }
        : null,
    )
  }

  async refund({ attemptId }: PaymentReference, { refundNo, amount, currency }: RefundOrder): Promise<RefundResult> {
    let refused: string | null = 'there is no such payment'
    await this.#change(attemptId, (payment) => {
      refused = null
      if (refundNo in payment.refunds) return null
      const left = payment.amount - refundedOf(payment)
      if (payment.state !== 'succeeded') refused = `the payment is ${payment.state}`
      else if (payment.currency !== currency) refused = `the payment is in ${payment.currency}`
      else if (amount > left) refused = `${left} of the payment is left`
      if (refused !== null) return null
      return {
        state: amount === left ? 'refunded' : 'succeeded',
        failReasonType: noFailReason,
        decidesAt: null,
        refunds: { ...payment.refunds, [refundNo]: amount },
      }
    })
    return refused === null ? { kind: 'returned' } : { kind: 'refused', reason: refused }
  }

  /** The body names a payment and nothing else. What became of it is read from the books, so nothing can be forged. */
  async webhook(rawBody: Uint8Array): Promise<ProviderEvent> {
    const payNo = Buffer.from(rawBody).toString('utf8')
    const [payment] = await this.#sql<
      Payment[]
    >`select ${columns(this.#sql)} from sandbox_payments where pay_no = ${payNo}`
    if (!payment) throw new WebhookRejected('it names no payment of the sandbox')
    return { attemptId: payment.attemptId, result: resultOf(payment) }
  }

  /** The payer's answer to 3-D Secure: passed, the payment succeeds; else it fails with 6. */
  async answerChallenge(attemptId: string, passed: boolean): Promise<ProviderResult> {
    return this.#change(attemptId, ({ state }) => {
      if (state !== 'challenge') return null
      return passed
        ? { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
        : { state: 'failed', failReasonType: 6, decidesAt: null }
    })
  }

  /**
   * Decides a payment in another way than it was going to go, and leaves the result to be told. A cancelled payment can
   * be decided as well: that is how a cancel comes too late. Undefined where the payment is decided for good.
   */
  async resolve(attemptId: string, outcome: Outcome): Promise<SandboxDecision | undefined> {
    const now = this.#clock.now()
    let decided: SandboxDecision | undefined
    await this.#change(attemptId, (payment) => {
      if (!isUndecided(payment) && payment.state !== 'canceled') return null
      const entry = { ...opening(outcome, now), outcome, told: outcome === 'lost' }
      decided = { payNo: payment.payNo, state: entry.state }
      return entry
    })
    return decided
  }

  /**
   * Decides up to `limit` payments whose time has come, and gives up to as many whose result Souk has still to take, the
   * first decided first. Other runs pass over what this one decides.
   */
  async decideDue(limit: number): Promise<SandboxDecision[]> {
    const now = this.#clock.now()
    return this.#sql.begin(async (tx) => {
      const due = await tx<Payment[]>`
        select ${columns(tx)} from sandbox_payments
        where decides_at <= ${now} order by decides_at limit ${limit} for update skip locked`
      for (const payment of due) await write(tx, payment, { ...decision(payment), told: false }, now)
      return tx<SandboxDecision[]>`
        select pay_no as "payNo", state from sandbox_payments where not told order by mtime, pay_no limit ${limit}`
    })
  }

  /** Souk has taken what was decided of a payment. What has been decided since is still to be told. */
  async markReported({ payNo, state }: SandboxDecision): Promise<void> {
    await this.#sql`update sandbox_payments set told = true where pay_no = ${payNo} and state = ${state}`
  }

  #outcomeOf(amount: number): Outcome {
    return this.#chosen ?? magicAmounts[amount]?.outcome ?? 'succeeded'
  }

  async #change(
    attemptId: string,
    change: (payment: Payment) => (Entry & { outcome?: Outcome; told?: boolean }) | null,
  ): Promise<ProviderResult> {
    return this.#sql.begin(async (tx) => {
      const payment = await paymentOf(tx, attemptId, tx`for update`)
      if (!payment) return { kind: 'unknown' }
      const entry = change(payment)
      if (entry) await write(tx, payment, entry, this.#clock.now())
      return resultOf({ ...payment, ...entry })
    })
  }
}

/** Whether the provider can still be told what becomes of a payment. */
function isUndecided({ state }: Payment): boolean {
  return state === 'pending' || state === 'challenge'
}

/** What a payment is when its outcome begins to play out. */
function opening(outcome: Outcome, now: number): Entry {
  switch (outcome) {
    case 'succeeded':
    case 'lost':
      return { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
    case 'canceled':
      return { state: 'canceled', failReasonType: noFailReason, decidesAt: null }
    case 'pending':
    case 'late':
      return { state: 'pending', failReasonType: noFailReason, decidesAt: now + patience }
    case 'challenge':
      return { state: 'challenge', failReasonType: noFailReason, decidesAt: now + patience }
    case 'delayed':
    case 'delayed-failure':
      return { state: 'pending', failReasonType: noFailReason, decidesAt: now + sandboxDelay.delayed }
    default:
      return {
        state: 'failed',
        failReasonType: Number(outcome.slice('failed:'.length)) as DeclineReason,
        decidesAt: null,
      }
  }
}

/** What the provider decides when the time of a payment has come. */
function decision({ outcome, state, decidesAt }: Payment): Entry {
  if (outcome === 'delayed') return { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
  if (outcome !== 'late') return { state: 'failed', failReasonType: transactionFailed, decidesAt: null }
  // A late payment is given up like any other that nobody decided, and then the money is there after all.
  if (state === 'pending')
    return { state: 'failed', failReasonType: transactionFailed, decidesAt: decidesAt! - patience + sandboxDelay.late }
  return { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
}

/** What the provider says of a payment. One that will succeed late has been lost sight of meanwhile. */
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

const columns = (sql: Sql | Tx) => sql`
  pay_no as "payNo", replace(attempt_id::text, '-', '') as "attemptId", amount, currency, outcome, state,
  fail_reason_type as "failReasonType", decides_at as "decidesAt", refunds, ctime`

async function paymentOf(sql: Sql | Tx, attemptId: string, lock = sql``): Promise<Payment | undefined> {
  const [payment] = await sql<Payment[]>`
    select ${columns(sql)} from sandbox_payments where attempt_id = ${attemptId} ${lock}`
  return payment
}

async function write(
  tx: Tx,
  { payNo, outcome: before, refunds: refundedBefore }: Payment,
  {
    state,
    failReasonType,
    decidesAt,
    refunds = refundedBefore,
    outcome = before,
    told = true,
  }: Entry & { outcome?: Outcome; told?: boolean },
  now: number,
): Promise<void> {
  await tx`
    update sandbox_payments
    set state = ${state}, fail_reason_type = ${failReasonType}, decides_at = ${decidesAt}, outcome = ${outcome},
        refunds = ${tx.json(refunds)}, told = ${told}, mtime = ${now}
    where pay_no = ${payNo}`
}
