import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { signed } from '../schemas.ts'
import { TradeNo } from './tradeNo.ts'

/**
 * Closes a trade (open-api §4.3). Parameters in the query string or form. Closing a closed trade returns true again.
 */
export const tradeclose = operation({
  id: 'tradeclose',
  surface: 'open',
  method: 'POST',
  path: '/neuopenapi/pay/transactions/tradeclose',
  summary: 'Close trade',
  section: '4.3',
  auth: 'sign',
  capability: 'payment',
  body: ['form', 'multipart'],
  retry: 'idempotent',
  parameters: Type.Object({ ...signed, tradeNo: TradeNo }),
  result: Type.Boolean({ description: 'True on success.' }),
  errors: ['trade_not_found', 'trade_archived', 'trade_not_processing', 'payment_in_flight'],
  redact: ['sign'],
})
