import type { RefundExtent } from '@souk/contract'

/** Returns how far a payment was refunded, both in cents; undefined if it was not. */
export function refundOf({
  amount,
  refundedAmount,
}: {
  amount: number
  refundedAmount: number
}): RefundExtent | undefined {
  if (refundedAmount === 0) return undefined
  return refundedAmount >= amount ? 'full' : 'partial'
}
