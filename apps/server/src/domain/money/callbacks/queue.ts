import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { currentTrace } from '../../../kernel/tracing.ts'
import { notifyDue } from '../../messages/index.ts'
import { type CallbackFields, insertCallback } from './store.ts'

/** The final result of a trade, and where to send it. */
export type CallbackRequest = Omit<CallbackFields, 'notifyId'> & { notifyUrl: string }

/**
 * Stores the payment result callback of a trade that has just become final, and notifies the dispatchers, in the
 * transaction that made the trade final (open-api §6, ADR 12). If its receiver is disabled, the callback can only be
 * replayed (ADR 304).
 */
export async function queueCallback(tx: Tx, request: CallbackRequest): Promise<void> {
  const { notifyUrl, ...result } = request
  const notifyId = newId()
  const fields = { notifyId, ...result }
  const { appid, tradeNo, notifyTime } = result
  const callback = { appid, notifyId, tradeNo, notifyUrl, fields, traceparent: currentTrace() }
  const { receiver, state } = await insertCallback(tx, callback, notifyTime)
  if (state === 'pending') await notifyDue(tx, 'callback', receiver)
}
