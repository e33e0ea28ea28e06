import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listInbox } from './store.ts'

type Inbox = typeof hostOperations.inbox

/**
 * The caller's notifications, newest first, 50 at a time. `before` is the last notificationId of the page before; one
 * that the user does not have has nothing after it. Every notification is in the one language that it was sent in, so
 * there is never a choice for `language` to make (ADR 40).
 */
export async function inbox(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<Inbox>,
): Promise<ResultOf<Inbox>> {
  return listInbox(context.sql, caller.uid, { before: input.before })
}
