import { Type } from 'typebox'

/** The parameter `tradeNo`, case-insensitive. */
export const TradeNo = Type.String({
  pattern: '^[0-9A-Fa-f]{32}$',
  description: 'Transaction number.',
  'x-allowed': 'must be 32 hexadecimal digits',
})
