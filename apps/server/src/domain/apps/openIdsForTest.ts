import { type Capability, SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { knownOpenIds, openIdsOf } from '../identity/index.ts'
import type { App } from './app.ts'

/**
 * The mini app and the openIds of these users under it, for a message that is sent from the console. A sandbox's mock users
 * are everybody's; in a live installation a mini app reaches only users that it knows already.
 *
 * @throws SoukError `app_not_found`, `capability_missing`
 */
export async function openIdsForTest(
  context: Context,
  appid: string,
  capability: Capability,
  uids: readonly number[],
): Promise<{ app: App; openIds: string[] }> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found')
  if (!app.capabilities.has(capability)) {
    throw new SoukError('capability_missing', `This mini app has no capability ${capability}; its settings grant it.`)
  }
  const openIds = await (context.settings.sandbox ? openIdsOf : knownOpenIds)(context.sql, appid, uids)
  return { app, openIds }
}
