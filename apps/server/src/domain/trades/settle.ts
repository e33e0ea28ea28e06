import { noFailReason, transactionFlow, transactionStatus } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { enqueue } from '../../kernel/outbox.ts'
import type { Context } from '../context.ts'
import { type AttemptState, attemptAfter, decide, inFlight, type Trigger } from './machine.ts'
import { announceTrade, moveTrade } from './move.ts'
import type { PaymentProvider, ProviderResult } from './providers/port.ts'
import { stateOf } from './stateOf.ts'
import {
  type Attempt,
  type AttemptKey,
  findAttempt,
  findAttemptKey,
  insertEvent,
  insertMoneyReturn,
  lockTrade,
  type Trade,
  updateAttempt,
  updateTrade,
} from './store.ts'

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
 */
export async function settle(context: Context, key: AttemptKey, result: ProviderResult): Promise<Settlement> {
  return context.sql.begin(async (tx) => {
    const trade = await lockTrade(tx, key)
    const before = trade && (await findAttempt(tx, key))
    if (!before) throw new Error(`there is no attempt ${key.attemptId} of trade ${key.tradeNo}`)

    const now = context.clock.now()
    const state = attemptAfter(before.state, result.kind, now - before.ctime)
    if (state === null) return { trade, attempt: before, owed: false }
    const attempt = attemptAfterResult(before, state, result)
    await updateAttempt(tx, attempt, now)

    const standing = tradeAfterResult(trade, attempt, result, now)
    const trigger = triggerOf(result, before.cancelFor)
    // An attempt that the provider has ended, or never had, does not hold the trade up. Should the provider get it after
    // all, its money goes back.
    const verdict = trigger && decide({ ...standing, attemptInFlight: null }, trigger)
    if (verdict?.kind === 'moves') {
      return { trade: await moveTrade(context, tx, standing, verdict), attempt, owed: false }
    }

    await updateTrade(tx, standing)
    const owed = result.kind === 'succeeded'
    if (owed) await owe(context, tx, standing, attempt, result)
    else if (state !== before.state) {
      const detail = { attemptId: attempt.attemptId, payNo: attempt.payNo, failReasonType: attempt.failReasonType }
      await insertEvent(tx, trade, { time: now, event: attemptEvents[state], detail })
      await announceTrade(tx, trade)
    }
    return { trade: standing, attempt, owed }
  })
}

/**
 * Takes a webhook: the provider verifies it, and its result comes in by the door.
 * @throws WebhookRefused where it does not come from the provider.
 */
export async function receiveWebhook(
  context: Context,
  provider: PaymentProvider,
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { attemptId, result } = await provider.webhook(rawBody, headers)
  const key = await findAttemptKey(context.sql, attemptId)
  if (key) await settle(context, key, result)
  else context.log.warn({ provider: provider.name, attemptId }, 'a webhook names an attempt that does not exist here')
}

/** What a result means for the trade; null where it decides nothing. */
function triggerOf(result: ProviderResult, cancelFor: Attempt['cancelFor']): Trigger | null {
  switch (result.kind) {
    case 'succeeded':
      return { kind: 'confirmed', amount: result.amount, currency: result.currency }
    case 'failed':
      return { kind: 'declined', failReasonType: result.failReasonType }
    case 'canceled':
      return { kind: cancelFor === 'merchant' ? 'closed' : 'canceled' }
    case 'unknown':
      if (cancelFor === null) return null
      return { kind: cancelFor === 'merchant' ? 'closed' : 'canceled' }
    case 'pending':
    case 'challenge':
      return null
  }
}

function attemptAfterResult(attempt: Attempt, state: AttemptState, result: ProviderResult): Attempt {
  return {
    ...attempt,
    state,
    payNo: (result.kind === 'unknown' ? null : result.payNo) ?? attempt.payNo,
    failReasonType: result.kind === 'failed' ? result.failReasonType : noFailReason,
    prompt: result.kind === 'challenge' ? result.prompt : null,
  }
}

/** The trade with what the attempt brings to it, short of a move. A final trade keeps everything that can be seen of it. */
function tradeAfterResult(trade: Trade, attempt: Attempt, result: ProviderResult, now: number): Trade {
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
  succeeded: 'paymentSucceeded',
  failed: 'paymentFailed',
  canceled: 'paymentCanceled',
}

/** Records money that has to go back, for the operator and for the job that returns it. */
async function owe(
  context: Context,
  tx: Tx,
  trade: Trade,
  { appid, tradeNo, attemptId, payNo }: Attempt,
  { amount, currency }: Extract<ProviderResult, { kind: 'succeeded' }>,
): Promise<void> {
  const time = context.clock.now()
  const open = trade.transactionStatus === transactionStatus.processing
  const reason = open ? 'differs from the trade' : `the trade ${stateOf(trade.transactionStatus)}`
  await insertMoneyReturn(tx, { appid, tradeNo, attemptId }, { amount, currency, reason, time })
  const detail = { transactionFlow: transactionFlow.income, attemptId, payNo, amount, currency, reason }
  await insertEvent(tx, trade, { time, event: 'moneyOwed', detail })
  await enqueue(tx, context.clock, { name: 'returnMoney', payload: { appid, tradeNo, attemptId } })
  context.log.warn(
    { tradeNo, attemptId, reason },
    'money arrived that the trade cannot take; it goes back to the payer',
  )
}
