import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { AdminCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findUser } from '../identity/index.ts'
import { activitiesOf } from './store.ts'

type SandboxHome = typeof consoleOperations.sandboxHome

/**
 * The activity messages on this user's home page, newest first.
 *
 * @throws SoukError `sandbox_only`, `user_not_found`
 */
export async function sandboxHome(
  context: Context,
  _caller: AdminCaller,
  { uid }: ParametersOf<SandboxHome>,
): Promise<ResultOf<SandboxHome>> {
  if (!context.settings.sandbox) throw new SoukError('sandbox_only')
  if (!(await findUser(context.sql, uid))) throw new SoukError('user_not_found')
  return activitiesOf(context.sql, uid, context.clock.now())
}
