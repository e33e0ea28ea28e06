import type { Context } from '../context.ts'
import type { Attempt, Dispute } from '../payments/index.ts'
import { hasEvent, insertEvent, lockTrade } from '../trades/index.ts'

/**
 * The payer disputes a payment with their bank. It is for people to answer, at the provider's own desk (ADR 270): the story of the
 * trade tells of each state of the dispute once, and no money is booked.
 */
export async function recordDispute(context: Context, attempt: Attempt, dispute: Dispute): Promise<void> {
  const { disputeNo, state } = dispute
  const { tradeNo, attemptId } = attempt
  const detail = { attemptId, ...dispute }
  const isNew = await context.sql.begin(async (tx) => {
    await lockTrade(tx, attempt)
    if (await hasEvent(tx, attempt, { event: 'moneyDisputed', detail: { disputeNo, state } })) return false
    await insertEvent(tx, attempt, { time: context.clock.now(), event: 'moneyDisputed', detail })
    return true
  })
  if (isNew) context.log.error({ tradeNo, ...detail }, 'a payer disputes a payment')
}
