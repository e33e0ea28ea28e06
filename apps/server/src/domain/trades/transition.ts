import { statusName } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { announce } from '../../kernel/outbox.ts'
import { type CallbackRequest, queueCallback } from '../callbacks/index.ts'
import type { Context } from '../context.ts'
import type { Move } from './machine.ts'
import { insertEvent, type Trade, updateTrade } from './store.ts'

/**
 * Writes a move that the machine has decided, with all that belongs to it: the trade, its story, the callback and the
 * news for the payer's client. The caller's transaction holds the trade's row. `reason` is the provider's own word for it.
 */
export async function applyTransition(
  context: Context,
  tx: Tx,
  trade: Trade,
  move: Move,
  reason?: string | undefined,
): Promise<Trade> {
  const now = context.clock.now()
  const moved: Trade = { ...trade, transactionStatus: move.to, failReasonType: move.failReasonType, mtime: now }
  await updateTrade(tx, moved)
  const { failReasonType, payNo } = moved
  const detail = { failReasonType, payNo, ...(reason === undefined ? {} : { reason }) }
  await insertEvent(tx, moved, { time: now, event: statusName(move.to), detail })
  if (move.callback) await queueCallback(context, tx, callbackOf(moved))
  await announceTrade(tx, moved)
  return moved
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

/** Tells the payer's client that its trade has changed. */
export async function announceTrade(tx: Tx, { payer, tradeNo }: Trade): Promise<void> {
  await announce(tx, 'souk_user', JSON.stringify({ uid: payer, event: 'trade', id: tradeNo }))
}
