import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findUser } from '../../users/index.ts'
import { appidsWhere } from '../apps/index.ts'
import { listInbox } from './store.ts'

type SandboxInbox = typeof consoleOperations.sandboxInbox

/**
 * Returns the newest 50 notifications of a user, of the mini apps that the caller may see.
 *
 * @throws SoukError `user_not_found`
 */
export async function sandboxInbox(
  context: Context,
  caller: ConsoleCaller,
  { uid }: ParametersOf<SandboxInbox>,
): Promise<ResultOf<SandboxInbox>> {
  if (!(await findUser(context.sql, uid))) throw new SoukError('user_not_found')
  const appids = await appidsWhere(context, caller, 'message.read')
  return listInbox(context.sql, uid, { appids })
}
