import {
  amountStrWithYuan,
  type consoleOperations,
  type hostOperations,
  type openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  transactionFlow,
} from '@souk/contract'
import type { Merchant } from '../../app.ts'
import type { AppCaller, ConsoleCaller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findRecord, recordOpenedTrade } from '../../miniApps/index.ts'
import { expireIfDue } from './expire.ts'
import { tradeNotFound } from './notFound.ts'
import { findTrade, findTradeByTradeNo, listEvents, type Trade } from './store.ts'

type TradeDetail = ResultOf<typeof openOperations.tradedetail>

/**
 * Returns a trade to its app (open-api §4.3), expired first if that is due. Usually takes one statement.
 *
 * @throws SoukError `trade_not_found`, also for a trade of another app; `trade_archived`
 */
export async function tradeDetail(
  context: Context,
  { app }: AppCaller,
  input: Pick<ParametersOf<typeof openOperations.tradedetail>, 'tradeNo'>,
): Promise<TradeDetail> {
  const trade = await findTrade(context.sql, { appid: app.appid, tradeNo: input.tradeNo })
  if (!trade) throw await tradeNotFound(context, input.tradeNo)
  return toTradeDetail(await expireIfDue(context, trade), app.merchant)
}

/** Returns the notifyUrl of a trade to its app. @throws SoukError `trade_not_found`, as above */
export async function findNotifyUrl(
  context: Context,
  { app }: AppCaller,
  { tradeNo }: Pick<ParametersOf<typeof openOperations.tradedetail>, 'tradeNo'>,
): Promise<string> {
  const trade = await findTrade(context.sql, { appid: app.appid, tradeNo })
  if (!trade) throw await tradeNotFound(context, tradeNo)
  return trade.notifyUrl
}

/** Returns a trade to its payer, for the cashier. @throws SoukError `trade_not_found` */
export async function showTrade(
  context: Context,
  { uid }: HostUserCaller,
  input: ParametersOf<typeof hostOperations.showTrade>,
): Promise<TradeDetail> {
  const trade = await getTradeOfPayer(context, uid, input.tradeNo)
  await recordOpenedTrade(context, trade.tradeNo)
  return toTradeDetail(trade, await findMerchant(context, trade))
}

/** Returns a trade with its events. @throws SoukError `trade_not_found`, `trade_archived` */
export async function getTrade(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<typeof consoleOperations.getTrade>,
): Promise<ResultOf<typeof consoleOperations.getTrade>> {
  const found = await findTradeByTradeNo(context.sql, input.tradeNo)
  if (!found) throw await tradeNotFound(context, input.tradeNo)
  const trade = await expireIfDue(context, found)
  return {
    trade: toTradeDetail(trade, await findMerchant(context, trade)),
    events: await listEvents(context.sql, trade),
  }
}

/** Returns a trade if `uid` is its payer, expired first if that is due. @throws SoukError `trade_not_found` */
export async function getTradeOfPayer(context: Context, uid: number, tradeNo: string): Promise<Trade> {
  const trade = await findTradeByTradeNo(context.sql, tradeNo)
  if (trade?.payer !== uid) throw new SoukError('trade_not_found')
  return expireIfDue(context, trade)
}

export async function findMerchant(context: Context, { appid }: Trade): Promise<Merchant | null> {
  return (await findRecord(context, appid))?.merchant ?? null
}

/** Returns the trade of open-api §2.5, which also says when fields are null. */
export function toTradeDetail(trade: Trade, merchant: Merchant | null): TradeDetail {
  return {
    tradeNo: trade.tradeNo,
    appId: trade.appid,
    merchantId: trade.merchantId,
    merchantLogoUrl: merchant?.logoUrl ?? null,
    merchantName: merchant?.name ?? null,
    description: trade.description,
    outTradeNo: trade.outTradeNo,
    timeExpire: trade.timeExpire,
    amount: trade.amount,
    amountStrWithYuan: amountStrWithYuan(trade.amount),
    currency: trade.currency,
    openId: trade.openId,
    payer: trade.payer,
    notifySuccess: trade.notifySuccess,
    payType: trade.payType,
    payNo: trade.payNo,
    payMethod: trade.payMethod,
    transactionFlow: transactionFlow.expense,
    transactionStatus: trade.transactionStatus,
    failReasonType: trade.failReasonType,
    ctime: trade.ctime,
    mtime: trade.mtime,
  }
}
