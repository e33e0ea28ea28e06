import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listActivities } from './store.ts'

type Home = typeof hostOperations.home

/**
 * The activity messages on the caller's home page, newest first, 100 at most. A message has one language, the one that
 * was sent last, so there is never a choice for `language` to make (ADR 40).
 */
export async function home(
  context: Context,
  caller: HostUserCaller,
  _input: ParametersOf<Home>,
): Promise<ResultOf<Home>> {
  return listActivities(context.sql, caller.uid, context.clock.now())
}
