import type { Tx } from '../../kernel/db/pool.ts'
import { newId } from '../../kernel/id.ts'
import { enqueue } from '../../kernel/outbox.ts'
import type { Context } from '../context.ts'
import { type Callback, type CallbackFields, insertCallback } from './store.ts'

/** The final result of a trade, and where to send it. */
export type CallbackRequest = Omit<CallbackFields, 'notifyId'> & { notifyUrl: string }

/**
 * Stores the payment result callback of a trade that has just become final and enqueues its first delivery, in the
 * transaction that made the trade final (open-api §6, ADR 12).
 */
export async function queueCallback(context: Context, tx: Tx, request: CallbackRequest): Promise<void> {
  const { notifyUrl, ...result } = request
  const notifyId = newId()
  const fields = { notifyId, ...result }
  const { appid, tradeNo, notifyTime } = result
  await insertCallback(tx, { appid, notifyId, tradeNo, notifyUrl, fields }, notifyTime)
  await enqueueDelivery(context, tx, { notifyId, notifyUrl })
}

/** Enqueues the next delivery of a callback, at `at` (domain clock, ms) or now. Replaces one that has not started. */
export async function enqueueDelivery(
  context: Context,
  tx: Tx,
  { notifyId, notifyUrl }: Pick<Callback, 'notifyId' | 'notifyUrl'>,
  at?: number,
): Promise<void> {
  const payload = { notifyId, host: new URL(notifyUrl).host }
  const job = { name: 'deliverCallback', payload, key: `callback ${notifyId}` }
  await enqueue(tx, context.clock, at === undefined ? job : { ...job, at })
}
