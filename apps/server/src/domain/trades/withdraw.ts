import { transactionStatus } from '@souk/contract'
import type { Context } from '../context.ts'
import { expireLocked } from './expire.ts'
import { decide } from './machine.ts'
import { moveTrade } from './move.ts'
import { providerNamed } from './providers/index.ts'
import { settle } from './settle.ts'
import { type Attempt, findAttempt, lockTrade, type Trade, type TradeKey, updateAttempt } from './store.ts'

/**
 * Ends a trade on the word of its merchant (closed) or its payer (canceled). An attempt in flight is first cancelled at
 * the provider, outside any transaction; what the provider answers comes in by the door, so that a confirm that was faster
 * wins. Gives the trade as that leaves it: still processing where the provider does not let go of the attempt.
 */
export async function withdraw(context: Context, key: TradeKey, by: 'merchant' | 'payer'): Promise<Trade> {
  const asked = await context.sql.begin(async (tx) => {
    const locked = await lockTrade(tx, key)
    if (!locked) throw new Error(`there is no trade ${key.tradeNo}`)
    const trade = await expireLocked(context, tx, locked)
    const verdict = decide(trade, { kind: by === 'merchant' ? 'closed' : 'canceled' })
    if (verdict.kind === 'moves') return { trade: await moveTrade(context, tx, trade, verdict) }
    if (verdict.because === 'final') return { trade }
    // Written down before the provider is asked: whoever brings its answer, even after a crash, knows what it means.
    const attempt = (await findAttempt(tx, { ...key, attemptId: trade.attemptInFlight! }))!
    await updateAttempt(tx, { ...attempt, cancelFor: by }, context.clock.now())
    return { trade, attempt }
  })
  if (!asked.attempt) return asked.trade

  const result = await providerNamed(context, asked.attempt.provider).cancel(asked.attempt.attemptId)
  const { trade } = await settle(context, asked.attempt, result)
  if (trade.transactionStatus === transactionStatus.processing) await forgetCancel(context, asked.attempt)
  return trade
}

/** The provider did not cancel: should the attempt be canceled later, then not on this word. */
async function forgetCancel(context: Context, key: Attempt): Promise<void> {
  await context.sql.begin(async (tx) => {
    await lockTrade(tx, key)
    const attempt = (await findAttempt(tx, key))!
    await updateAttempt(tx, { ...attempt, cancelFor: null }, context.clock.now())
  })
}
