import { type EventData, statusName } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notifyUsers } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../../messages/index.ts'
import { type CallbackRequest, queueCallback } from '../callbacks/index.ts'
import type { Transition } from './machine.ts'
import { insertEvent, type Trade, updateTrade } from './store.ts'

/**
 * Stores a transition with its event, callback and notification of the payer's client. The caller must have locked the
 * trade. `reason` is the provider's code or message.
 */
export async function applyTransition(
  context: Context,
  tx: Tx,
  trade: Trade,
  transition: Transition,
  reason?: string | undefined,
): Promise<Trade> {
  const now = context.clock.now()
  const changed: Trade = {
    ...trade,
    transactionStatus: transition.to,
    failReasonType: transition.failReasonType,
    mtime: now,
  }
  await updateTrade(tx, changed)
  const { failReasonType, payNo } = changed
  const detail = { failReasonType, payNo, ...(reason === undefined ? {} : { reason }) }
  await insertEvent(tx, changed, { time: now, event: statusName(transition.to), detail })
  if (transition.callback) await queueCallback(tx, callbackOf(changed))
  await recordEvent(context, tx, { type: 'trade.changed', data: eventOf(changed), uids: [changed.payer] })
  await announceTrade(tx, changed)
  return changed
}

function callbackOf(trade: Trade): CallbackRequest {
  return {
    notifyTime: trade.mtime,
    notifyUrl: trade.notifyUrl,
    appid: trade.appid,
    merchantId: trade.merchantId,
    tradeNo: trade.tradeNo,
    outTradeNo: trade.outTradeNo,
    transactionStatus: trade.transactionStatus,
    failReasonType: trade.failReasonType,
    amount: trade.amount,
    currency: trade.currency,
    openId: trade.openId,
    payType: trade.payType,
    payMethod: trade.payMethod,
    payNo: trade.payNo,
  }
}

function eventOf(trade: Trade): Omit<EventData<'trade.changed'>, 'users' | 'appName'> {
  return {
    appid: trade.appid,
    merchantId: trade.merchantId,
    tradeNo: trade.tradeNo,
    outTradeNo: trade.outTradeNo,
    description: trade.description,
    amount: trade.amount,
    currency: trade.currency,
    transactionStatus: trade.transactionStatus,
    failReasonType: trade.failReasonType,
    mtime: trade.mtime,
  }
}

/** Notifies the payer's client and lists of the console that the trade has changed. */
export async function announceTrade(tx: Tx, { payer, tradeNo, appid }: Trade): Promise<void> {
  await notifyUsers(tx, [{ uid: payer, event: 'trade', id: tradeNo, appid }])
}
