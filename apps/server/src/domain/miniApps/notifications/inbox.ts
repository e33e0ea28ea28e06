import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listInbox } from './store.ts'

type Inbox = typeof hostOperations.inbox

/**
 * Lists the caller's notifications, newest first, in pages of 50. `before` is the last notificationId of the previous
 * page; nothing follows an unknown one. Ignores `language`, since a notification has only the language that it was sent
 * in (ADR 40).
 */
export async function inbox(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<Inbox>,
): Promise<ResultOf<Inbox>> {
  return listInbox(context.sql, caller.uid, { before: input.before })
}
