import {
  centsOf,
  type consoleOperations,
  type hostOperations,
  type Outcome,
  type ParametersOf,
  type PayMethodName,
  payMethod,
  type ResultOf,
  SoukError,
  transactionStatus,
} from '@souk/contract'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findUser } from '../../users/index.ts'
import { findTradeByTradeNo, getTradeOfPayer, type Trade } from '../trades/index.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { settleDecision } from './decideSandboxPayments.ts'
import { payWithFailover } from './payWithFailover.ts'
import { settle } from './settle.ts'
import { type Attempt, findAttempt, listAttempts } from './store.ts'
import { withdrawForCaller } from './withdraw.ts'

/** The result of `neu.requestPayment()` (open-api §1): status 0 closed, 1 failed with failCode, 2 succeeded. */
type PaymentResult = ResultOf<typeof hostOperations.startPayment>

/**
 * Starts a payment attempt for `neu.requestPayment()`. The trade determines what is charged, not the page.
 *
 * A trade that cannot be paid is not an error: the result has status 1 with failCode 20 paid, 21 expired, 22 closed or
 * canceled, 23 another attempt in flight, 27 failed (open-api §2.5).
 *
 * @throws SoukError `trade_not_found`, `payment_mismatch`, `sandbox_only` for an outcome outside a sandbox
 */
export async function startPayment(
  context: Context<'egress' | 'ledger' | 'vault'>,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.startPayment>,
): Promise<PaymentResult> {
  if (input.outcome !== undefined && !context.settings.sandbox) throw new SoukError('sandbox_only')
  const trade = await getTradeOfPayer(context, uid, input.tradeNo)
  checkShown(trade, input)
  return startAttempt(context, trade, input.payMethod as PayMethodName, input.outcome as Outcome | undefined)
}

/**
 * Completes 3-D Secure at the sandbox provider. Other providers do that on their own pages.
 * @throws SoukError `trade_not_found`, `payment_not_pending`
 */
export async function answerChallenge(
  context: Context<'ledger'>,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.answerChallenge>,
): Promise<PaymentResult> {
  const trade = await getTradeOfPayer(context, uid, input.tradeNo)
  const current = await attemptInFlight(context, trade)
  if (current?.state !== 'challenge')
    throw new SoukError('payment_not_pending', 'The payment is not waiting for 3-D Secure.')
  const result = await new SandboxProvider(context).answerChallenge(current.attemptId, input.passed)
  return toPaymentResult(context, (await settle(context, current, result)).trade)
}

/**
 * Cancels a trade for its payer, and returns its result if it was already final. Closing the payment sheet does not
 * cancel.
 * @throws SoukError `trade_not_found`, `payment_in_flight` if the provider does not cancel the attempt,
 *   `unavailable` if it cannot be reached
 */
export async function cancelPayment(
  context: Context<'egress' | 'ledger' | 'vault'>,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.cancelPayment>,
): Promise<PaymentResult> {
  const trade = await withdrawForCaller(context, await getTradeOfPayer(context, uid, input.tradeNo), 'payer')
  if (trade.transactionStatus === transactionStatus.processing) {
    throw new SoukError('payment_in_flight', 'The provider has not canceled the payment; wait for its result.')
  }
  return toPaymentResult(context, trade)
}

/** Returns the current result of `neu.requestPayment()`. @throws SoukError `trade_not_found` */
export async function paymentResult(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.paymentResult>,
): Promise<PaymentResult> {
  return toPaymentResult(context, await getTradeOfPayer(context, uid, input.tradeNo))
}

/**
 * Pays a trade in the sandbox as its payer would. Without an outcome the amount decides.
 * @throws SoukError `user_not_found`, `trade_not_found` if the user is not its payer
 */
