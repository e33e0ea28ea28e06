import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { DomainTime, Hex32, Long, Nullable, signed } from '../schemas.ts'
import {
  currencies,
  failReasonCodes,
  maxAmount,
  noFailReason,
  payMethod,
  payType,
  transactionFlow,
  transactionStatus,
} from '../trade.ts'
import { TradeNo } from './tradeNo.ts'

/** A trade (open-api §2.5). The specification allows any field to be null; only the nullable ones here ever are. */
export const TradeDetail = Type.Object({
  tradeNo: Hex32({ description: 'Transaction number.' }),
  appId: Type.String({ description: 'Mini app id.' }),
  merchantId: Hex32({ description: 'Merchant number.' }),
  merchantLogoUrl: Nullable(Type.String({ description: 'Merchant logo address.' })),
  merchantName: Nullable(Type.String({ description: 'Merchant name.' })),
  description: Nullable(Type.String({ description: 'Description.' })),
  outTradeNo: Type.String({ description: 'Order number in the merchant’s system.' }),
  timeExpire: DomainTime('Expiry time, milliseconds.'),
  amount: Type.Integer({ description: 'Amount in cents.' }),
  amountStrWithYuan: Type.String({ description: 'Amount in the major unit, two decimals.' }),
  currency: Type.Enum([...currencies], { description: 'Currency.', 'x-enum': 'Currency' }),
  openId: Hex32({ description: 'The user’s openId.' }),
  payer: Type.Integer({ description: 'Payer user id.' }),
  notifySuccess: Nullable(
    Type.Boolean({ description: 'Whether the callback was acknowledged; null before the first attempt.' }),
  ),
  payType: Nullable(
    Type.Enum(Object.values(payType), {
      description: '1 hosted checkout, 2 card processor A, 3 card processor B.',
      'x-enum': 'PayType',
    }),
  ),
  payNo: Nullable(Type.String({ description: 'Payment number at the provider.' })),
  payMethod: Nullable(
    Type.Enum(Object.values(payMethod), {
      description: '1 mobile wallet A, 2 mobile wallet B, 3 card.',
      'x-enum': 'PayMethod',
    }),
  ),
  transactionFlow: Type.Enum(Object.values(transactionFlow), {
    description: '2 for a payment, 1 for a refund.',
    'x-enum': 'TransactionFlow',
  }),
  transactionStatus: Type.Enum(Object.values(transactionStatus), {
    description: '1 processing, 2 succeeded, 3 failed, 4 expired, 5 canceled, 6 closed.',
    'x-enum': 'TransactionStatus',
  }),
  failReasonType: Type.Enum([noFailReason, ...failReasonCodes], {
    description: 'Why the payment failed; -1 if it did not.',
    'x-enum': 'FailReasonType',
  }),
  ctime: DomainTime('Creation time, milliseconds.'),
  mtime: DomainTime('Update time, milliseconds.'),
})

/** Trades. */
export const tradeOpenOperations = {
  /** Creates a trade (open-api §4.3). Idempotent by (merchantId, outTradeNo) while the trade is processing. */
  trade: operation({
    id: 'trade',
    surface: 'open',
    method: 'POST',
    path: '/neuopenapi/pay/transactions/trade',
    summary: 'Create trade',
    section: '4.3',
    notes:
      '`amount` is in cents, `timeExpire` in ms. Idempotent by `outTradeNo` while the trade is processing: the same order again returns the same `tradeNo`.',
    auth: 'sign',
    capability: 'payment',
    body: ['form', 'multipart'],
    retry: 'idempotent',
    clientTypes: { result: { name: 'CreatedTrade', description: 'A created trade, by its numbers (open-api §4.3).' } },
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
          'x-allowed': 'must be a Unix time in milliseconds, 1 minute to 7 days ahead',
          'x-clock': 'domain',
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
        'x-enum': 'Currency',
      }),
      openId: Hex32({ description: 'The user’s openId under this appid.' }),
    }),
    result: Type.Object({
      outTradeNo: Type.String({ description: 'Merchant order number.' }),
      tradeNo: Hex32({ description: 'Transaction number.' }),
    }),
    errors: ['open_id_unknown', 'merchant_foreign', 'notify_url_refused', 'out_trade_no_conflict'],
    redact: ['sign'],
  }),
  /** Returns a trade (open-api §4.3). Poll while `transactionStatus` is 1. */
  tradedetail: operation({
    id: 'tradedetail',
    surface: 'open',
    method: 'GET',
    alsoPost: true,
    path: '/neuopenapi/pay/transactions/tradedetail',
    summary: 'Query trade',
    section: '4.3',
    auth: 'sign',
    capability: 'payment',
    clientTypes: {
      result: {
        name: 'TradeDetail',
        description: 'A trade (open-api §2.5). Amounts are in cents, times in milliseconds.',
      },
    },
    parameters: Type.Object({ ...signed, tradeNo: TradeNo }),
    result: TradeDetail,
    errors: ['trade_not_found', 'trade_archived'],
    redact: ['sign'],
  }),
  /**
   * Closes a trade (open-api §4.3). Parameters in the query string or form. Closing a closed trade returns true again.
   */
  tradeclose: operation({
    id: 'tradeclose',
    surface: 'open',
    method: 'POST',
    path: '/neuopenapi/pay/transactions/tradeclose',
    summary: 'Close trade',
    section: '4.3',
    notes: 'Closing a closed trade returns true again; a paid trade is an error.',
    auth: 'sign',
    capability: 'payment',
    body: ['form', 'multipart'],
    retry: 'idempotent',
    parameters: Type.Object({ ...signed, tradeNo: TradeNo }),
    result: Type.Boolean({ description: 'True on success.' }),
    errors: ['trade_not_found', 'trade_archived', 'trade_not_processing', 'payment_in_flight'],
    redact: ['sign'],
  }),
}
