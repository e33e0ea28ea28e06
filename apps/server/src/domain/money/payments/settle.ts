import { type DeclineReason, noFailReason, transactionStatus } from '@souk/contract'
import type { CapturedPayment, Context } from '../../context.ts'
import {
  announceTrade,
  applyTransition,
  decide,
  insertEvent,
  lockTrade,
  type Trade,
  type Trigger,
  tradeNotFound,
  updateTrade,
  withdrawalTriggers,
} from '../trades/index.ts'
import type { ProviderResult } from './adapters/port.ts'
import { type AttemptState, inFlight, nextAttemptState } from './attemptState.ts'
import { type Attempt, type AttemptKey, findAttempt, updateAttempt } from './store.ts'

/** A provider result, or notice that the attempt was abandoned in favor of another provider. */
export type SettlementInput = ProviderResult | AbandonedAttempt

/** An attempt without a payment: the provider has rejected the order or was never reached. */
interface AbandonedAttempt {
  kind: 'abandoned'
  failReasonType: DeclineReason
  reason: string
}

/** The trade and attempt after settling. `unapplied`: the result was a payment that the trade could not accept. */
export interface Settlement {
  trade: Trade
  attempt: Attempt
  unapplied: boolean
}

/**
 * Single entry point for all provider results: responses, webhooks and queries (ADR 10). Locks the trade, lets the
 * state machine decide, and writes everything in one transaction. Repeated or outdated results change nothing.
 *
 * A payment that the trade cannot accept, because the trade is final or the amount or currency differs, is recorded and
 * refunded. The trade stays as it is.
 *
 * An unpaid page that the provider cannot close does not block the trade. Its attempt stays in flight and is queried
 * again, so that a later payment on it is refunded.
 *
 * @throws SoukError `trade_archived`
 */
export async function settle(
  context: Context<'ledger'>,
  key: AttemptKey,
  result: SettlementInput,
): Promise<Settlement> {
  return context.sql.begin(async (tx) => {
    const trade = await lockTrade(tx, key)
    if (!trade) throw await tradeNotFound({ sql: tx }, key.tradeNo)
    const before = await findAttempt(tx, key)
    if (!before) throw new Error(`Trade ${key.tradeNo} has no attempt ${key.attemptId}.`)

    const now = context.clock.now()
    const state = nextAttemptState(before.state, reportedState(result), now - before.ctime)
    if (state === null) return { trade, attempt: before, unapplied: false }
    const attempt = attemptAfterResult(before, state, result)
    await updateAttempt(tx, attempt, now)

    const reason = 'reason' in result ? result.reason : undefined
    const updated = tradeAfterResult(trade, attempt, result, now)
    const trigger = triggerOf(result, before.cancelFor, now)
    // This attempt is finished for the trade, even if its page stays open. A later payment on it is refunded.
    const decision = trigger && decide({ ...updated, attemptInFlight: null }, trigger)
    if (decision?.kind === 'transition') {
      if (result.kind === 'succeeded') {
        await context.ledger.recordCapture(context, tx, capturedPayment(updated, attempt, result))
      }
      return { trade: await applyTransition(context, tx, updated, decision, reason), attempt, unapplied: false }
    }

    await updateTrade(tx, updated)
    const unapplied = result.kind === 'succeeded'
    if (unapplied) await context.ledger.recordUnapplied(context, tx, capturedPayment(updated, attempt, result))
    else if (state !== before.state) {
      const { attemptId, payNo, failReasonType } = attempt
      const detail = { attemptId, payNo, failReasonType, ...(reason === undefined ? {} : { reason }) }
      await insertEvent(tx, trade, { time: now, event: attemptEvents[state], detail })
      await announceTrade(tx, trade)
    }
    return { trade: updated, attempt, unapplied }
  })
}

/** Returns the attempt state that a result reports. */
function reportedState(result: SettlementInput): Parameters<typeof nextAttemptState>[1] {
  if (result.kind === 'abandoned') return 'failed'
  return result.kind === 'canceled' && result.pageOpen ? 'redirect' : result.kind
}

/** Returns the trigger that a result is for the trade, or null if it decides nothing. */
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
    // A provider that only reports "pending" may still have the page open.
    redirectUrl: result.kind === 'redirect' ? result.url : inFlight(state) ? attempt.redirectUrl : null,
  }
}

/** Returns the trade with the fields of the attempt. The visible fields of a final trade do not change. */
function tradeAfterResult(trade: Trade, attempt: Attempt, result: SettlementInput, now: number): Trade {
  const current = trade.attemptInFlight === attempt.attemptId
  const attemptInFlight = current && !inFlight(attempt.state) ? null : trade.attemptInFlight
  const { payType, payMethod, payNo } = attempt
  const isVisible = trade.transactionStatus === transactionStatus.processing && (current || result.kind === 'succeeded')
  if (!isVisible || payNo === trade.payNo) return { ...trade, attemptInFlight }
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
