import type { DeclineReason, noFailReason, Outcome } from '@souk/contract'
import type { Sql, Tx } from '../../../../../kernel/db/pool.ts'

/** A payment as the provider stores it. Times are in ms of the domain clock, amounts in cents. */
export interface Payment {
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
  /** When refunds are made that were accepted before, by refundNo. */
  lateRefunds: Record<string, number>
  ctime: number
}

/** The part of a payment that a decision sets. */
type Decided = Pick<Payment, 'state' | 'failReasonType' | 'decidesAt'>

/** A change of a stored payment. `told`: whether Souk has settled it. */
export type Change = Decided & Partial<Pick<Payment, 'refunds' | 'lateRefunds' | 'outcome'>> & { told?: boolean }

/** A decision that Souk has not settled yet. */
export type SandboxDecision = Pick<Payment, 'payNo' | 'state'>

const columns = (sql: Sql | Tx) => sql`
  pay_no, attempt_id, amount, currency, outcome, state, fail_reason_type, decides_at, refunds, late_refunds, ctime`

/** Inserts a payment, unless its attempt has one. */
export async function insertPayment(
  sql: Sql,
  payment: Omit<Payment, 'refunds' | 'lateRefunds' | 'ctime'>,
  now: number,
): Promise<void> {
  await sql`
    insert into sandbox_payments
      (pay_no, attempt_id, amount, currency, outcome, state, fail_reason_type, decides_at, ctime, mtime)
    values
      (${payment.payNo}, ${payment.attemptId}, ${payment.amount}, ${payment.currency}, ${payment.outcome},
       ${payment.state}, ${payment.failReasonType}, ${payment.decidesAt}, ${now}, ${now})
    on conflict (attempt_id) do nothing`
}

export async function findPayment(sql: Sql, attemptId: string): Promise<Payment | undefined> {
  const [payment] = await sql<Payment[]>`
    select ${columns(sql)} from sandbox_payments where attempt_id = ${attemptId}`
  return payment
}

export async function findPaymentByNumber(sql: Sql, payNo: string): Promise<Payment | undefined> {
  const [payment] = await sql<Payment[]>`select ${columns(sql)} from sandbox_payments where pay_no = ${payNo}`
  return payment
}

/** Returns a payment and locks it until the transaction ends. */
export async function lockPayment(tx: Tx, attemptId: string): Promise<Payment | undefined> {
  const [payment] = await tx<Payment[]>`
    select ${columns(tx)} from sandbox_payments where attempt_id = ${attemptId} for update`
  return payment
}

/** Returns payments that are due, oldest first, whose last decision Souk has settled. Locks them. */
export async function lockDuePayments(tx: Tx, now: number, limit: number): Promise<Payment[]> {
  return tx<Payment[]>`
    select ${columns(tx)} from sandbox_payments
    where decides_at <= ${now} and told order by decides_at, pay_no limit ${limit} for update`
}

/** Returns the decisions that Souk has not settled, oldest first. */
export async function listUntold(tx: Tx, limit: number): Promise<SandboxDecision[]> {
  return tx<SandboxDecision[]>`
    select pay_no, state from sandbox_payments where not told order by mtime, pay_no limit ${limit}`
}

/** Returns when the next payment is due: 0 if Souk has not settled a decision, null if no payment is undecided. */
export async function findDecisionTime(sql: Sql): Promise<number | null> {
  const [row] = await sql<[{ time: number | null }]>`
    select case when exists (select from sandbox_payments where not told) then 0
      else (select min(decides_at) from sandbox_payments) end as time`
  return row.time
}

/** Keeps refunds and outcome unless they change. */
export async function updatePayment(tx: Tx, payment: Payment, change: Change, now: number): Promise<void> {
  const { state, failReasonType, decidesAt, refunds, lateRefunds, outcome, told } = {
    ...payment,
    told: true,
    ...change,
  }
  await tx`
    update sandbox_payments
    set state = ${state}, fail_reason_type = ${failReasonType}, decides_at = ${decidesAt}, outcome = ${outcome},
        refunds = ${tx.json(refunds)}, late_refunds = ${tx.json(lateRefunds)}, told = ${told}, mtime = ${now}
    where pay_no = ${payment.payNo}`
}

/** Marks a decision as settled, unless the payment has changed since. */
export async function updateDecisionToTold(sql: Sql, { payNo, state }: SandboxDecision): Promise<void> {
  await sql`update sandbox_payments set told = true where pay_no = ${payNo} and state = ${state}`
}
