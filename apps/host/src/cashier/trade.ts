import { centsOf } from '@souk/contract'
import type { Result } from '../api/client.ts'

export type Trade = Result<'showTrade'>
/** What `neu.requestPayment()` gives (open-api §1). */
export type PaymentResult = Pick<Result<'paymentResult'>, 'status' | 'failCode'>

/** What the page said that it would charge: for comparison only. `amount` in major units. */
export interface Shown {
  amount?: string
  currency?: string
}

/** Which of what the page said is not what the trade has; undefined where it agrees. */
export function differsFromTrade(trade: Pick<Trade, 'amount' | 'currency'>, shown: Shown): keyof Shown | undefined {
  if (shown.amount !== undefined && centsOf(shown.amount) !== trade.amount) return 'amount'
  if (shown.currency !== undefined && shown.currency !== trade.currency) return 'currency'
  return undefined
}
