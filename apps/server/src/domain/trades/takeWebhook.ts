import { SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { noteDispute } from './disputes.ts'
import { findProcessorAccount } from './processors/index.ts'
import { providerOf } from './providers/index.ts'
import { type ProviderEvent, ProviderUnavailable, WebhookRefused } from './providers/port.ts'
import { compareAgain } from './reconciliation/index.ts'
import { refundFailed } from './returnMoney.ts'
import { settle } from './settle.ts'
import { type Attempt, findAttempt, findAttemptKey } from './store.ts'

/**
 * Takes what a processor sends to the address of an account; it has been settled when this returns. An account speaks for its
 * own attempts only: whoever holds another account cannot pay a trade at their own processor.
 *
 * @throws SoukError `processor_account_not_found`, `webhook_refused` where it does not come from the processor, `unavailable`
 *   where the processor cannot be asked what holds: it sends the webhook again
 */
export async function takeWebhook(
  context: Context,
  processorAccountId: string,
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const named = /^[0-9a-f]{32}$/.test(processorAccountId)
  const account = named ? await findProcessorAccount(context, processorAccountId) : undefined
  if (!account) throw new SoukError('processor_account_not_found')
  const provider = providerOf(context, account)
  const event = await provider.webhook(rawBody, headers).catch(refuse)
  if (!event) return

  const { attemptId } = event
  const key = await findAttemptKey(context.sql, attemptId)
  const attempt = key && (await findAttempt(context.sql, key))
  if (attempt?.processorAccountId === processorAccountId) await take(context, attempt, event)
  else context.log.warn({ processorAccountId, attemptId }, 'a webhook names an attempt that this account does not have')
}

async function take(context: Context, attempt: Attempt, event: ProviderEvent): Promise<void> {
  const { result, failedRefund, dispute } = event
  await settle(context, attempt, result)
  if (failedRefund) await refundFailed(context, attempt, failedRefund)
  if (dispute) await noteDispute(context, attempt, dispute)
  await compareAgain(context, attempt, result)
}

function refuse(error: unknown): ProviderEvent {
  if (error instanceof WebhookRefused) throw new SoukError('webhook_refused', error.message)
  if (error instanceof ProviderUnavailable) throw new SoukError('unavailable', error.message, { cause: error })
  throw error
}
