import { SoukError, transactionStatus } from '@souk/contract'
import type { Context } from '../../context.ts'
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
 * Ends a trade for its merchant (closed), its payer (canceled), or because it expired while the payer was on the
 * provider's page. An attempt in flight is first canceled at the provider, outside any transaction, and the response is
 * settled, so that a payment that succeeded earlier wins. Returns the trade, still processing if the provider does not
 * cancel.
 */
export async function withdraw(
  context: Context<'egress' | 'ledger' | 'vault'>,
  key: TradeKey,
  by: keyof typeof withdrawalTriggers,
): Promise<Trade> {
  const withdrawn = await context.sql.begin(async (tx) => {
    const locked = await lockTrade(tx, key)
    if (!locked) throw new Error(`Trade ${key.tradeNo} does not exist.`)
    const trade = await expireLockedIfDue(context, tx, locked)
    const decision = decide(trade, withdrawalTriggers[by](context.clock.now()))
    if (decision.kind === 'transition') return { trade: await applyTransition(context, tx, trade, decision) }
    if (decision.reason !== 'attemptInFlight') return { trade }
    // Stored before the request, so that a result that arrives after a crash still withdraws the trade.
    const attempt = (await findAttempt(tx, { ...key, attemptId: trade.attemptInFlight! }))!
    // A close by the merchant that the provider has not answered stays one.
    const marked = { ...attempt, cancelFor: attempt.cancelFor === 'merchant' ? attempt.cancelFor : by }
    await updateAttempt(tx, marked, context.clock.now())
    return { trade, attempt: marked }
  })
  return withdrawn.attempt ? cancelAtProvider(context, withdrawn.attempt) : withdrawn.trade
}

/**
 * Withdraws a trade for a caller that waits for the response.
 * @throws SoukError `unavailable` if the provider cannot be reached. The withdrawal still applies when it responds
 * later.
 */
export async function withdrawForCaller(
  context: Context<'egress' | 'ledger' | 'vault'>,
  key: TradeKey,
  by: 'merchant' | 'payer',
): Promise<Trade> {
  return withdraw(context, key, by).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new SoukError('unavailable', 'The payment provider cannot be reached; try again.', { cause: error })
  })
}

/**
 * Cancels an attempt in flight, so that the trade can be paid in another way. Returns the trade, with the attempt still
 * in flight if the provider does not cancel it. A close by the merchant that the provider has not answered still ends
 * the trade.
 */
export async function cancelAttempt(context: Context<'egress' | 'ledger' | 'vault'>, key: AttemptKey): Promise<Trade> {
  const attempt = await changeCancelReason(context, key, (earlier) => (earlier === 'merchant' ? earlier : 'retry'))
  return cancelAtProvider(context, attempt)
}

/** Forgets a cancellation by the payer that the provider has not answered, because the payer pays on the same page. */
export async function resumeCanceledAttempt(context: Context, key: AttemptKey): Promise<void> {
  await changeCancelReason(context, key, (earlier) => (earlier === 'payer' ? null : earlier))
}

async function cancelAtProvider(context: Context<'egress' | 'ledger' | 'vault'>, requested: Attempt): Promise<Trade> {
  const provider = await providerOfAttempt(context, requested)
  const { trade, attempt } = await settle(context, requested, await provider.cancel(requested))
  // The provider did not cancel. If the attempt is canceled later, that is not due to this request.
  const open = trade.transactionStatus === transactionStatus.processing
  if (open && inFlight(attempt.state)) {
    await changeCancelReason(context, requested, (latest) => (latest === requested.cancelFor ? null : latest))
  }
  return trade
}

async function changeCancelReason(
  context: Context,
  key: AttemptKey,
  change: (earlier: Attempt['cancelFor']) => Attempt['cancelFor'],
): Promise<Attempt> {
  return context.sql.begin(async (tx) => {
    await lockTrade(tx, key)
    const stored = (await findAttempt(tx, key))!
    const attempt = { ...stored, cancelFor: change(stored.cancelFor) }
    await updateAttempt(tx, attempt, context.clock.now())
    return attempt
  })
}
