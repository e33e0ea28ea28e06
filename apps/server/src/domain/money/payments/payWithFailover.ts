import { noFailReason, type Outcome, type PayMethod, type PayType, SoukError, transactionStatus } from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { enqueue, sharedQueue } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import {
  announceTrade,
  expireLockedIfDue,
  insertEvent,
  lockTrade,
  paymentFailCode,
  type Trade,
  transactionFailed,
  updateTrade,
} from '../trades/index.ts'
import {
  claimTrial,
  findPaymentRoutes,
  type PaymentRoute,
  providerOfAttempt,
  recordFailure,
  recordSuccess,
} from './accounts/index.ts'
import { type PaymentOrder, ProviderUnavailable } from './adapters/port.ts'
import { buildReturnUrl } from './returnUrl.ts'
import { type SettlementInput, settle } from './settle.ts'
import { type Attempt, findAttempt, insertAttempt } from './store.ts'
import { cancelAttempt, resumeCanceledAttempt } from './withdraw.ts'

/** The trade after an attempt, or the failReasonType that prevents one. */
type PayResult = { trade: Trade } | { failCode: number }

/**
 * Pays a trade at the first provider account that accepts the payment. Tries the next account only if the previous one
 * certainly has no payment, because it rejected the order or was never reached (ADR 272). A payer who returns from a
 * page that is still open is redirected to it again.
 *
 * @param outcome the outcome that the sandbox provider simulates
 * @throws SoukError `unavailable` if no account accepts payments
 */
export async function payWithFailover(
  context: Context<'egress' | 'ledger' | 'vault'>,
  trade: Trade,
  payMethod: PayMethod,
  outcome: Outcome | undefined,
): Promise<PayResult> {
  const resumed = await resumeAttempt(context, trade, payMethod)
  if (resumed) return { trade: resumed }

  const { routes, shadowAccountId } = await findPaymentRoutes(context, { ...trade, payMethod }, outcome)
  if (routes.length === 0) throw new SoukError('unavailable', 'No payment provider is configured.')
  for (const [index, route] of routes.entries()) {
    const isLast = index === routes.length - 1
    // The last account is tried in any case, because no other takes the payment.
    if (route.account && route.isTrial && !isLast && !(await claimTrial(context, route.account))) continue
    const order = toPaymentOrder(context, trade, newId(), payMethod)
    const result = await payAt(context, trade, order, route, { isLast, shadowAccountId })
    if (result) return result
  }
  return { failCode: transactionFailed }
}

/** Returns the trade if its attempt continues or has ended, undefined if a new attempt may start. */
async function resumeAttempt(
  context: Context<'egress' | 'ledger' | 'vault'>,
  trade: Trade,
  payMethod: PayMethod,
): Promise<Trade | undefined> {
  const { attemptInFlight: attemptId } = trade
  const current = attemptId === null ? undefined : await findAttempt(context.sql, { ...trade, attemptId })
  if (!current?.redirectUrl) return undefined
  try {
    const provider = await providerOfAttempt(context, current)
    const { trade: settled, attempt } = await settle(context, current, await provider.query(current))
    if (settled.transactionStatus !== transactionStatus.processing) return settled
    if (attempt.redirectUrl === null) return undefined
    if (attempt.payMethod === payMethod) {
      if (attempt.cancelFor === 'payer') await resumeCanceledAttempt(context, attempt)
      return settled
    }
    const canceled = await cancelAttempt(context, attempt)
    const mayRetry = canceled.transactionStatus === transactionStatus.processing && canceled.attemptInFlight === null
    return mayRetry ? undefined : canceled
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    // The page may still be open.
    return current.payMethod === payMethod ? trade : undefined
  }
}

/**
 * Makes one attempt: stores it, creates the payment at the provider and settles the response. Returns undefined if the
 * next account may be tried.
 */
