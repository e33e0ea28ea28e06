import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { updateRead } from './store.ts'

type MarkRead = typeof hostOperations.markRead

/**
 * Marks a notification in the caller's inbox as read and keeps the time of the first call. Returns false if unknown.
 */
export async function markRead(
  context: Context,
  caller: HostUserCaller,
  { notificationId }: ParametersOf<MarkRead>,
): Promise<ResultOf<MarkRead>> {
  return updateRead(context.sql, caller.uid, notificationId, context.clock.now())
}
