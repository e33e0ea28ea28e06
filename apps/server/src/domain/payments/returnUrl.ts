import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { providerOfAttempt } from './accounts/index.ts'
import { settle } from './settle.ts'
import { findAttempt, findAttemptKey } from './store.ts'

/** How long a payer who is back waits for the provider's answer, ms. What comes later is taken all the same. */
const patience = 5_000

/** Where the provider's page leads the payer of an attempt back to. */
export function buildReturnUrl({ settings }: Context, attemptId: string): string {
  return `${settings.publicUrl}/host/v1/return/${attemptId}`
}

/**
 * A payer comes back from the provider's page. Whoever comes proves nothing by it, so the provider is asked, and its
 * answer comes in by the door. Gives the address of the host application that the payer is led on to, with the `tradeNo`
 * where the attempt exists.
 */
export async function handlePayerReturn(context: Context, attemptId: string): Promise<string> {
  const home = new URL(context.settings.hostUrl)
  const key = await findAttemptKey(context.sql, attemptId)
  if (!key) return home.href

  const giveUp = new AbortController()
  await Promise.race([ask(), wait(patience, undefined, { signal: giveUp.signal }).catch(() => undefined)])
  giveUp.abort()
  home.searchParams.set('tradeNo', key.tradeNo)
  return home.href

  async function ask(): Promise<void> {
    try {
      const attempt = (await findAttempt(context.sql, key!))!
      const provider = await providerOfAttempt(context, attempt)
      await settle(context, attempt, await provider.query(attempt))
    } catch (error) {
      context.log.error({ err: error, attemptId }, 'the provider could not be asked about a payer who is back')
    }
  }
}
