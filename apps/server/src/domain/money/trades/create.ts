import {
  type Currency,
  type openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  tradeLifetime,
  transactionStatus,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { ensureMerchant } from '../../miniApps/index.ts'
import { describeStatus } from './describeStatus.ts'
import { expireIfDue } from './expire.ts'
import { checkNotifyUrl } from './notifyUrl.ts'
import { findTradeByOutTradeNo, insertTrade, type NewTrade, type Trade } from './store.ts'

type CreateTrade = typeof openOperations.trade
type Input = Omit<ParametersOf<CreateTrade>, 'appid' | 'timestamp' | 'sign'>

/**
 * Creates a trade (open-api §4.3). Repeating an outTradeNo with the same content returns the same tradeNo while that
 * trade is processing. Usually takes one statement.
 *
 * @throws SoukError `merchant_foreign`, `notify_url_refused`, `parameter_invalid` (timeExpire), `open_id_unknown`,
 * `out_trade_no_conflict`
 */
export async function createTrade(
  context: Context<'egress'>,
  { app }: AppCaller,
  input: Input,
): Promise<ResultOf<CreateTrade>> {
  const merchant = app.merchant ?? (await ensureMerchant(context, app))
  if (input.merchantId && input.merchantId !== merchant.merchantId) {
    throw new SoukError('merchant_foreign', 'Leave merchantId empty to use the mini app’s merchant.')
  }
  checkNotifyUrl(input.notifyUrl, context.egress, app.callbackHosts)

  const now = context.clock.now()
  const trade: NewTrade = {
    appid: app.appid,
    tradeNo: newId(),
    merchantId: merchant.merchantId,
    outTradeNo: input.outTradeNo,
    description: input.description || null,
    amount: input.amount,
    currency: input.currency as Currency,
    openId: input.openId,
    notifyUrl: input.notifyUrl,
    requestedTimeExpire: input.timeExpire ?? null,
    timeExpire: input.timeExpire ?? now + tradeLifetime.default,
    ctime: now,
  }
  const { outTradeNo } = trade
  const timeExpireError = checkTimeExpire(trade)
  if (timeExpireError) {
    // A repeated request may be outside the bounds by now, but was within them when the trade was created.
    const existing = await findTradeByOutTradeNo(context.sql, trade.merchantId, outTradeNo)
    if (!existing) throw timeExpireError
    return { outTradeNo, tradeNo: await resolveRepeated(context, existing, trade) }
  }

  const { payer, tradeNo } = await insertTrade(context.sql, trade)
  if (payer === null) {
    throw new SoukError('open_id_unknown', 'Take openId from the user info of this same mini app.', {
      data: { parameters: ['openId'] },
    })
  }
  if (tradeNo !== null) return { outTradeNo, tradeNo: trade.tradeNo }
  const existing = await findTradeByOutTradeNo(context.sql, trade.merchantId, outTradeNo)
  if (!existing) throw new SoukError('out_trade_no_conflict', 'The existing trade is archived; use a new outTradeNo.')
  return { outTradeNo, tradeNo: await resolveRepeated(context, existing, trade) }
}

function checkTimeExpire({ requestedTimeExpire, ctime }: NewTrade): SoukError | undefined {
  if (requestedTimeExpire === null) return undefined
  const earliest = ctime + tradeLifetime.min
  const latest = ctime + tradeLifetime.max
  if (requestedTimeExpire >= earliest && requestedTimeExpire <= latest) return undefined
  return new SoukError(
    'parameter_invalid',
    `timeExpire must be between 1 minute and 7 days ahead, in milliseconds: from ${earliest} to ${latest}. The server time is ${ctime}.`,
    { data: { parameters: ['timeExpire'], earliest, latest, now: ctime } },
  )
}

/** Returns the tradeNo of the existing trade if this request repeats the one that created it. */
async function resolveRepeated(context: Context, existing: Trade, requested: NewTrade): Promise<string> {
  const trade = await expireIfDue(context, existing)
  if (trade.transactionStatus !== transactionStatus.processing) {
    const state = describeStatus(trade.transactionStatus)
    throw new SoukError('out_trade_no_conflict', `The existing trade ${state}; use a new outTradeNo.`, {
      data: { transactionStatus: trade.transactionStatus },
    })
  }
  const fields = differences(trade, requested)
  if (fields.length === 0) return trade.tradeNo
  throw new SoukError(
    'out_trade_no_conflict',
    `The existing trade was created with different values for ${fields.join(', ')}.`,
    { data: { parameters: fields } },
  )
}

/** Returns the names of the parameters that differ from the existing trade. */
function differences(trade: Trade, requested: NewTrade): string[] {
  const compared = ['amount', 'currency', 'openId', 'appid', 'notifyUrl', 'description'] as const
  const fields: string[] = compared.filter((name) => trade[name] !== requested[name])
  if (trade.requestedTimeExpire !== requested.requestedTimeExpire) fields.push('timeExpire')
  return fields
}
