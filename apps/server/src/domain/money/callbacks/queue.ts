import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { currentTrace } from '../../../kernel/tracing.ts'
import { notifyDue } from '../../messages/index.ts'
import { type CallbackFields, insertCallback } from './store.ts'

type WithoutId<Fields> = Fields extends unknown ? Omit<Fields, 'notifyId'> : never

/** The result of a trade or a refund, and where to send it. */
export type CallbackRequest = WithoutId<CallbackFields> & { notifyUrl: string }

/**
 * Stores the callback of a trade that has just become final, or of a refund that has got a result, and notifies the
 * dispatchers, in the transaction that made it so (open-api §6, ADR 12). If its receiver is disabled, the callback can
 * only be replayed (ADR 304). Returns its notifyId.
 */
export async function queueCallback(tx: Tx, request: CallbackRequest): Promise<string> {
  const { notifyUrl, ...result } = request
  const notifyId = newId()
  const fields: CallbackFields = { notifyId, ...result }
  const { appid, notifyTime } = result
  const callback = { appid, notifyId, notifyUrl, fields, traceparent: currentTrace() }
  const { receiver, state } = await insertCallback(tx, callback, notifyTime)
  if (state === 'pending') await notifyDue(tx, 'callback', receiver)
  return notifyId
}
