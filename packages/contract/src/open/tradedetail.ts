import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, signed } from '../schemas.ts'
import { currencies, failReasonTypes, payMethod, payType, transactionFlow, transactionStatus } from '../trade.ts'
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
  timeExpire: Type.Integer({ description: 'Expiry time, milliseconds.' }),
  amount: Type.Integer({ description: 'Amount in cents.' }),
  amountStrWithYuan: Type.String({ description: 'Amount in the major unit, two decimals.' }),
  currency: Type.Enum([...currencies], { description: 'Currency.' }),
  openId: Hex32({ description: 'The user’s openId.' }),
  payer: Type.Integer({ description: 'Payer user id.' }),
  notifySuccess: Nullable(
    Type.Boolean({ description: 'Whether the callback was acknowledged; null before the first attempt.' }),
  ),
  payType: Nullable(
    Type.Enum(Object.values(payType), { description: '1 hosted checkout, 2 card processor A, 3 card processor B.' }),
  ),
  payNo: Nullable(Type.String({ description: 'Payment number at the provider.' })),
  payMethod: Nullable(
    Type.Enum(Object.values(payMethod), { description: '1 mobile wallet A, 2 mobile wallet B, 3 card.' }),
  ),
  transactionFlow: Type.Enum(Object.values(transactionFlow), { description: '2 for a payment, 1 for a refund.' }),
  transactionStatus: Type.Enum(Object.values(transactionStatus), {
    description: '1 processing, 2 succeeded, 3 failed, 4 expired, 5 canceled, 6 closed.',
  }),
  failReasonType: Type.Enum([-1, ...Object.keys(failReasonTypes).map(Number)], {
    description: 'Why the payment failed; -1 if it did not.',
  }),
  ctime: Type.Integer({ description: 'Creation time, milliseconds.' }),
  mtime: Type.Integer({ description: 'Update time, milliseconds.' }),
})

/** Returns a trade (open-api §4.3). Poll while `transactionStatus` is 1. */
export const tradedetail = operation({
  id: 'tradedetail',
  surface: 'open',
  method: 'GET',
  path: '/neuopenapi/pay/transactions/tradedetail',
  summary: 'Query trade',
  section: '4.3',
  auth: 'sign',
  capability: 'payment',
  parameters: Type.Object({ ...signed, tradeNo: TradeNo }),
  result: TradeDetail,
  errors: ['trade_not_found', 'trade_archived'],
  redact: ['sign'],
})
