import { day, hour, transactionFlow } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { enqueue, sharedQueue } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { type Attempt, findAttempt, providerOfAttempt } from '../payments/index.ts'
import { insertEvent, lockTrade } from '../trades/index.ts'
import { insertEntry, merchantAccountName, providerAccountName, returnsAccountName } from './ledger.store.ts'
import { queueRefundCallback } from './refundCallback.ts'
import {
  findRefund,
  insertReplacement,
  listOwedRefunds,
  type Refund,
  type RefundKey,
  type RefundWithTrade,
  updateRefund,
} from './refunds.store.ts'
import { initiatorOf } from './refundView.ts'

/** Enqueues the job that makes a refund. A provider that does not respond must not hold up mails and other jobs. */
export async function enqueueRefund(tx: Tx, { appid, tradeNo, refundNo }: RefundKey): Promise<void> {
  const queue = sharedQueue('returnMoney', refundNo)
  await enqueue(tx, { name: 'returnMoney', payload: { appid, tradeNo, refundNo }, key: refundNo, queue })
}

/**
 * Job: makes a refund at the provider, once. A refund by an operator ends when the provider rejects it; the money of an
 * unapplied payment stays owed.
 *
 * @throws Error while the refund is not completed, so that the job runs again
 */
export async function returnMoney(context: Context<'egress' | 'vault'>, key: RefundKey): Promise<void> {
  const refund = await findRefund(context.sql, key)
  if (refund?.state !== 'owed') return
  const attempt = (await findAttempt(context.sql, refund))!
  const provider = await providerOfAttempt(context, attempt)
  const result = await provider.refund(attempt, refund)
  if (result.kind === 'returned') return finishRefund(context, refund, attempt, null)
  const { refundNo, attemptId } = refund
  if (result.kind === 'pending')
    throw new Error(`${provider.name} has not completed refund ${refundNo} of ${attemptId} yet`)
  if (refund.initiator === 'operator') return finishRefund(context, refund, attempt, result.reason)
  // It stays owed, and the console shows why.
  const change = { state: refund.state, refusal: result.reason, mtime: context.clock.now() }
  if (refund.refusal !== result.reason) await updateRefund(context.sql, refund, 'owed', change)
  else if (refund.mtime <= context.clock.now() - day) return replaceRefund(context, refund)
  throw new Error(`${provider.name} rejected refund ${refundNo} of ${attemptId}: ${result.reason}`)
}

/**
 * Ends a refund of an unapplied payment that was rejected for a day, and makes another one of the same money: providers
 * do not repeat a refund that has failed under the same refundNo.
 */
async function replaceRefund({ sql, clock }: Context, refund: Refund): Promise<void> {
  const { appid, tradeNo, refusal } = refund
  const refundNo = newId()
  await sql.begin(async (tx) => {
    await lockTrade(tx, refund)
    const now = clock.now()
    if (!(await updateRefund(tx, refund, 'owed', { state: 'refused', refusal, mtime: now }))) return
    await insertReplacement(tx, refund, { refundNo, mtime: now })
    await enqueueRefund(tx, { appid, tradeNo, refundNo })
  })
}

const batchSize = 500

/**
 * Recurring job: enqueues every refund again that has been owed for an hour, since the queue drops jobs that have
 * failed too often.
 */
export async function returnOwedMoney(context: Context): Promise<void> {
  const before = context.clock.now() - hour
  for (let after = { ctime: 0, refundNo: '0'.repeat(32) }; ; ) {
    const owed = await context.sql.begin(async (tx) => {
      const found = await listOwedRefunds(tx, { before, after, limit: batchSize })
      for (const refund of found) await enqueueRefund(tx, refund)
      return found
    })
    const last = owed.at(-1)
    if (!last || owed.length < batchSize) return
    after = last
  }
}

/** Records the end of a refund: returned, or refused for the reason `refusal`. */
async function finishRefund(
  context: Context,
  refund: RefundWithTrade,
  attempt: Attempt,
  refusal: string | null,
): Promise<void> {
  const { refundNo, attemptId, amount, currency, merchantId } = refund
  await context.sql.begin(async (tx) => {
    await lockTrade(tx, refund)
    const now = context.clock.now()
    const state = refusal === null ? 'returned' : 'refused'
    if (!(await updateRefund(tx, refund, 'owed', { state, refusal, mtime: now }))) return
    const movement = refusal === null ? 'refundReturned' : 'refundRefused'
    const credit = refusal === null ? providerAccountName(attempt) : merchantAccountName(merchantId)
    const debit = returnsAccountName(merchantId)
    await insertEntry(tx, refund, { reference: refundNo, movement, debit, credit, amount, currency }, now)
    const event = refusal === null ? 'moneyReturned' : 'moneyRefused'
    const detail = {
      transactionFlow: transactionFlow.income,
      attemptId,
      refundNo,
      initiator: initiatorOf(refund),
      amount,
      currency,
      ...(refusal === null ? {} : { reason: refusal }),
    }
    await insertEvent(tx, refund, { time: now, event, detail })
    await queueRefundCallback(tx, { ...refund, state, refusal }, now)
  })
}

/**
 * Records that a returned refund has failed, because the payer's bank rejected it. The money of a refund by an operator
 * belongs to the merchant again; the refund of an unapplied payment is owed again.
 */
export async function recordFailedRefund(
  context: Context,
  attempt: Attempt,
  { refundNo, reason }: { refundNo: string; reason: string },
): Promise<void> {
  await context.sql.begin(async (tx) => {
    // The trade may be archived by now. The state of the refund decides in any case.
    await lockTrade(tx, attempt)
    const refund = await findRefund(tx, { ...attempt, refundNo })
    if (refund?.attemptId !== attempt.attemptId) return
    const { attemptId, amount, currency, initiator, merchantId } = refund
    const now = context.clock.now()
    const state = initiator === 'operator' ? 'refused' : 'owed'
    if (!(await updateRefund(tx, refund, 'returned', { state, refusal: reason, mtime: now }))) return
    const credit = initiator === 'operator' ? merchantAccountName(merchantId) : returnsAccountName(merchantId)
    const debit = providerAccountName(attempt)
    await insertEntry(
      tx,
      refund,
      { reference: refundNo, movement: 'refundFailed', debit, credit, amount, currency },
      now,
    )
    const refundDetail = { attemptId, refundNo, initiator: initiatorOf(refund), amount, currency, reason }
    const detail = { transactionFlow: transactionFlow.expense, ...refundDetail }
    await insertEvent(tx, refund, { time: now, event: 'moneyCameBack', detail })
    await queueRefundCallback(tx, { ...refund, state, refusal: reason }, now)
    context.log.error({ tradeNo: refund.tradeNo, ...refundDetail }, 'a returned refund has failed')
  })
}
