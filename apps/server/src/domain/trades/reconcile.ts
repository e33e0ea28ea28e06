import { transactionStatus } from '@souk/contract'
import type { Context } from '../context.ts'
import { attemptPatience, inFlight } from './machine.ts'
import { providerNamed } from './providers/index.ts'
import type { PaymentProvider } from './providers/port.ts'
import { settle } from './settle.ts'
import { type AttemptKey, claimSilentAttempts } from './store.ts'

const batch = 500

/**
 * Asks the providers about every attempt in flight of which nothing was heard for 60 s: a process may have died between
 * the attempt and the answer, or a webhook may be lost. An attempt that its provider does not know is over; the trade can
 * be paid again. What a provider cannot say now is asked again in 60 s.
 */
export async function reconcilePayments(context: Context): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    const silent = await claimSilentAttempts(context.sql, { before: now - attemptPatience, now, limit: batch })
    for (const { provider, ...key } of silent) {
      try {
        await reconcile(context, key, providerNamed(context, provider))
      } catch (error) {
        context.log.error({ err: error, provider, attemptId: key.attemptId }, 'a payment could not be reconciled')
      }
    }
    if (silent.length < batch) return
  }
}

async function reconcile(context: Context, key: AttemptKey, provider: PaymentProvider): Promise<void> {
  const { trade, attempt } = await settle(context, key, await provider.query(key.attemptId))
  // A close can outrun the creation of a payment. Nobody waits for that payment any more.
  const orphaned = trade.transactionStatus !== transactionStatus.processing && inFlight(attempt.state)
  if (orphaned) await settle(context, key, await provider.cancel(key.attemptId))
}
