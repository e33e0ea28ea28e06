import { type PaymentEvent, transactionStatus } from '@souk/sdk'

/** Replace with your database: a unique key on `notifyId`, written in one transaction with the order. */
const done = new Map<string, string>()

export async function settleOrder(payment: PaymentEvent): Promise<void> {
  if (done.has(payment.notifyId)) return
  const paid = payment.transactionStatus === transactionStatus.succeeded
  done.set(payment.notifyId, `${payment.outTradeNo} ${paid ? 'paid' : 'not paid'}`)
}

export const settled = (): string[] => [...done.values()]
