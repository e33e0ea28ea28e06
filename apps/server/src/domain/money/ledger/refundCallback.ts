import type { Tx } from '../../../kernel/db/pool.ts'
import { queueCallback } from '../callbacks/index.ts'
import { failReasonOf, statusOf } from './refundDetail.ts'
import { type RefundWithTrade, updateNotifyIds } from './refunds.store.ts'

/** Stores the callback of a refund whose state has just changed, if a backend wants its result. */
export async function queueRefundCallback(tx: Tx, refund: RefundWithTrade, now: number): Promise<void> {
  const { notifyUrl, outRefundNo } = refund
  if (notifyUrl === null || outRefundNo === null) return
  const notifyId = await queueCallback(tx, {
    notifyTime: now,
    notifyUrl,
    appid: refund.appid,
    merchantId: refund.merchantId,
    tradeNo: refund.tradeNo,
    outTradeNo: refund.outTradeNo,
    refundNo: refund.refundNo,
    outRefundNo,
    refundStatus: statusOf(refund),
    failReason: failReasonOf(refund),
    amount: refund.amount,
    currency: refund.currency,
    openId: refund.openId,
  })
  await updateNotifyIds(tx, refund, notifyId)
}
