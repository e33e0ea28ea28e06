import { day, hour, minute } from './time.ts'

/** `transactionStatus` (open-api §3.2). 1 is the only state with transitions; 2 to 6 are final. */
export const transactionStatus = { processing: 1, succeeded: 2, failed: 3, expired: 4, canceled: 5, closed: 6 } as const
export type TransactionStatus = (typeof transactionStatus)[keyof typeof transactionStatus]
export type TransactionStatusName = keyof typeof transactionStatus

/** Returns the name of a `transactionStatus`. */
export function statusName(status: number): TransactionStatusName {
  const found = Object.entries(transactionStatus).find(([, value]) => value === status)
  if (!found) throw new RangeError(`transactionStatus ${status} does not exist`)
  return found[0] as TransactionStatusName
}

/** `failReasonType` (open-api §2.5). -1 means that no failure is recorded. */
export const failReasonTypes = {
  1: 'Wallet A not ready',
  2: 'Wallet A error',
  3: 'Wallet A token generation network error',
  4: 'Wallet A token generation error',
  5: 'Card processor B payment error',
  6: 'Card processor B 3-D Secure authentication rejected',
  10: 'Wallet B error',
  11: 'Wallet B unsupported',
  20: 'Out order has succeeded',
  21: 'Transaction is expired',
  22: 'Transaction is closed',
  23: 'Out order is in payment',
  24: 'Checkout failed',
  25: 'Checkout request for payment failed',
  26: 'Card processor A creation of payment failed',
  27: 'Transaction failed',
} as const
export type FailReasonType = keyof typeof failReasonTypes
export const failReasonCodes = Object.keys(failReasonTypes).map(Number) as FailReasonType[]
/** The default of `failReasonType`. */
export const noFailReason = -1

/** Reasons of a final decline, which make the trade failed (3). */
export const declineReasons = [1, 2, 3, 4, 5, 6, 10, 11, 24, 25, 26, 27] as const satisfies readonly FailReasonType[]
export type DeclineReason = (typeof declineReasons)[number]

/** `payType` (open-api §2.5): the kind of provider. */
export const payType = { hostedCheckout: 1, cardProcessorA: 2, cardProcessorB: 3 } as const
export type PayType = (typeof payType)[keyof typeof payType]

/** `payMethod` (open-api §2.5), keyed by the names used in the cashier and the command line. */
export const payMethod = { 'wallet-a': 1, 'wallet-b': 2, card: 3 } as const
export type PayMethodName = keyof typeof payMethod
export type PayMethod = (typeof payMethod)[PayMethodName]

/** `transactionFlow` (open-api §2.5) as used by Souk: 2 for a payment, 1 for a refund. */
export const transactionFlow = { income: 1, expense: 2 } as const

/** `refundStatus` of a refund by the backend. 2 can still become 3, if the payer’s bank sends the money back. */
export const refundStatus = { processing: 1, succeeded: 2, failed: 3 } as const
export type RefundStatus = (typeof refundStatus)[keyof typeof refundStatus]

/** Currencies of open-api §2.5; all have two decimals. */
export const currencies = ['CNY', 'USD', 'SGD', 'SAR'] as const
export type Currency = (typeof currencies)[number]

/** The largest amount of one trade, in cents. */
export const maxAmount = 99_999_999_999

/** Limits of `timeExpire` in ms after creation (open-api §4.3). */
export const tradeLifetime = { default: 2 * hour, min: minute, max: 7 * day } as const

/** Formats cents as `amountStrWithYuan` (open-api §2.5): the major unit with two decimals, without floating point. */
export function amountStrWithYuan(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0)
    throw new RangeError(`an amount in cents must be a non-negative integer, not ${cents}`)
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** Converts an amount in the major unit with at most two decimals, such as `12.5`, to cents. */
export function centsOf(amount: string): number {
  const [major = '', minor = ''] = amount.split('.')
  return Number(major) * 100 + Number(minor.padEnd(2, '0'))
}
