import { transactionFlow } from '@souk/contract'
import { enqueue } from '../../kernel/outbox.ts'
import type { Context } from '../context.ts'
import { type Attempt, findAttempt, providerOfAttempt } from '../payments/index.ts'
import { insertEvent, lockTrade } from '../trades/index.ts'
import { book, merchantAccountName, providerAccountName, returnsAccountName } from './ledger.ts'
import { findRefund, listOwedRefunds, type Refund, type RefundKey, updateRefund } from './refunds.store.ts'

/**
 * The job `returnMoney`: has the provider give money back, of a trade that could not take it or on the operator's word.
 * Repeating it does nothing more. What the operator asked for ends when the provider refuses; money that no trade has taken is
 * never given up.
 *
 * @throws Error while the provider has not given it back, so that the job runs again.
 */
export async function returnMoney(context: Context, key: RefundKey): Promise<void> {
  const refund = await findRefund(context.sql, key)
  if (refund?.state !== 'owed') return
  const attempt = (await findAttempt(context.sql, refund))!
  const provider = await providerOfAttempt(context, attempt)
  const result = await provider.refund(attempt, refund)
  if (result.kind === 'returned') return end(context, refund, attempt, null)
  const { refundNo, attemptId } = refund
  if (result.kind === 'pending') throw new Error(`${provider.name} has not given back ${refundNo} of ${attemptId} yet`)
  if (refund.initiator === 'operator') return end(context, refund, attempt, result.reason)
  // It stays owed; whoever looks at it sees why.
  const told = { state: refund.state, refusal: result.reason, mtime: context.clock.now() }
  if (refund.refusal !== result.reason) await updateRefund(context.sql, refund, 'owed', told)
  throw new Error(`${provider.name} refuses to return the money of ${attemptId}: ${result.reason}`)
}

const hour = 3_600_000
const batch = 500

/**
 * The recurring job `returnOwedMoney`: asks anew for everything that has been owed for an hour. A job that has failed too often is
 * given up by the queue; money that is owed is not.
 */
export async function returnOwedMoney(context: Context): Promise<void> {
  const before = context.clock.now() - hour
  for (let after = { ctime: 0, refundNo: '0'.repeat(32) }; ; ) {
    const owed = await context.sql.begin(async (tx) => {
      const found = await listOwedRefunds(tx, { before, after, limit: batch })
      for (const { appid, tradeNo, refundNo } of found) {
        const payload = { appid, tradeNo, refundNo }
        await enqueue(tx, context.clock, { name: 'returnMoney', payload, key: refundNo })
      }
      return found
    })
    const last = owed.at(-1)
    if (!last || owed.length < batch) return
    after = last
  }
}

/** Writes down how a refund has ended: given back, or refused for this reason. */
async function end(context: Context, refund: Refund, attempt: Attempt, refusal: string | null): Promise<void> {
  const { refundNo, attemptId, amount, currency, initiator } = refund
  await context.sql.begin(async (tx) => {
    const { merchantId } = (await lockTrade(tx, refund))!
    const now = context.clock.now()
    const state = refusal === null ? 'returned' : 'refused'
    if (!(await updateRefund(tx, refund, 'owed', { state, refusal, mtime: now }))) return
    const movement = refusal === null ? 'refundReturned' : 'refundRefused'
    const credit = refusal === null ? providerAccountName(attempt) : merchantAccountName(merchantId)
    const debit = returnsAccountName(merchantId)
    await book(tx, refund, { reference: refundNo, movement, debit, credit, amount, currency }, now)
    const event = refusal === null ? 'moneyReturned' : 'moneyRefused'
    const told = { attemptId, refundNo, initiator, amount, currency, ...(refusal === null ? {} : { reason: refusal }) }
    const detail = { transactionFlow: transactionFlow.income, ...told }
    await insertEvent(tx, refund, { time: now, event, detail })
  })
}

/**
 * Money that was given back has come back to the provider: the payer's bank has not taken it. What the operator refunded belongs
 * to the merchant again; what no trade has taken is owed again.
 */
export async function recordFailedRefund(
  context: Context,
  attempt: Attempt,
  { refundNo, reason }: { refundNo: string; reason: string },
): Promise<void> {
  await context.sql.begin(async (tx) => {
    const { merchantId } = (await lockTrade(tx, attempt))!
    const refund = await findRefund(tx, { ...attempt, refundNo })
    if (refund?.attemptId !== attempt.attemptId) return
    const { attemptId, amount, currency, initiator } = refund
    const now = context.clock.now()
    const state = initiator === 'operator' ? 'refused' : 'owed'
    if (!(await updateRefund(tx, refund, 'returned', { state, refusal: reason, mtime: now }))) return
    const credit = initiator === 'operator' ? merchantAccountName(merchantId) : returnsAccountName(merchantId)
    const debit = providerAccountName(attempt)
    await book(tx, refund, { reference: refundNo, movement: 'refundFailed', debit, credit, amount, currency }, now)
    const told = { attemptId, refundNo, initiator, amount, currency, reason }
    const detail = { transactionFlow: transactionFlow.expense, ...told }
    await insertEvent(tx, refund, { time: now, event: 'moneyCameBack', detail })
    context.log.error({ tradeNo: refund.tradeNo, ...told }, 'money that was given back has come back')
  })
}
