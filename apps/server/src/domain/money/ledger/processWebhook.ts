import type { Context } from '../../context.ts'
import { receiveWebhook } from '../payments/index.ts'
import { recordDispute } from './disputes.ts'
import { recompareDay } from './reconciliation/index.ts'
import { recordFailedRefund } from './returnMoney.ts'

/**
 * Processes a webhook of a provider: settles the payment, then records what it reports about refunds and disputes.
 * Throws what `receiveWebhook` throws.
 */
export async function processWebhook(
  context: Context<'egress' | 'ledger' | 'vault'>,
  providerAccountId: string,
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const received = await receiveWebhook(context, providerAccountId, rawBody, headers)
  if (!received) return
  const { attempt, event } = received
  if (event.failedRefund) await recordFailedRefund(context, attempt, event.failedRefund)
  if (event.dispute) await recordDispute(context, attempt, event.dispute)
  await recompareDay(context, attempt, event.result)
}
