import { transactionFlow, transactionStatus } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { CapturedPayment, Context, Ledger } from '../../context.ts'
import { describeStatus, insertEvent } from '../trades/index.ts'
import { insertEntry, merchantAccountName, providerAccountName, returnsAccountName } from './ledger.store.ts'
import { insertRefund } from './refunds.store.ts'
import { enqueueRefund } from './returnMoney.ts'

/** The port through which settled payments reach the ledger. */
export const ledger: Ledger = { recordCapture, recordUnapplied }

async function recordCapture({ clock }: Context, tx: Tx, payment: CapturedPayment): Promise<void> {
  await bookCapture(tx, payment, merchantAccountName(payment.merchantId), clock.now())
}

/** Books a payment that its trade cannot accept, and enqueues the job that returns it. */
async function recordUnapplied(context: Context, tx: Tx, payment: CapturedPayment): Promise<void> {
  const time = context.clock.now()
  const { appid, tradeNo, attemptId, payNo, amount, currency } = payment
  const open = payment.transactionStatus === transactionStatus.processing
  const reason = open ? 'amountMismatch' : 'tradeFinal'
  const note = open ? 'differs from the trade' : `the trade ${describeStatus(payment.transactionStatus)}`
  // Not the attempt's ID: a provider may use both as idempotency keys.
  const refundNo = newId()
  const refund = { appid, tradeNo, refundNo, attemptId, initiator: 'system', reason, note, amount, currency } as const
  await bookCapture(tx, payment, returnsAccountName(payment.merchantId), time)
  const unsent = { outRefundNo: null, notifyUrl: null }
  const owed = { ...refund, ...unsent, state: 'owed', refusal: null, ctime: time, mtime: time } as const
  if (!(await insertRefund(tx, payment, payment, owed)))
    throw new Error(`attempt ${attemptId} is already being refunded`)
  const detail = { transactionFlow: transactionFlow.income, attemptId, payNo, amount, currency, reason: note }
  await insertEvent(tx, payment, { time, event: 'moneyOwed', detail })
  await enqueueRefund(tx, refund)
  context.log.warn(
    { tradeNo, attemptId, reason: note },
    'unapplied payment: the trade cannot accept it, so it is refunded',
  )
}

async function bookCapture(tx: Tx, payment: CapturedPayment, credit: string, time: number): Promise<void> {
  const { attemptId: reference, amount, currency } = payment
  const debit = providerAccountName(payment)
  await insertEntry(tx, payment, { reference, movement: 'captured', debit, credit, amount, currency }, time)
}
