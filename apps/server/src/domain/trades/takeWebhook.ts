import { SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { findProviderAccount } from './accounts/index.ts'
import { providerOf } from './adapters/index.ts'
import { type ProviderEvent, ProviderUnavailable, WebhookRefused } from './adapters/port.ts'
import { noteDispute } from './disputes.ts'
import { compareAgain } from './reconciliation/index.ts'
import { refundFailed } from './returnMoney.ts'
import { settle } from './settle.ts'
import { type Attempt, findAttempt, findAttemptKey } from './store.ts'

/**
 * Takes what a provider sends to the address of an account; it has been settled when this returns. An account speaks for its
 * own attempts only: whoever holds another account cannot pay a trade at their own provider.
 *
 * @throws SoukError `provider_account_not_found`, `webhook_refused` where it does not come from the provider, `unavailable`
 *   where the provider cannot be asked what holds: it sends the webhook again
 */
export async function takeWebhook(
  context: Context,
  providerAccountId: string,
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const named = /^[0-9a-f]{32}$/.test(providerAccountId)
  const account = named ? await findProviderAccount(context, providerAccountId) : undefined
  if (!account) throw new SoukError('provider_account_not_found')
  const provider = providerOf(context, account)
  const event = await provider.webhook(rawBody, headers).catch(refuse)
  if (!event) return

  const { attemptId } = event
  const key = await findAttemptKey(context.sql, attemptId)
  const attempt = key && (await findAttempt(context.sql, key))
  if (attempt?.providerAccountId === providerAccountId) await take(context, attempt, event)
  else context.log.warn({ providerAccountId, attemptId }, 'a webhook names an attempt that this account does not have')
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
