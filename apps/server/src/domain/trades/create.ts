import {
  type Currency,
  type openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  tradeLifetime,
  transactionStatus,
} from '@souk/contract'
import { newId } from '../../kernel/id.ts'
import { ensureMerchant } from '../apps/index.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { describeStatus } from './describeStatus.ts'
import { expireIfDue } from './expire.ts'
import { checkNotifyUrl } from './notifyUrl.ts'
import { findTradeByOutTradeNo, insertTrade, type NewTrade, type Trade } from './store.ts'

type CreateTrade = typeof openOperations.trade
type Input = Omit<ParametersOf<CreateTrade>, 'appid' | 'timestamp' | 'sign'>

/**
 * Create trade (open-api §4.3). The same outTradeNo with the same content gives the same tradeNo while that trade is
 * processing (ADR 10). In the normal case this is one statement.
 *
 * @throws SoukError `merchant_foreign`, `notify_url_refused`, `parameter_invalid` (timeExpire), `open_id_unknown`,
 * `out_trade_no_conflict`
 */
export async function createTrade(context: Context, { app }: AppCaller, input: Input): Promise<ResultOf<CreateTrade>> {
  const merchant = app.merchant ?? (await ensureMerchant(context, app))
  if (input.merchantId && input.merchantId !== merchant.merchantId) {
    throw new SoukError('merchant_foreign', 'Leave merchantId empty to use the merchant of the mini app.')
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
  const refused = refusalOfTimeExpire(trade)
  if (refused) {
    // The bounds are those of a creation; a repeated one was within them when it was made.
    const existing = await findTradeByOutTradeNo(context.sql, trade.merchantId, outTradeNo)
    if (!existing) throw refused
    return { outTradeNo, tradeNo: await repeated(context, existing, trade) }
  }

  const { payer, tradeNo } = await insertTrade(context.sql, trade)
  if (payer === null) {
    throw new SoukError('open_id_unknown', 'Take openId from the user info of this same mini app.', {
      data: { parameters: ['openId'] },
    })
  }
  if (tradeNo !== null) return { outTradeNo, tradeNo: trade.tradeNo }
  const existing = await findTradeByOutTradeNo(context.sql, trade.merchantId, outTradeNo)
  return { outTradeNo, tradeNo: await repeated(context, existing!, trade) }
}

function refusalOfTimeExpire({ requestedTimeExpire, ctime }: NewTrade): SoukError | undefined {
  if (requestedTimeExpire === null) return undefined
  const earliest = ctime + tradeLifetime.min
  const latest = ctime + tradeLifetime.max
  if (requestedTimeExpire >= earliest && requestedTimeExpire <= latest) return undefined
  return new SoukError(
    'parameter_invalid',
    `timeExpire must be between 1 minute and 7 days ahead, in milliseconds: from ${earliest} to ${latest}. The server’s time is ${ctime}.`,
    { data: { parameters: ['timeExpire'], earliest, latest, now: ctime } },
  )
}

/** The tradeNo of the trade that holds the outTradeNo, where this creation only repeats the one that made it. */
async function repeated(context: Context, existing: Trade, asked: NewTrade): Promise<string> {
  const trade = await expireIfDue(context, existing)
  if (trade.transactionStatus !== transactionStatus.processing) {
    const state = describeStatus(trade.transactionStatus)
    throw new SoukError('out_trade_no_conflict', `The trade that holds it ${state}; use a new outTradeNo.`, {
      data: { transactionStatus: trade.transactionStatus },
    })
  }
  const fields = differences(trade, asked)
  if (fields.length === 0) return trade.tradeNo
  throw new SoukError(
    'out_trade_no_conflict',
    `The trade that holds it was created with other values for ${fields.join(', ')}.`,
    { data: { parameters: fields } },
  )
}

/** The parameters, by their names on the wire, in which a creation differs from the trade that exists. */
function differences(trade: Trade, asked: NewTrade): string[] {
  const compared = ['amount', 'currency', 'openId', 'appid', 'notifyUrl', 'description'] as const
  const fields: string[] = compared.filter((name) => trade[name] !== asked[name])
  if (trade.requestedTimeExpire !== asked.requestedTimeExpire) fields.push('timeExpire')
  return fields
}
