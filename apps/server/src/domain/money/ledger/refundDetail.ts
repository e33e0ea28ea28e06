import {
  amountStrWithYuan,
  type Currency,
  type openOperations,
  type ParametersOf,
  type RefundStatus,
  type ResultOf,
  refundStatus,
  SoukError,
  transactionFlow,
} from '@souk/contract'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findRefundOfBackend, type Refund } from './refunds.store.ts'

type RefundDetail = typeof openOperations.refunddetail

/** Returns a refund to the backend that has requested it (ADR 409). @throws SoukError `refund_not_found` */
export async function refundDetail(
  context: Context,
  { app }: AppCaller,
  { refundNo }: Pick<ParametersOf<RefundDetail>, 'refundNo'>,
): Promise<ResultOf<RefundDetail>> {
  const refund = await findRefundOfBackend(context.sql, { appid: app.appid, refundNo })
  if (!refund) throw new SoukError('refund_not_found')
  return {
    refundNo: refund.refundNo,
    outRefundNo: refund.outRefundNo!,
    tradeNo: refund.tradeNo,
    outTradeNo: refund.outTradeNo,
    appId: refund.appid,
    merchantId: refund.merchantId,
    reason: refund.note || null,
    amount: refund.amount,
    amountStrWithYuan: amountStrWithYuan(refund.amount),
    currency: refund.currency as Currency,
    openId: refund.openId,
    transactionFlow: transactionFlow.income,
    refundStatus: statusOf(refund),
    failReason: failReasonOf(refund),
    ctime: refund.ctime,
    mtime: refund.mtime,
  }
}

/** Returns the `refundStatus` of a refund by a backend. */
export function statusOf({ state }: Pick<Refund, 'state'>): RefundStatus {
  const statuses = { owed: refundStatus.processing, returned: refundStatus.succeeded, refused: refundStatus.failed }
  return statuses[state]
}

/** Returns why a refund failed, without control characters, which values on the wire do not have. */
export function failReasonOf({ state, refusal }: Pick<Refund, 'state' | 'refusal'>): string | null {
  return state === 'refused' ? (refusal?.replaceAll(/\p{Cc}+/gu, ' ') ?? null) : null
}
