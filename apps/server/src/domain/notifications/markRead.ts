import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { updateRead } from './store.ts'

type MarkRead = typeof hostOperations.markRead

/** True when the notification is in the caller's inbox, which it then stands in as read; the first time is kept. */
export async function markRead(
  context: Context,
  caller: HostUserCaller,
  { notificationId }: ParametersOf<MarkRead>,
): Promise<ResultOf<MarkRead>> {
  return updateRead(context.sql, caller.uid, notificationId, context.clock.now())
}
