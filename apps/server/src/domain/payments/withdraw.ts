import { SoukError, transactionStatus } from '@souk/contract'
import type { Context } from '../context.ts'
import {
  applyTransition,
  decide,
  expireLockedIfDue,
  lockTrade,
  type Trade,
  type TradeKey,
  withdrawalTriggers,
} from '../trades/index.ts'
import { providerOfAttempt } from './accounts/index.ts'
import { ProviderUnavailable } from './adapters/port.ts'
import { inFlight } from './attemptState.ts'
import { settle } from './settle.ts'
import { type Attempt, type AttemptKey, findAttempt, updateAttempt } from './store.ts'

/**
 * Ends a trade on the word of its merchant (closed) or its payer (canceled), or because its time has come while the payer is on
 * the provider's page (expired). An attempt in flight is first cancelled at the provider, outside any transaction; what the
 * provider answers comes in by the door, so that a confirm that was faster wins. Gives the trade as that leaves it: still
 * processing where the provider does not let go of the attempt.
 */
export async function withdraw(context: Context, key: TradeKey, by: keyof typeof withdrawalTriggers): Promise<Trade> {
  const asked = await context.sql.begin(async (tx) => {
    const locked = await lockTrade(tx, key)
    if (!locked) throw new Error(`there is no trade ${key.tradeNo}`)
    const trade = await expireLockedIfDue(context, tx, locked)
    const verdict = decide(trade, withdrawalTriggers[by](context.clock.now()))
    if (verdict.kind === 'transition') return { trade: await applyTransition(context, tx, trade, verdict) }
    if (verdict.reason !== 'attemptInFlight') return { trade }
    // Written down before the provider is asked: whoever brings its answer, even after a crash, knows what it means.
    const attempt = (await findAttempt(tx, { ...key, attemptId: trade.attemptInFlight! }))!
    await updateAttempt(tx, { ...attempt, cancelFor: by }, context.clock.now())
    return { trade, attempt }
  })
  return asked.attempt ? cancelAtProvider(context, asked.attempt) : asked.trade
}

/**
 * The same for somebody who waits for the answer.
 * @throws SoukError `unavailable` where the provider cannot be asked; what was asked for counts when it answers later
 */
export async function withdrawForCaller(context: Context, key: TradeKey, by: 'merchant' | 'payer'): Promise<Trade> {
  return withdraw(context, key, by).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new SoukError('unavailable', 'The payment provider cannot be reached; try again.', { cause: error })
  })
}

/**
 * Ends an attempt in flight, so that its trade can be paid in another way. Gives the trade as that leaves it: with the attempt
 * in flight where the provider does not let go of it.
 */
export async function cancelAttempt(context: Context, key: AttemptKey): Promise<Trade> {
  const attempt = await setCancelReason(context, key, 'retry')
  return cancelAtProvider(context, attempt)
}

async function cancelAtProvider(context: Context, asked: Attempt): Promise<Trade> {
  const provider = await providerOfAttempt(context, asked)
  const { trade, attempt } = await settle(context, asked, await provider.cancel(asked))
  // The provider did not cancel: should the attempt be canceled later, then not on this word.
  const open = trade.transactionStatus === transactionStatus.processing
  if (open && inFlight(attempt.state)) await setCancelReason(context, asked, null)
  return trade
}

async function setCancelReason(context: Context, key: AttemptKey, cancelFor: Attempt['cancelFor']): Promise<Attempt> {
  return context.sql.begin(async (tx) => {
    await lockTrade(tx, key)
    const attempt = { ...(await findAttempt(tx, key))!, cancelFor }
    await updateAttempt(tx, attempt, context.clock.now())
    return attempt
  })
}
