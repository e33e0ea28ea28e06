import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Long, signed } from '../schemas.ts'
import { currencies, maxAmount } from '../trade.ts'

/** Creates a trade (open-api §4.3). Idempotent by (merchantId, outTradeNo) while the trade is processing. */
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
  retry: 'idempotent',
  parameters: Type.Object({
    ...signed,
    merchantId: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{32})?$',
        description:
          'Merchant id. If empty, it is looked up by the mini app id; if there is none, it is generated from the mini app id.',
        'x-allowed': 'must be empty or 32 lowercase hexadecimal digits',
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 256, description: 'Description.', 'x-allowed': 'must have at most 256 characters' }),
    ),
    outTradeNo: Type.String({
      pattern: '^[0-9A-Za-z_*-]{1,64}$',
      description: 'Merchant order number, unique per merchant, never reused.',
      'x-allowed': 'must be 1 to 64 ASCII digits, letters, _, - or *',
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
        'URL that receives the payment result: absolute, without query, https unless the host is an allowed private host.',
      'x-allowed': 'must be an absolute https URL of at most 512 characters without query parameters',
    }),
    amount: Long({
      minimum: 1,
      maximum: maxAmount,
      description: 'Amount in cents.',
      'x-allowed': `must be an integer number of cents from 1 to ${maxAmount}`,
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
