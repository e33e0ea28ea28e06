import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deliverNow } from '../../messages/index.ts'
import { callbackQueue } from './deliver.ts'
import { callbackNotFound } from './notFound.ts'
import { findCallback, listWithAttempts } from './store.ts'

type ReplayCallback = typeof consoleOperations.replayCallback

/**
 * Delivers a callback again in any state, and returns it with the new attempt. The schedule continues unless the
 * callback is acknowledged.
 *
 * @throws SoukError `callback_not_found`, `callback_archived`
 */
export async function replayCallback(
  context: Context<'sendMessage' | 'vault'>,
  caller: ConsoleCaller,
  { notifyId }: ParametersOf<ReplayCallback>,
): Promise<ResultOf<ReplayCallback>> {
  const callback = await findCallback(context.sql, notifyId)
  if (!callback) throw await callbackNotFound(context, notifyId)
  const projectId = (await context.apps.find(callback.appid))?.projectId
  await context.sql.begin((tx) =>
    audit(context, tx, caller, { action: 'callback.replay', subject: notifyId, projectId }),
  )
  await deliverNow(context, callbackQueue, callback)
  const [replayed] = await listWithAttempts(context.sql, { appid: callback.appid, notifyIds: [notifyId], limit: 1 })
  return replayed!
}
