import { currentCarrier } from '../carriers/current.ts'

export interface PaymentOptions {
  /** The trade number from the create trade endpoint (open-api §1), under either name. */
  tradeNo?: string
  transactionNo?: string
  /**
   * Values that the page displayed. Only compared with the trade; a difference is refused. `amount` in major units.
   */
  name?: string
  country?: string
  currency?: string
  amount?: string | number
}

/**
 * Lets the user pay a trade. Status 0: the cashier was closed; 1: failed, with `failCode` (a failReasonType); 2:
 * succeeded. The backend must still query the trade: a result from the frontend proves nothing.
 */
export function requestPayment(options: PaymentOptions): Promise<{ status: 0 | 1 | 2; failCode?: number }> {
  const { tradeNo = options.transactionNo, name, country, currency, amount } = options
  const shown = { name, country, currency, amount }
  const texts = Object.entries(shown).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  )
  if (!tradeNo) return Promise.reject(new Error('tradeNo is missing'))
  return currentCarrier().call('requestPayment', { tradeNo, ...Object.fromEntries(texts) })
}
