import { type Capability, SoukError } from '@souk/contract'
import type { App } from '../../app.ts'
import type { Context } from '../../context.ts'
import { listOpenIds, upsertOpenIds } from '../../users/index.ts'

/**
 * Returns the openIds of these users under the mini app, for a test message from the console. In a sandbox, missing
 * openIds are created; in a live installation, a mini app reaches only users that have one.
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
    throw new SoukError('capability_missing', `Enable the capability ${capability} in the settings of the mini app.`)
  }
  return (context.settings.sandbox ? upsertOpenIds : listOpenIds)(context.sql, app.appid, uids)
}
