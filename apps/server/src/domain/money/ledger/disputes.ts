import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findRecord } from '../../miniApps/index.ts'
import { type Attempt, type Dispute, lockAttempt } from '../payments/index.ts'
import { existsEvent, insertEvent, lockTrade } from '../trades/index.ts'

/**
 * Records a dispute of a payment. Operators handle it in the provider's own console (ADR 276), so nothing is booked.
 * Each state of the dispute becomes one event of the trade.
 */
export async function recordDispute(context: Context, attempt: Attempt, dispute: Dispute): Promise<void> {
  const { disputeNo, state } = dispute
  const { tradeNo, attemptId } = attempt
  const detail = { attemptId, ...dispute }
  const projectId = (await findRecord(context, attempt.appid))?.projectId
  const isNew = await context.sql.begin(async (tx) => {
    await lockTrade(tx, attempt)
    await lockAttempt(tx, attempt)
    if (await existsEvent(tx, attempt, { event: 'moneyDisputed', detail: { disputeNo, state } })) return false
    await insertEvent(tx, attempt, { time: context.clock.now(), event: 'moneyDisputed', detail })
    const provider = { kind: 'provider', providerAccountId: attempt.providerAccountId } as const
    await audit(context, tx, provider, { action: 'trade.dispute', subject: tradeNo, projectId, detail })
    return true
  })
  if (isNew) context.log.error({ tradeNo, ...detail }, 'payment disputed')
}
