import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findUser } from '../../users/index.ts'
import { appidsWhere } from '../apps/index.ts'
import { listActivities } from './store.ts'

type SandboxHome = typeof consoleOperations.sandboxHome

/**
 * Returns the activity messages on a user's home page, newest first, of the mini apps that the caller may see.
 *
 * @throws SoukError `user_not_found`
 */
export async function sandboxHome(
  context: Context,
  caller: ConsoleCaller,
  { uid }: ParametersOf<SandboxHome>,
): Promise<ResultOf<SandboxHome>> {
  if (!(await findUser(context.sql, uid))) throw new SoukError('user_not_found')
  const appids = await appidsWhere(context, caller, 'message.read')
  return listActivities(context.sql, uid, context.clock.now(), appids)
}
