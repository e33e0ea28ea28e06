import {
  centsOf,
  type consoleOperations,
  type hostOperations,
  noFailReason,
  type Outcome,
  type ParametersOf,
  type PayMethodName,
  payMethod,
  type ResultOf,
  SoukError,
  transactionStatus,
} from '@souk/contract'
import { newId } from '../../kernel/id.ts'
import type { ConsoleCaller, HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findUser } from '../identity/index.ts'
import { takeDecision } from './decideSandboxPayments.ts'
import { tradeOfPayer } from './detail.ts'
import { expireLocked } from './expire.ts'
import { refusalOfPayment } from './machine.ts'
import { announceTrade } from './move.ts'
import type { PaymentOrder, PaymentProvider } from './providers/port.ts'
import { SandboxProvider } from './providers/sandbox.ts'
import { settle } from './settle.ts'
import {
  type Attempt,
  findAttempt,
  findTradeOfAnyApp,
  insertAttempt,
  insertEvent,
  listAttempts,
  lockTrade,
  type Trade,
  updateTrade,
} from './store.ts'
import { withdraw } from './withdraw.ts'

/** What `neu.requestPayment()` gives (open-api §1): status 0 closed, 1 failed with failCode, 2 succeeded. */
type PaymentResult = ResultOf<typeof hostOperations.startPayment>

/**
 * `neu.requestPayment()`: the payer starts an attempt. What is charged is the trade, whatever the page showed.
 *
 * A trade that cannot be paid is no error: it is status 1 with failCode 20 paid, 21 expired, 22 closed or canceled,
 * 23 another attempt in flight, 27 failed (ADR 13).
 *
 * @throws SoukError `trade_not_found`, `payment_mismatch`, `sandbox_only`
 */
export async function startPayment(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.startPayment>,
): Promise<PaymentResult> {
  if (input.outcome !== undefined) checkSandbox(context)
  const trade = await tradeOfPayer(context, uid, input.tradeNo)
  checkShown(trade, input)
  return attempt(context, trade, input.payMethod as PayMethodName, input.outcome as Outcome | undefined)
}

/**
 * The payer's answer to 3-D Secure. A processor elsewhere asks the payer itself; here the sandbox is told.
 * @throws SoukError `trade_not_found`, `payment_not_pending`, `sandbox_only`
 */
export async function answerChallenge(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.answerChallenge>,
): Promise<PaymentResult> {
  checkSandbox(context)
  const trade = await tradeOfPayer(context, uid, input.tradeNo)
  const current = await attemptInFlight(context, trade)
  if (current?.state !== 'challenge') throw new SoukError('payment_not_pending', 'It waits for no answer of the payer.')
  const result = await new SandboxProvider(context).answerChallenge(current.attemptId, input.passed)
  return resultOf(context, (await settle(context, current, result)).trade)
}

/**
 * The payer cancels the trade; merely closing the sheet does not. On a trade that is final it tells how that ended.
 * @throws SoukError `trade_not_found`, `payment_in_flight` where the provider does not let go of the attempt
 */
