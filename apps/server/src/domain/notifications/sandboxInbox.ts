import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { AdminCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findUser } from '../identity/index.ts'
import { inboxPage } from './store.ts'

type SandboxInbox = typeof consoleOperations.sandboxInbox

/**
 * The newest 50 notifications as this user sees them.
 *
 * @throws SoukError `sandbox_only`, `user_not_found`
 */
export async function sandboxInbox(
  context: Context,
  _caller: AdminCaller,
  { uid }: ParametersOf<SandboxInbox>,
): Promise<ResultOf<SandboxInbox>> {
  if (!context.settings.sandbox) throw new SoukError('sandbox_only')
  if (!(await findUser(context.sql, uid))) throw new SoukError('user_not_found')
  return inboxPage(context.sql, uid)
}
