import { noFailReason, type Outcome, type PayMethod, type PayType, SoukError, transactionStatus } from '@souk/contract'
import { newId } from '../../kernel/id.ts'
import { enqueue } from '../../kernel/outbox.ts'
import type { Context } from '../context.ts'
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
import { cancelAttempt } from './withdraw.ts'

/** What became of trying to pay: the trade as it is then, or why it could not be tried, as a failReasonType. */
type Tried = { trade: Trade } | { failCode: number }

/**
 * Tries to pay a trade at one provider account after the other, until one has taken the payment. The next is tried only where
 * there is certainly no payment at the one before: it has refused the order, or was never reached (ADR 272). A payer who comes back
 * from a provider's page that is still open is sent there again.
 *
 * @param outcome what the sandbox's own provider is to do
 * @throws SoukError `unavailable` where no account takes payments
 */
export async function payWithFailover(
  context: Context,
  trade: Trade,
  payMethod: PayMethod,
  outcome: Outcome | undefined,
): Promise<Tried> {
  const resumed = await resume(context, trade, payMethod)
  if (resumed) return { trade: resumed }

  const { ways, shadowAccountId } = await findPaymentRoutes(context, { ...trade, payMethod }, outcome)
  if (ways.length === 0) throw new SoukError('unavailable', 'No payment provider is configured.')
  for (const [index, way] of ways.entries()) {
    if (way.account && way.isTrial && !(await claimTrial(context, way.account))) continue
    const tried = await tryAt(context, trade, payMethod, way, { isLast: index === ways.length - 1, shadowAccountId })
    if (tried) return tried
  }
  return { failCode: transactionFailed }
}

/** The trade where its payment goes on, or has ended, at the provider whose page the payer has left; undefined: it begins anew. */
async function resume(context: Context, trade: Trade, payMethod: PayMethod): Promise<Trade | undefined> {
  const { attemptInFlight: attemptId } = trade
  const current = attemptId === null ? undefined : await findAttempt(context.sql, { ...trade, attemptId })
  if (!current?.redirectUrl) return undefined
  try {
    const provider = await providerOfAttempt(context, current)
    const { trade: now, attempt } = await settle(context, current, await provider.query(current))
    if (now.transactionStatus !== transactionStatus.processing) return now
    if (attempt.redirectUrl === null) return undefined
    if (attempt.payMethod === payMethod) return now
    const left = await cancelAttempt(context, attempt)
    const over = left.transactionStatus === transactionStatus.processing && left.attemptInFlight === null
    return over ? undefined : left
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    // The page may be open all the same.
    return current.payMethod === payMethod ? trade : undefined
  }
}

/**
 * One attempt: written down, then created at the provider, then settled by what the provider answers. Undefined where it is over
 * and another way may be tried.
 */
async function tryAt(
  context: Context,
  trade: Trade,
  payMethod: PayMethod,
  way: PaymentRoute,
  { isLast, shadowAccountId }: { isLast: boolean; shadowAccountId: string | null },
): Promise<Tried | undefined> {
  const order = toPaymentOrder(context, trade, newId(), payMethod)
  const admitted = await admit(context, trade, order, way, shadowAccountId)
  if ('failCode' in admitted) return admitted

  // Should the process die from here on, reconciliation asks the provider about the attempt.
  const said = await create(context, way, order)
  if (said === undefined) return admitted
  const result = isRefusal(said) && !isLast ? abandoned(said) : said
  const settled = await settle(context, admitted.attempt, result)
  if (result.kind === 'abandoned') return undefined
  const open = settled.trade.transactionStatus === transactionStatus.processing
  return settled.owed && open ? { failCode: transactionFailed } : { trade: settled.trade }
}

/** What is to be paid by an attempt: the same whenever it is asked for. */
export function toPaymentOrder(context: Context, trade: Trade, attemptId: string, payMethod: PayMethod): PaymentOrder {
  const { tradeNo, description, amount, currency, timeExpire } = trade
  const returnUrl = buildReturnUrl(context, attemptId)
  return { attemptId, tradeNo, description, amount, currency, payMethod, timeExpire, returnUrl }
}

/** What a provider says to an order; undefined where nothing is known, and reconciliation has to ask. */
async function create(
  context: Context,
  { account, provider }: PaymentRoute,
  order: PaymentOrder,
): Promise<SettlementInput | undefined> {
  try {
    const said = await provider.create(order)
    const refused = isRefusal(said) && said.credentialsRejected
    if (account) await (refused ? recordFailure : recordSuccess)(context, account)
    return said
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    const { attemptId } = order
    context.log.warn({ err: error, provider: provider.name, attemptId }, 'a payment could not be created')
    if (account) await recordFailure(context, account)
    return error.mayHaveActed
      ? undefined
      : { kind: 'abandoned', failReasonType: transactionFailed, reason: error.message }
  }
}

/** The provider has refused the order: there is no payment. */
function isRefusal(said: SettlementInput): said is Extract<SettlementInput, { kind: 'failed' }> {
  return said.kind === 'failed' && said.payNo === null
}

function abandoned({ failReasonType, reason = '' }: Extract<SettlementInput, { kind: 'failed' }>): SettlementInput {
  return { kind: 'abandoned', failReasonType, reason }
}

/** Puts the attempt in flight, where the trade can be paid: one at a time, whoever asks at the same moment. */
async function admit(
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
      await enqueue(tx, context.clock, { name: 'shadowPayment', payload })
    }
    return { trade, attempt }
  })
}
