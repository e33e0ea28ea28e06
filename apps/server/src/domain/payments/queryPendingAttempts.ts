import { transactionStatus } from '@souk/contract'
import type { Context } from '../context.ts'
import { providerOfAttempt } from './accounts/index.ts'
import { ProviderUnavailable } from './adapters/port.ts'
import { attemptGracePeriod, inFlight } from './attemptState.ts'
import { settle } from './settle.ts'
import { type Attempt, claimStaleAttempts } from './store.ts'
import { withdraw } from './withdraw.ts'

const batch = 500
/** After how many questions in a row without an answer a provider is left alone until the next run. */
const patience = 3

/**
 * Asks the providers about every attempt in flight of which nothing was heard for 60 s: a process may have died between
 * the attempt and the answer, or a webhook may be lost. An attempt that its provider does not know is over; the trade can
 * be paid again. What a provider cannot say now is asked again in 60 s, and no provider holds up another.
 */
export async function queryPendingAttempts(context: Context): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    const silent = await claimStaleAttempts(context.sql, { before: now - attemptGracePeriod, now, limit: batch })
    const accounts = Map.groupBy(silent, ({ providerAccountId, provider }) => providerAccountId ?? provider)
    await Promise.all([...accounts.values()].map((attempts) => reconcileAccount(context, attempts)))
    if (silent.length < batch) return
  }
}

async function reconcileAccount(context: Context, attempts: readonly Attempt[]): Promise<void> {
  let unanswered = 0
  for (const attempt of attempts) {
    if (unanswered === patience) return
    try {
      await reconcile(context, attempt)
      unanswered = 0
    } catch (error) {
      if (error instanceof ProviderUnavailable) unanswered++
      const { provider, providerAccountId, attemptId } = attempt
      context.log.error({ err: error, provider, providerAccountId, attemptId }, 'a payment could not be reconciled')
    }
  }
}

async function reconcile(context: Context, asked: Attempt): Promise<void> {
  const provider = await providerOfAttempt(context, asked)
  const result = await provider.query(asked)
  const { trade, attempt } = await settle(context, asked, result)
  if (!inFlight(attempt.state)) return
  // A close can outrun the creation of a payment. Nobody waits for that payment any more.
  if (trade.transactionStatus !== transactionStatus.processing) {
    await settle(context, asked, await provider.cancel(attempt))
    return
  }
  // The payer has not paid on the provider's page, and must not do so any more.
  const isPageOpen = attempt.redirectUrl !== null || (result.kind === 'pending' && result.pageOpen)
  if (isPageOpen && trade.timeExpire <= context.clock.now()) await withdraw(context, trade, 'expiry')
}