async function payAt(
  context: Context<'ledger'>,
  trade: Trade,
  order: PaymentOrder,
  route: PaymentRoute,
  { isLast, shadowAccountId }: { isLast: boolean; shadowAccountId: string | null },
): Promise<PayResult | undefined> {
  const started = await startAttempt(context, trade, order, route, shadowAccountId)
  if ('failCode' in started) return started

  // If the process dies from here on, queryPendingAttempts finds the result.
  const response = await createPayment(context, route, order)
  if (response === undefined) return started
  const result = isRejection(response) && !isLast ? abandoned(response) : response
  const settled = await settle(context, started.attempt, result)
  if (result.kind === 'abandoned') return undefined
  const open = settled.trade.transactionStatus === transactionStatus.processing
  return settled.unapplied && open ? { failCode: transactionFailed } : { trade: settled.trade }
}

/** Returns the order of an attempt, which is the same each time. */
export function toPaymentOrder(context: Context, trade: Trade, attemptId: string, payMethod: PayMethod): PaymentOrder {
  const { tradeNo, description, amount, currency, timeExpire } = trade
  const returnUrl = buildReturnUrl(context, attemptId)
  return { attemptId, appid: trade.appid, tradeNo, description, amount, currency, payMethod, timeExpire, returnUrl }
}

/** Creates a payment at the provider. Returns undefined if the outcome is unknown. */
async function createPayment(
  context: Context,
  { account, provider }: PaymentRoute,
  order: PaymentOrder,
): Promise<SettlementInput | undefined> {
  try {
    const response = await provider.create(order)
    const rejected = isRejection(response) && response.credentialsRejected
    if (account) await (rejected ? recordFailure : recordSuccess)(context, account)
    return response
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    const { attemptId } = order
    context.log.warn({ err: error, provider: provider.name, attemptId }, 'creating a payment failed')
    if (account) await recordFailure(context, account)
    return error.mayHaveActed
      ? undefined
      : { kind: 'abandoned', failReasonType: transactionFailed, reason: error.message }
  }
}

/** Returns whether the provider has rejected the order, so that no payment exists. */
function isRejection(input: SettlementInput): input is Extract<SettlementInput, { kind: 'failed' }> {
  return input.kind === 'failed' && input.payNo === null
}

function abandoned({ failReasonType, reason = '' }: Extract<SettlementInput, { kind: 'failed' }>): SettlementInput {
  return { kind: 'abandoned', failReasonType, reason }
}

/** Stores a new attempt if the trade can be paid. The lock of the trade admits one attempt at a time. */
async function startAttempt(
  context: Context,
  { appid, tradeNo }: Trade,
  order: PaymentOrder,
  { account, provider }: PaymentRoute,
  shadowAccountId: string | null,
): Promise<{ trade: Trade; attempt: Attempt } | { failCode: number }> {
  return context.sql.begin(async (tx) => {
    const locked = await expireLockedIfDue(context, tx, (await lockTrade(tx, { appid, tradeNo }))!)
    const failCode = paymentFailCode(locked)
    if (failCode !== null) return { failCode }

    const now = context.clock.now()
    const { attemptId, payMethod } = order
    const payType: PayType = provider.payTypeOf(order)
    const providerAccountId = account?.providerAccountId ?? null
    const attempt: Attempt = {
      appid,
      tradeNo,
      attemptId,
      provider: provider.name,
      providerAccountId,
      payType,
      payMethod,
      payNo: null,
      state: 'created',
      failReasonType: noFailReason,
      prompt: null,
      redirectUrl: null,
      cancelFor: null,
      ctime: now,
    }
    const trade = { ...locked, payType, payMethod, payNo: null, attemptInFlight: attemptId, mtime: now }
    await insertAttempt(tx, attempt)
    await updateTrade(tx, trade)
    const detail = { attemptId, provider: provider.name, providerAccountId, payType, payMethod }
    await insertEvent(tx, trade, { time: now, event: 'paymentStarted', detail })
    await announceTrade(tx, trade)
    if (shadowAccountId !== null) {
      const payload = { appid, tradeNo, attemptId, providerAccountId: shadowAccountId }
      // A shadow account that does not respond must not hold up refunds and mails.
      await enqueue(tx, { name: 'shadowPayment', payload, queue: sharedQueue('shadowPayment', attemptId) })
    }
    return { trade, attempt }
  })
}
