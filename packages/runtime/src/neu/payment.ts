import { currentCarrier } from '../carriers/current.ts'
import type { Options, Result } from './table/types.ts'

export function requestPayment(options: Options<'requestPayment'>): Promise<Result<'requestPayment'>> {
  const { tradeNo = options.transactionNo, name, country, currency, amount } = options
  const shown = { name, country, currency, amount }
  const texts = Object.entries(shown).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  )
  if (!tradeNo) return Promise.reject(new Error('tradeNo is missing'))
  return currentCarrier().call('requestPayment', { tradeNo, ...Object.fromEntries(texts) })
}
