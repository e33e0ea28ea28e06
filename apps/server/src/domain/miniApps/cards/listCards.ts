import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listConversation } from './store.ts'

type List = typeof hostOperations.listCards

/** Lists the cards of a conversation with another mock user, newest first. */
export async function listCards(
  { sql }: Context,
  caller: HostUserCaller,
  { uid }: ParametersOf<List>,
): Promise<ResultOf<List>> {
  return listConversation(sql, caller.uid, uid)
}
