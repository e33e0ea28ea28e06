import { SoukError, transactionFlow, transactionStatus } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { Context } from '../../context.ts'
import { findAcceptedAttempt } from '../payments/index.ts'
import { describeStatus, insertEvent, type Trade } from '../trades/index.ts'
import { insertEntry, merchantAccountName, returnsAccountName } from './ledger.store.ts'
import { insertRefund, listRefunds, type Refund } from './refunds.store.ts'
import { enqueueRefund } from './returnMoney.ts'

/** A refund as an operator or a backend requests it. Without `amount`, the remaining amount is refunded. */
type RequestedRefund = Pick<Refund, 'note' | 'outRefundNo' | 'notifyUrl'> & {
  refundNo?: string | undefined
  amount?: number | undefined
}

/**
 * Records that a succeeded trade, which the caller has locked, is to be refunded, and enqueues the job that makes the
 * refund. Returns undefined if a concurrent refund of another trade has used its refundNo or outRefundNo.
 *
 * @throws SoukError `trade_not_refundable`, `refund_too_large`
 */
export async function oweRefund(
  context: Context,
  tx: Tx,
  trade: Trade,
  { refundNo = newId(), note, outRefundNo, notifyUrl, ...requested }: RequestedRefund,
): Promise<Refund | undefined> {
  if (trade.transactionStatus !== transactionStatus.succeeded)
    throw new SoukError('trade_not_refundable', `The trade ${describeStatus(trade.transactionStatus)}.`)

  const earlier = (await listRefunds(tx, trade)).filter((it) => it.initiator === 'operator' && it.state !== 'refused')
  const left = trade.amount - earlier.reduce((sum, { amount }) => sum + amount, 0)
  const { amount = left } = requested
  if (amount > left || left === 0) throw new SoukError('refund_too_large', `${left} cents remain.`, { data: { left } })

  const time = context.clock.now()
  const attempt = (await findAcceptedAttempt(tx, trade))!
  const { attemptId } = attempt
  const { appid, tradeNo, currency, merchantId } = trade
  const refund: Refund = {
    appid,
    tradeNo,
    refundNo,
    attemptId,
    initiator: 'operator',
    reason: 'requested',
    note,
    outRefundNo,
    notifyUrl,
    amount,
    currency,
    state: 'owed',
    refusal: null,
    ctime: time,
    mtime: time,
  }
  if (!(await insertRefund(tx, trade, attempt, refund))) return undefined
  const [debit, credit] = [merchantAccountName(merchantId), returnsAccountName(merchantId)]
  await insertEntry(tx, trade, { reference: refundNo, movement: 'refundOwed', debit, credit, amount, currency }, time)
  const detail = {
    transactionFlow: transactionFlow.income,
    attemptId,
    refundNo,
    ...(outRefundNo === null ? {} : { outRefundNo }),
    amount,
    currency,
    reason: note,
  }
  await insertEvent(tx, trade, { time, event: 'moneyRefundAsked', detail })
  await enqueueRefund(tx, refund)
  return refund
}
