import type { Context } from '../context.ts'
import { receiveWebhook } from '../payments/index.ts'
import { noteDispute } from './disputes.ts'
import { compareAgain } from './reconciliation/index.ts'
import { refundFailed } from './returnMoney.ts'

/**
 * Processes a webhook of a provider: settles the payment, then records what it reports about refunds and disputes. Throws
 * what `receiveWebhook` throws.
 */
export async function processWebhook(
  context: Context,
  providerAccountId: string,
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const received = await receiveWebhook(context, providerAccountId, rawBody, headers)
  if (!received) return
  const { attempt, event } = received
  if (event.failedRefund) await refundFailed(context, attempt, event.failedRefund)
  if (event.dispute) await noteDispute(context, attempt, event.dispute)
  await compareAgain(context, attempt, event.result)
}
