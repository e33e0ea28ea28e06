import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Long, signed } from '../schemas.ts'
import { currencies, maxAmount } from '../trade.ts'

/** Create trade (open API §4.3). Idempotent by (merchantId, outTradeNo) while the trade is processing. */
export const trade = operation({
  id: 'trade',
  surface: 'open',
  method: 'POST',
  path: '/neuopenapi/pay/transactions/trade',
  summary: 'Create trade',
  section: '4.3',
  auth: 'sign',
  capability: 'payment',
  body: ['form', 'multipart'],
  parameters: Type.Object({
    ...signed,
    merchantId: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{32})?$',
        description:
          'Merchant id. When empty it is looked up by the mini app id; when still missing, generated from it.',
        'x-allowed': 'must be empty or 32 lowercase hexadecimal digits',
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 256, description: 'Description.', 'x-allowed': 'must have at most 256 characters' }),
    ),
    outTradeNo: Type.String({
      pattern: '^[0-9A-Za-z_*-]{1,64}$',
      description: 'Merchant order number, unique under the merchant for ever.',
      'x-allowed': 'must be 1 to 64 of digits, letters, _, - and *',
    }),
    timeExpire: Type.Optional(
      Long({
        description: 'Expiry time in milliseconds: 1 minute to 7 days ahead, default 2 hours.',
        'x-allowed': 'must be a Unix time in milliseconds',
      }),
    ),
    notifyUrl: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'Address that receives the payment result: absolute, no query, https unless the host is private and allowed.',
      'x-allowed': 'must be an absolute https address of at most 512 characters without query parameters',
    }),
    amount: Long({
      minimum: 1,
      maximum: maxAmount,
      description: 'Amount in cents.',
      'x-allowed': `must be a whole number of cents from 1 to ${maxAmount}`,
    }),
    currency: Type.Enum([...currencies], {
      description: 'Currency code.',
      'x-allowed': `must be one of ${currencies.join(', ')}`,
    }),
    openId: Hex32({ description: 'The user’s openId under this appid.' }),
  }),
  result: Type.Object({
    outTradeNo: Type.String({ description: 'Merchant order number.' }),
    tradeNo: Hex32({ description: 'Transaction number.' }),
  }),
  errors: ['open_id_unknown', 'merchant_foreign', 'notify_url_refused', 'out_trade_no_conflict'],
  redact: ['sign'],
})
