import { centsOf } from '@souk/contract'
import type { Result } from '../api/client.ts'

export type Trade = Result<'showTrade'>
/** Result of `neu.requestPayment()` (open-api §1). */
export type PaymentResult = Pick<Result<'paymentResult'>, 'status' | 'failCode'>

/** The price that the mini app displayed, used only for comparison with the trade. `amount` is in major units. */
export interface DisplayedPrice {
  amount?: string
  currency?: string
}

/** Returns the part of the displayed price that differs from the trade, if any. */
export function findMismatch(
  trade: Pick<Trade, 'amount' | 'currency'>,
  displayed: DisplayedPrice,
): keyof DisplayedPrice | undefined {
  if (displayed.amount !== undefined && centsOf(displayed.amount) !== trade.amount) return 'amount'
  if (displayed.currency !== undefined && displayed.currency !== trade.currency) return 'currency'
  return undefined
}
