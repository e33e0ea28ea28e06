import { SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'
import { findProviderAccount } from './accounts/index.ts'
import { type ProviderAccount, providerOf } from './adapters/index.ts'
import { type ProviderEvent, ProviderUnavailable, WebhookRejected } from './adapters/port.ts'
import { settle } from './settle.ts'
import { type Attempt, findAttempt, findAttemptKey } from './store.ts'

/** A verified webhook with the attempt that it is about. */
export interface ReceivedEvent {
  attempt: Attempt
  event: ProviderEvent
}

/** Returns the account whose URL received a webhook. @throws SoukError `provider_account_not_found` */
export async function requireWebhookAccount(
  context: Context<'vault'>,
  providerAccountId: string,
): Promise<ProviderAccount> {
  const isId = /^[0-9a-f]{32}$/.test(providerAccountId)
  const account = isId ? await findProviderAccount(context, providerAccountId) : undefined
  if (!account) throw new SoukError('provider_account_not_found')
  return account
}

/**
 * Verifies a webhook that was sent to an account's URL and settles its result. An account may only report on its own
 * attempts, so that the holder of another account cannot pay a trade at their own provider. Returns undefined if the
 * webhook is about nothing that Souk keeps.
 *
 * @throws SoukError `provider_account_not_found`, `webhook_refused` if it was not sent by the provider, `unavailable`
 *   if the provider cannot be queried, so that it sends the webhook again
 */
export async function receiveWebhook(
  context: Context<'egress' | 'ledger' | 'vault'>,
  providerAccountId: string,
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<ReceivedEvent | undefined> {
  const provider = providerOf(context, await requireWebhookAccount(context, providerAccountId))
  const event = await provider.webhook(rawBody, headers).catch(throwSoukError)
  if (!event) return undefined

  const { attemptId } = event
  const key = await findAttemptKey(context.sql, attemptId)
  const attempt = key && (await findAttempt(context.sql, key))
  if (attempt?.providerAccountId !== providerAccountId) {
    context.log.warn({ providerAccountId, attemptId }, 'webhook for an attempt of another account or none')
    return undefined
  }
  // Nothing changes a payment that has succeeded, and its trade may be archived when a dispute or refund is reported.
  if (attempt.state !== 'succeeded') await settle(context, attempt, event.result)
  return { attempt, event }
}

function throwSoukError(error: unknown): ProviderEvent {
  if (error instanceof WebhookRejected) throw new SoukError('webhook_refused', error.message)
  if (error instanceof ProviderUnavailable) throw new SoukError('unavailable', error.message, { cause: error })
  throw error
}
