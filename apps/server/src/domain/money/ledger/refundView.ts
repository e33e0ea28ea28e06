import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Refund } from './refunds.store.ts'

type RefundView = ResultOf<typeof consoleOperations.refundTrade>

/** Returns a refund as the console shows it. */
export function toRefundView(refund: Refund): RefundView {
  const { appid: _, notifyUrl: __, ...view } = refund
  return { ...view, initiator: initiatorOf(refund) }
}

/** Returns who has requested a refund. */
export function initiatorOf({ initiator, outRefundNo }: Refund): RefundView['initiator'] {
  return outRefundNo === null ? initiator : 'backend'
}
