import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { DomainTime, Hex32, Long, Nullable, signed } from '../schemas.ts'
import { currencies, maxAmount, refundStatus, transactionFlow } from '../trade.ts'
import { TradeNo } from './tradeNo.ts'

const RefundDetail = Type.Object({
  refundNo: Hex32({ description: 'Refund number.' }),
  outRefundNo: Type.String({ description: 'Refund number in the merchant’s system.' }),
  tradeNo: Hex32({ description: 'Transaction number of the refunded trade.' }),
  outTradeNo: Type.String({ description: 'Order number of the refunded trade.' }),
  appId: Type.String({ description: 'Mini app id.' }),
  merchantId: Hex32({ description: 'Merchant number.' }),
  reason: Nullable(Type.String({ description: 'Reason.' })),
  amount: Type.Integer({ description: 'Refunded amount in cents.' }),
  amountStrWithYuan: Type.String({ description: 'Refunded amount in the major unit, two decimals.' }),
  currency: Type.Enum([...currencies], { description: 'Currency.', 'x-enum': 'Currency' }),
  openId: Hex32({ description: 'The payer’s openId.' }),
  transactionFlow: Type.Enum([transactionFlow.income], {
    description: '1 for a refund.',
    'x-enum': 'TransactionFlow',
  }),
  refundStatus: Type.Enum(Object.values(refundStatus), {
    description: '1 processing, 2 succeeded, 3 failed.',
    'x-enum': 'RefundStatus',
  }),
  failReason: Nullable(Type.String({ description: 'Why the refund failed, in the words of the provider.' })),
  ctime: DomainTime('Creation time, milliseconds.'),
  mtime: DomainTime('Update time, milliseconds.'),
})

/** Refunds by the backend of a mini app, additions of Souk (ADR 409). */
export const refundOpenOperations = {
  /** Refunds a succeeded trade fully or partly. Idempotent by (merchantId, outRefundNo). */
  refund: operation({
    id: 'refund',
    surface: 'open',
    method: 'POST',
    path: '/neuopenapi/pay/transactions/refund',
    summary: 'Refund a succeeded trade fully or partly',
    notes:
      '`amount` is in cents, at most what is left of the payment. Idempotent by `outRefundNo`: the same refund again returns the same `refundNo`, whatever became of it. A refund that failed is requested again with a new `outRefundNo`.',
    auth: 'sign',
    capability: 'refund',
    body: ['form', 'multipart'],
    retry: 'idempotent',
    clientTypes: {
      result: { name: 'RequestedRefund', description: 'A requested refund, by its numbers.' },
    },
    parameters: Type.Object({
      ...signed,
      tradeNo: TradeNo,
      outRefundNo: Type.String({
        pattern: '^[0-9A-Za-z_*-]{1,64}$',
        description: 'Refund number in the merchant’s system, unique per merchant, never reused.',
        'x-allowed': 'must be 1 to 64 ASCII digits, letters, _, - or *',
      }),
      amount: Long({
        minimum: 1,
        maximum: maxAmount,
        description: 'Amount to refund, in cents.',
        'x-allowed': `must be an integer number of cents from 1 to ${maxAmount}`,
      }),
      reason: Type.Optional(
        Type.String({
          maxLength: 256,
          description: 'Reason, for the record.',
          'x-allowed': 'must have at most 256 characters',
        }),
      ),
      notifyUrl: Type.Optional(
        Type.String({
          maxLength: 512,
          description:
            'URL that receives the result of the refund, with the same rules as that of a trade. If empty, the result is not sent.',
          'x-allowed': 'must be empty or an absolute https URL of at most 512 characters without query parameters',
        }),
      ),
    }),
    example: {
      outRefundNo: 'refund-1',
      amount: 1,
      reason: 'One glass was cold',
      notifyUrl: 'https://shop.example/refunds',
    },
    result: Type.Object({
      outRefundNo: Type.String({ description: 'Refund number in the merchant’s system.' }),
      refundNo: Hex32({ description: 'Refund number.' }),
    }),
    errors: [
      'trade_not_found',
      'trade_archived',
      'notify_url_refused',
      'out_refund_no_conflict',
      'trade_not_refundable',
      'refund_too_large',
    ],
    redact: ['sign'],
  }),
  /** Returns a refund that the backend has requested. Poll while `refundStatus` is 1. */
  refunddetail: operation({
    id: 'refunddetail',
    surface: 'open',
    method: 'GET',
    alsoPost: true,
    path: '/neuopenapi/pay/transactions/refunddetail',
    summary: 'Query refund',
    notes:
      '`refundStatus` 2 can still become 3, if the payer’s bank sends the money back days later. Refunds by operators are not found.',
    auth: 'sign',
    capability: 'refund',
    clientTypes: {
      result: { name: 'RefundDetail', description: 'A refund. Amounts are in cents, times in milliseconds.' },
    },
    parameters: Type.Object({
      ...signed,
      refundNo: Type.String({
        pattern: '^[0-9A-Fa-f]{32}$',
        description: 'Refund number.',
        'x-allowed': 'must be 32 hexadecimal digits',
      }),
    }),
    example: { refundNo: '0123456789abcdef0123456789abcdef' },
    result: RefundDetail,
    errors: ['refund_not_found'],
    redact: ['sign'],
  }),
}
