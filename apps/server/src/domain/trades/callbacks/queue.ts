import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import type { Trade } from '../store.ts'
import { type Callback, insertCallback } from './store.ts'

/**
 * Puts the payment result callback of a trade that has just become final into the ledger, and enqueues its first
 * delivery, within the transaction that made the trade final (open-api §6, ADR 12).
 */
export async function queueCallback(context: Context, tx: Tx, trade: Trade): Promise<void> {
  const { appid, tradeNo, notifyUrl, mtime } = trade
  const notifyId = newId()
  const fields = {
    notifyId,
    notifyTime: mtime,
    appid,
    merchantId: trade.merchantId,
    tradeNo,
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
  await insertCallback(tx, { appid, notifyId, tradeNo, notifyUrl, fields }, mtime)
  await enqueueDelivery(context, tx, { notifyId, notifyUrl })
}

/** The next delivery of a callback, at `at` (domain clock, ms) or at once. An earlier one that has not begun is replaced. */
export async function enqueueDelivery(
  context: Context,
  tx: Tx,
  { notifyId, notifyUrl }: Pick<Callback, 'notifyId' | 'notifyUrl'>,
  at?: number,
): Promise<void> {
  const payload = { notifyId, host: new URL(notifyUrl).host }
  const job = { name: 'deliverCallback', payload, key: `callback ${notifyId}` }
  await enqueue(tx, context.clock, at === undefined ? job : { ...job, at })
}
