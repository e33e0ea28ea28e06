import { type Capability, SoukError } from '@souk/contract'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { ensureOpenIds, listOpenIds } from '../identity/index.ts'

/**
 * The openIds of these users under the mini app, for a message that is sent from the console. A sandbox's mock users are
 * everybody's; in a live installation a mini app reaches only users that it knows already.
 *
 * @throws SoukError `capability_missing`
 */
export async function findOpenIds(
  context: Context,
  app: App,
  capability: Capability,
  uids: readonly number[],
): Promise<string[]> {
  if (!app.capabilities.has(capability)) {
    throw new SoukError('capability_missing', `This mini app has no capability ${capability}; its settings grant it.`)
  }
  return (context.settings.sandbox ? ensureOpenIds : listOpenIds)(context.sql, app.appid, uids)
}
