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
import type { ConsoleCaller, HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findUser } from '../identity/index.ts'
import { findTradeByTradeNo, getTradeOfPayer, type Trade } from '../trades/index.ts'
import { SandboxProvider } from './adapters/sandbox/sandbox.ts'
import { settleDecision } from './decideSandboxPayments.ts'
import { payWithFailover } from './payWithFailover.ts'
import { settle } from './settle.ts'
import { type Attempt, findAttempt, listAttempts } from './store.ts'
import { withdrawForCaller } from './withdraw.ts'

/** What `neu.requestPayment()` gives (open-api §1): status 0 closed, 1 failed with failCode, 2 succeeded. */
type PaymentResult = ResultOf<typeof hostOperations.startPayment>

/**
 * `neu.requestPayment()`: the payer starts an attempt. What is charged is the trade, whatever the page showed.
 *
 * A trade that cannot be paid is no error: it is status 1 with failCode 20 paid, 21 expired, 22 closed or canceled,
 * 23 another attempt in flight, 27 failed (open-api §2.5).
 *
 * @throws SoukError `trade_not_found`, `payment_mismatch`, `sandbox_only` for an outcome in a live installation
 */
export async function startPayment(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.startPayment>,
): Promise<PaymentResult> {
  if (input.outcome !== undefined && !context.settings.sandbox) throw new SoukError('sandbox_only')
  const trade = await getTradeOfPayer(context, uid, input.tradeNo)
  checkShown(trade, input)
  return attempt(context, trade, input.payMethod as PayMethodName, input.outcome as Outcome | undefined)
}

/**
 * The payer's answer to 3-D Secure. A provider elsewhere asks the payer itself; here the sandbox is told.
 * @throws SoukError `trade_not_found`, `payment_not_pending`
 */
export async function answerChallenge(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.answerChallenge>,
): Promise<PaymentResult> {
  const trade = await getTradeOfPayer(context, uid, input.tradeNo)
  const current = await attemptInFlight(context, trade)
  if (current?.state !== 'challenge') throw new SoukError('payment_not_pending', 'It waits for no answer of the payer.')
  const result = await new SandboxProvider(context).answerChallenge(current.attemptId, input.passed)
  return resultOf(context, (await settle(context, current, result)).trade)
}

/**
 * The payer cancels the trade; merely closing the sheet does not. On a trade that is final it tells how that ended.
 * @throws SoukError `trade_not_found`, `payment_in_flight` where the provider does not let go of the attempt,
 *   `unavailable` where it cannot be asked
 */
export async function cancelPayment(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.cancelPayment>,
): Promise<PaymentResult> {
  const trade = await withdrawForCaller(context, await getTradeOfPayer(context, uid, input.tradeNo), 'payer')
  if (trade.transactionStatus === transactionStatus.processing) {
    throw new SoukError('payment_in_flight', 'The provider does not cancel it; wait for its result.')
  }
  return resultOf(context, trade)
}

/**
 * What `neu.requestPayment()` gives as things stand.
 * @throws SoukError `trade_not_found`
 */
export async function paymentResult(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.paymentResult>,
): Promise<PaymentResult> {
  return resultOf(context, await getTradeOfPayer(context, uid, input.tradeNo))
}

/**
 * The sandbox pays a trade as a user would, with the outcome chosen; absent, the amount decides.
 * @throws SoukError `user_not_found`, `trade_not_found` where the user is not its payer
 */
export async function pay(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.pay>,
): Promise<PaymentResult> {
  if (!(await findUser(context.sql, input.uid))) throw new SoukError('user_not_found')
  const trade = await getTradeOfPayer(context, input.uid, input.tradeNo)
  return attempt(context, trade, (input.payMethod ?? 'card') as PayMethodName, input.outcome as Outcome | undefined)
}

/**
 * Makes the sandbox's provider decide the newest payment of a trade that it has not decided for good, also when the trade
 * is final: that is a late result. It arrives as the provider's webhook.
 *
 * @throws SoukError `trade_not_found`, `payment_not_pending`
 */
export async function resolvePayment(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.resolvePayment>,
): Promise<PaymentResult> {
  const trade = await findTradeByTradeNo(context.sql, input.tradeNo)
  if (!trade) throw new SoukError('trade_not_found')
  const provider = new SandboxProvider(context)
  for (const { attemptId } of await listAttempts(context.sql, trade)) {
    const decided = await provider.resolve(attemptId, input.outcome as Outcome)
    if (!decided) continue
    await settleDecision(context, provider, decided)
    return resultOf(context, (await findTradeByTradeNo(context.sql, input.tradeNo))!)
  }
  throw new SoukError('payment_not_pending')
}

/** Refuses a page that showed something else than what it would charge. `shown.amount` is in major units. */
function checkShown(trade: Trade, shown: { amount?: string; currency?: string }): void {
  if (shown.amount !== undefined && centsOf(shown.amount) !== trade.amount) {
    throw new SoukError('payment_mismatch', 'The amounts differ.')
  }
  if (shown.currency !== undefined && shown.currency !== trade.currency) {
    throw new SoukError('payment_mismatch', 'The currencies differ.')
  }
}

async function attempt(
  context: Context,
  trade: Trade,
  method: PayMethodName,
  outcome: Outcome | undefined,
): Promise<PaymentResult> {
  const tried = await payWithFailover(context, trade, payMethod[method], outcome)
  return 'failCode' in tried ? { status: 1, failCode: tried.failCode } : resultOf(context, tried.trade)
}

/** What the payer's client is told of a trade as it stands. */
async function resultOf(context: Context, trade: Trade): Promise<PaymentResult> {
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