export async function pay(
  context: Context<'egress' | 'ledger' | 'vault'>,
  caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.pay>,
): Promise<PaymentResult> {
  if (!(await findUser(context.sql, input.uid))) throw new SoukError('user_not_found')
  const trade = await getTradeOfPayer(context, input.uid, input.tradeNo)
  await auditTrade(context, caller, trade, { action: 'sandbox.pay', outcome: input.outcome })
  return startAttempt(
    context,
    trade,
    (input.payMethod ?? 'card') as PayMethodName,
    input.outcome as Outcome | undefined,
  )
}

/**
 * Makes the sandbox provider decide the newest undecided payment of a trade, even of a final trade: that simulates a
 * late result. It is settled like a webhook.
 *
 * @throws SoukError `trade_not_found`, `payment_not_pending`
 */
export async function resolvePayment(
  context: Context<'ledger'>,
  caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.resolvePayment>,
): Promise<PaymentResult> {
  const trade = await findTradeByTradeNo(context.sql, input.tradeNo)
  if (!trade) throw new SoukError('trade_not_found')
  const provider = new SandboxProvider(context)
  for (const { attemptId } of await listAttempts(context.sql, trade)) {
    const decision = await provider.resolve(attemptId, input.outcome as Outcome)
    if (!decision) continue
    await auditTrade(context, caller, trade, { action: 'sandbox.resolvePayment', outcome: input.outcome })
    await settleDecision(context, provider, decision)
    return toPaymentResult(context, (await findTradeByTradeNo(context.sql, input.tradeNo))!)
  }
  throw new SoukError('payment_not_pending')
}

/** Records that someone chose the outcome of a payment, in a separate transaction: payments run several. */
async function auditTrade(
  context: Context,
  caller: ConsoleCaller,
  { appid, tradeNo }: Trade,
  { action, outcome = null }: { action: string; outcome: string | null | undefined },
): Promise<void> {
  const projectId = (await context.apps.find(appid))?.projectId
  await context.sql.begin((tx) =>
    audit(context, tx, caller, { action, subject: tradeNo, projectId, detail: { outcome } }),
  )
}

/** Rejects a payment if the page showed a different amount or currency. `shown.amount` is in major units. */
function checkShown(trade: Trade, shown: { amount?: string; currency?: string }): void {
  if (shown.amount !== undefined && centsOf(shown.amount) !== trade.amount) {
    throw new SoukError('payment_mismatch', 'The amount differs from the trade.')
  }
  if (shown.currency !== undefined && shown.currency !== trade.currency) {
    throw new SoukError('payment_mismatch', 'The currency differs from the trade.')
  }
}

async function startAttempt(
  context: Context<'egress' | 'ledger' | 'vault'>,
  trade: Trade,
  method: PayMethodName,
  outcome: Outcome | undefined,
): Promise<PaymentResult> {
  const result = await payWithFailover(context, trade, payMethod[method], outcome)
  return 'failCode' in result ? { status: 1, failCode: result.failCode } : toPaymentResult(context, result.trade)
}

/** Returns the payment result for the payer's client from the current state of a trade. */
async function toPaymentResult(context: Context, trade: Trade): Promise<PaymentResult> {
  switch (trade.transactionStatus) {
    case transactionStatus.succeeded:
      return { status: 2 }
    case transactionStatus.failed:
    case transactionStatus.expired:
    case transactionStatus.closed:
      return { status: 1, failCode: trade.failReasonType }
    case transactionStatus.canceled:
      return { status: 0 }
    case transactionStatus.processing: {
      const current = await attemptInFlight(context, trade)
      const payNo = current?.payNo ?? ''
      if (current?.state === 'challenge') return { status: 0, challenge: { payNo, prompt: current.prompt ?? '' } }
      if (current?.redirectUrl) return { status: 0, redirect: { payNo, url: current.redirectUrl } }
      return { status: 0 }
    }
  }
}

async function attemptInFlight(context: Context, trade: Trade): Promise<Attempt | undefined> {
  if (trade.attemptInFlight === null) return undefined
  return findAttempt(context.sql, { ...trade, attemptId: trade.attemptInFlight })
}
