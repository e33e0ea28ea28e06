import { transactionStatus } from '@souk/contract'
import type { Context } from '../../context.ts'
import { providerOfAttempt } from './accounts/index.ts'
import { ProviderUnavailable } from './adapters/port.ts'
import { attemptGracePeriod, inFlight } from './attemptState.ts'
import { settle } from './settle.ts'
import { type Attempt, claimStaleAttempts } from './store.ts'
import { withdraw } from './withdraw.ts'

const batchSize = 500
/** Consecutive failed queries after which an account is skipped until the next run. */
const maxFailures = 3

/**
 * Recurring job: queries every attempt in flight without news for 60 s, because a process may have died or a webhook
 * may be lost. An attempt that is unknown to its provider is finished, so that the trade can be paid again. Failed
 * queries are repeated after 60 s. Accounts do not block each other.
 */
export async function queryPendingAttempts(context: Context<'egress' | 'ledger' | 'vault'>): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    const stale = await claimStaleAttempts(context.sql, { before: now - attemptGracePeriod, now, limit: batchSize })
    const accounts = Map.groupBy(stale, ({ providerAccountId, provider }) => providerAccountId ?? provider)
    await Promise.all([...accounts.values()].map((attempts) => queryAccount(context, attempts)))
    if (stale.length < batchSize) return
  }
}

async function queryAccount(
  context: Context<'egress' | 'ledger' | 'vault'>,
  attempts: readonly Attempt[],
): Promise<void> {
  let failures = 0
  for (const attempt of attempts) {
    if (failures === maxFailures) return
    try {
      await queryAttempt(context, attempt)
      failures = 0
    } catch (error) {
      if (error instanceof ProviderUnavailable) failures++
      const { provider, providerAccountId, attemptId } = attempt
      context.log.error({ err: error, provider, providerAccountId, attemptId }, 'querying a payment failed')
    }
  }
}

async function queryAttempt(context: Context<'egress' | 'ledger' | 'vault'>, pending: Attempt): Promise<void> {
  const provider = await providerOfAttempt(context, pending)
  const result = await provider.query(pending)
  const { trade, attempt } = await settle(context, pending, result)
  if (!inFlight(attempt.state)) return
  // The trade was closed before the provider received the payment.
  if (trade.transactionStatus !== transactionStatus.processing) {
    await settle(context, pending, await provider.cancel(attempt))
    return
  }
  // The provider was not reached when the trade was to be closed or canceled.
  if (attempt.cancelFor === 'merchant' || attempt.cancelFor === 'payer') {
    await withdraw(context, trade, attempt.cancelFor)
    return
  }
  // The trade has expired while the payer was on the provider's page.
  const isPageOpen = attempt.redirectUrl !== null || (result.kind === 'pending' && result.pageOpen)
  if (isPageOpen && trade.timeExpire <= context.clock.now()) await withdraw(context, trade, 'expiry')
}
