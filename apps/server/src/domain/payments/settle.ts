import { type DeclineReason, noFailReason, transactionStatus } from '@souk/contract'
import type { CapturedPayment, Context } from '../context.ts'
import {
  announceTrade,
  applyTransition,
  decide,
  insertEvent,
  lockTrade,
  type Trade,
  type Trigger,
  updateTrade,
  withdrawalTriggers,
} from '../trades/index.ts'
import type { ProviderResult } from './adapters/port.ts'
import { type AttemptState, inFlight, nextAttemptState } from './attemptState.ts'
import { type Attempt, type AttemptKey, findAttempt, updateAttempt } from './store.ts'

/**
 * What the door takes: a provider's result, or that an attempt is over while its trade is to be paid at another provider.
 * The provider has refused it, or was never reached: there is no payment.
 */
export type SettlementInput = ProviderResult | AbandonedAttempt
interface AbandonedAttempt {
  kind: 'abandoned'
  failReasonType: DeclineReason
  reason: string
}

/** Where a result has left the trade. `owed`: it brought money that the trade could not take. */
export interface Settlement {
  trade: Trade
  attempt: Attempt
  owed: boolean
}

/**
 * The one door through which every result of a provider comes: its direct answer, its webhook, and what it says when it is
 * asked (ADR 10). It holds the trade's row, lets the machine decide, and writes everything in one transaction. A result
 * that has come before, or that an earlier one outweighs, changes nothing.
 *
 * Money that a trade cannot take (it is final, or amount or currency differ from its own) is recorded and goes back by the
 * job `returnMoney`; the trade stays what it is.
 *
 * A page that the provider does not close when it is asked to, and that nobody has paid on, does not hold the trade up. Its
 * attempt stays in flight, so that reconciliation goes on asking: whoever pays there later gets the money back.
 */
export async function settle(context: Context, key: AttemptKey, result: SettlementInput): Promise<Settlement> {
  return context.sql.begin(async (tx) => {
    const trade = await lockTrade(tx, key)
    const before = trade && (await findAttempt(tx, key))
    if (!before) throw new Error(`there is no attempt ${key.attemptId} of trade ${key.tradeNo}`)

    const now = context.clock.now()
    const state = nextAttemptState(before.state, reportedState(result), now - before.ctime)
    if (state === null) return { trade, attempt: before, owed: false }
    const attempt = attemptAfterResult(before, state, result)
    await updateAttempt(tx, attempt, now)

    const reason = 'reason' in result ? result.reason : undefined
    const standing = tradeAfterResult(trade, attempt, result, now)
    const trigger = triggerOf(result, before.cancelFor, now)
    // An attempt that the provider has ended, or never had, does not hold the trade up. Should the provider get it after
    // all, its money goes back.
    const verdict = trigger && decide({ ...standing, attemptInFlight: null }, trigger)
    if (verdict?.kind === 'transition') {
      if (result.kind === 'succeeded') {
        await context.ledger.recordCapture(context, tx, capturedPayment(standing, attempt, result))
      }
      return { trade: await applyTransition(context, tx, standing, verdict, reason), attempt, owed: false }
    }

    await updateTrade(tx, standing)
    const owed = result.kind === 'succeeded'
    if (owed) await context.ledger.recordUnapplied(context, tx, capturedPayment(standing, attempt, result))
    else if (state !== before.state) {
      const { attemptId, payNo, failReasonType } = attempt
      const detail = { attemptId, payNo, failReasonType, ...(reason === undefined ? {} : { reason }) }
      await insertEvent(tx, trade, { time: now, event: attemptEvents[state], detail })
      await announceTrade(tx, trade)
    }
    return { trade: standing, attempt, owed }
  })
}

/** What a result says of the attempt. */
function reportedState(result: SettlementInput): Parameters<typeof nextAttemptState>[1] {
  if (result.kind === 'abandoned') return 'failed'
  return result.kind === 'canceled' && result.pageOpen ? 'redirect' : result.kind
}

/** What a result means for the trade; null where it decides nothing. */
function triggerOf(result: SettlementInput, cancelFor: Attempt['cancelFor'], now: number): Trigger | null {
  switch (result.kind) {
    case 'succeeded':
      return { kind: 'confirmed', amount: result.amount, currency: result.currency }
    case 'failed':
      return { kind: 'declined', failReasonType: result.failReasonType }
    case 'canceled':
    case 'expired':
    case 'unknown':
      if (cancelFor === 'retry') return null
      if (cancelFor !== null) return withdrawalTriggers[cancelFor](now)
      return result.kind === 'canceled' ? { kind: 'canceled' } : null
    case 'abandoned':
    case 'pending':
    case 'challenge':
    case 'redirect':
      return null
  }
}

function attemptAfterResult(attempt: Attempt, state: AttemptState, result: SettlementInput): Attempt {
  return {
    ...attempt,
    state,
    payNo: ('payNo' in result ? result.payNo : null) ?? attempt.payNo,
    failReasonType: 'failReasonType' in result ? result.failReasonType : noFailReason,
    prompt: result.kind === 'challenge' ? result.prompt : null,
    // A provider that says no more than "pending" has the page open still, for all that is known.
    redirectUrl: result.kind === 'redirect' ? result.url : inFlight(state) ? attempt.redirectUrl : null,
  }
}

/** The trade with what the attempt brings to it, short of a move. A final trade keeps everything that can be seen of it. */
function tradeAfterResult(trade: Trade, attempt: Attempt, result: SettlementInput, now: number): Trade {
  const current = trade.attemptInFlight === attempt.attemptId
  const attemptInFlight = current && !inFlight(attempt.state) ? null : trade.attemptInFlight
  const { payType, payMethod, payNo } = attempt
  const shown = trade.transactionStatus === transactionStatus.processing && (current || result.kind === 'succeeded')
  if (!shown || payNo === trade.payNo) return { ...trade, attemptInFlight }
  return { ...trade, attemptInFlight, payType, payMethod, payNo, mtime: now }
}

const attemptEvents: Record<AttemptState, string> = {
  created: 'paymentStarted',
  pending: 'paymentPending',
  challenge: 'paymentChallenged',
  redirect: 'paymentRedirected',
  succeeded: 'paymentSucceeded',
  failed: 'paymentFailed',
  canceled: 'paymentCanceled',
  expired: 'paymentExpired',
}

function capturedPayment(
  trade: Trade,
  attempt: Attempt,
  { amount, currency }: Extract<ProviderResult, { kind: 'succeeded' }>,
): CapturedPayment {
  const { appid, tradeNo, merchantId, outTradeNo, openId, payer, transactionStatus } = trade
  const { attemptId, provider, providerAccountId, payType, payMethod, payNo } = attempt
  return {
    appid,
    tradeNo,
    merchantId,
    outTradeNo,
    openId,
    payer,
    transactionStatus,
    attemptId,
    provider,
    providerAccountId,
    payType,
    payMethod,
    payNo,
    amount,
    currency,
  }
}
