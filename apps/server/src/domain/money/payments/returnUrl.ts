import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { Context } from '../../context.ts'
import { providerOfAttempt } from './accounts/index.ts'
import { settle } from './settle.ts'
import { findAttempt, findAttemptKey } from './store.ts'

/** Maximum time that a returning payer waits for the provider, in ms. A later response is settled as well. */
const responseTimeout = 5 * second

/** Returns the URL to which the provider's page returns the payer. */
export function buildReturnUrl({ settings }: Context, attemptId: string): string {
  return `${settings.publicUrl}/host/v1/return/${attemptId}`
}

/** Running queries by attempt: a payer who repeats the return must not use up the merchant's limit at the provider. */
const queries = new Map<string, Promise<void>>()

/**
 * Handles a payer who returns from the provider's page. The return proves nothing, so the provider is queried unless
 * the payment is known to have succeeded. Returns the URL of the host application to redirect the payer to, with the
 * `tradeNo` if the attempt exists.
 */
export async function handlePayerReturn(
  context: Context<'egress' | 'ledger' | 'vault' | 'web'>,
  attemptId: string,
): Promise<string> {
  const home = new URL(context.web.hostUrl)
  const key = await findAttemptKey(context.sql, attemptId)
  if (!key) return home.href

  const query = queries.get(attemptId) ?? querySafely().finally(() => queries.delete(attemptId))
  queries.set(attemptId, query)
  const timeout = new AbortController()
  await Promise.race([query, wait(responseTimeout, undefined, { signal: timeout.signal }).catch(() => undefined)])
  timeout.abort()
  home.searchParams.set('tradeNo', key.tradeNo)
  return home.href

  async function querySafely(): Promise<void> {
    try {
      const attempt = (await findAttempt(context.sql, key!))!
      if (attempt.state === 'succeeded') return
      const provider = await providerOfAttempt(context, attempt)
      await settle(context, attempt, await provider.query(attempt))
    } catch (error) {
      context.log.error({ err: error, attemptId }, 'querying the provider for a returning payer failed')
    }
  }
}
