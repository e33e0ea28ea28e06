import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listActivities } from './store.ts'

type Home = typeof hostOperations.home

/**
 * Returns the activity messages on the caller's home page, newest first, at most 100. Ignores `language`, since a
 * message has only the language that it was last sent in (ADR 41).
 */
export async function home(
  context: Context,
  caller: HostUserCaller,
  _input: ParametersOf<Home>,
): Promise<ResultOf<Home>> {
  return listActivities(context.sql, caller.uid, context.clock.now())
}