export async function cancelPayment(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.cancelPayment>,
): Promise<PaymentResult> {
  const trade = await withdraw(context, await tradeOfPayer(context, uid, input.tradeNo), 'payer')
  if (trade.transactionStatus === transactionStatus.processing) {
    throw new SoukError('payment_in_flight', 'The processor does not cancel it; wait for its result.')
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
  return resultOf(context, await tradeOfPayer(context, uid, input.tradeNo))
}

/**
 * The sandbox pays a trade as a user would, with the outcome chosen; absent, the amount decides.
 * @throws SoukError `sandbox_only`, `user_not_found`, `trade_not_found` where the user is not its payer
 */
export async function pay(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.pay>,
): Promise<PaymentResult> {
  checkSandbox(context)
  if (!(await findUser(context.sql, input.uid))) throw new SoukError('user_not_found')
  const trade = await tradeOfPayer(context, input.uid, input.tradeNo)
  return attempt(context, trade, (input.method ?? 'card') as PayMethodName, input.outcome as Outcome | undefined)
}

/**
 * Makes the sandbox's processor decide the newest payment of a trade that it has not decided for good, also when the trade
 * is final: that is a late result. It arrives as the processor's webhook.
 *
 * @throws SoukError `sandbox_only`, `trade_not_found`, `payment_not_pending`
 */
export async function resolvePayment(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.resolvePayment>,
): Promise<PaymentResult> {
  checkSandbox(context)
  const trade = await findTradeOfAnyApp(context.sql, input.tradeNo)
  if (!trade) throw new SoukError('trade_not_found')
  const processor = new SandboxProvider(context)
  for (const { attemptId } of await listAttempts(context.sql, trade)) {
    const decided = await processor.resolve(attemptId, input.outcome as Outcome)
    if (!decided) continue
    await takeDecision(context, processor, decided)
    return resultOf(context, (await findTradeOfAnyApp(context.sql, input.tradeNo))!)
  }
  throw new SoukError('payment_not_pending')
}

function checkSandbox({ settings }: Context): void {
  if (!settings.sandbox) throw new SoukError('sandbox_only')
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

/** One attempt: written down, then created at the provider, then settled by what the provider answers. */
async function attempt(
  context: Context,
  trade: Trade,
  method: PayMethodName,
  outcome: Outcome | undefined,
): Promise<PaymentResult> {
  const { tradeNo, description, amount, currency } = trade
  const order = { attemptId: newId(), tradeNo, description, amount, currency, payMethod: payMethod[method] }
  const provider = providerFor(context, outcome)

  const admitted = await admit(context, trade, order, provider)
  if ('failCode' in admitted) return { status: 1, failCode: admitted.failCode }
  // Should the process die from here on, reconciliation asks the provider about the attempt.
  const settled = await settle(context, admitted.attempt, await provider.create(order))
  if (settled.owed && settled.trade.transactionStatus === transactionStatus.processing)
    return { status: 1, failCode: 27 }
  return resultOf(context, settled.trade)
}

/**
 * The provider of new payments.
 * @throws SoukError `unavailable` in a live installation: it has none yet
 */
function providerFor(context: Context, outcome: Outcome | undefined): PaymentProvider {
  if (!context.settings.sandbox) throw new SoukError('unavailable', 'No payment provider is configured.')
  return new SandboxProvider(context, outcome)
}

/** Puts the attempt in flight, where the trade can be paid: one at a time, whoever asks at the same moment. */
async function admit(
  context: Context,
  { appid, tradeNo }: Trade,
  order: PaymentOrder,
  provider: PaymentProvider,
): Promise<{ attempt: Attempt } | { failCode: number }> {
  return context.sql.begin(async (tx) => {
    const trade = await expireLocked(context, tx, (await lockTrade(tx, { appid, tradeNo }))!)
    const failCode = refusalOfPayment(trade)
    if (failCode !== null) return { failCode }

    const now = context.clock.now()
    const { attemptId, payMethod } = order
    const payType = provider.payTypeOf(order)
    const made: Attempt = {
      appid,
      tradeNo,
      attemptId,
      provider: provider.name,
      payType,
      payMethod,
      payNo: null,
      state: 'created',
      failReasonType: noFailReason,
      prompt: null,
      cancelFor: null,
      ctime: now,
    }
    await insertAttempt(tx, made)
    await updateTrade(tx, { ...trade, payType, payMethod, payNo: null, attemptInFlight: attemptId, mtime: now })
    const detail = { attemptId, provider: provider.name, payType, payMethod }
    await insertEvent(tx, trade, { time: now, event: 'paymentStarted', detail })
    await announceTrade(tx, trade)
    return { attempt: made }
  })
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
      if (current?.state !== 'challenge') return { status: 0 }
      return { status: 0, challenge: { payNo: current.payNo ?? '', prompt: current.prompt ?? '' } }
    }
  }
}

async function attemptInFlight(context: Context, trade: Trade): Promise<Attempt | undefined> {
  if (trade.attemptInFlight === null) return undefined
  return findAttempt(context.sql, { ...trade, attemptId: trade.attemptInFlight })
}
