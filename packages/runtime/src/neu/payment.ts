import { currentCarrier } from '../carriers/current.ts'

export interface PaymentOptions {
  /** From the create trade endpoint (open API §1); either name. */
  tradeNo?: string
  transactionNo?: string
  /** What the page showed. Only compared with the trade: it decides nothing, and a difference is refused. `amount` in major units. */
  name?: string
  country?: string
  currency?: string
  amount?: string | number
}

/**
 * Has the user pay a trade: status 0 the cashier was closed, 1 it failed with `failCode` (a failReasonType), 2 it succeeded. The backend still asks for
 * the trade's detail: what a frontend says of a payment proves nothing.
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
