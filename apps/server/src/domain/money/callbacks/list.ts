import { type consoleOperations, day, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { recentDays } from './search.ts'
import { listIdsOfTrade, listWithAttempts } from './store.ts'

type ListCallbacks = typeof consoleOperations.listCallbacks

/** Lists callbacks of an app with their attempts, newest first. @throws SoukError `app_not_found` */
export async function listCallbacks(
  context: Context,
  _caller: ConsoleCaller,
  { appid, state, tradeNo, limit = 100 }: ParametersOf<ListCallbacks>,
): Promise<ResultOf<ListCallbacks>> {
  if (!(await context.apps.find(appid))) throw new SoukError('app_not_found')
  if (tradeNo !== undefined) {
    const notifyIds = await listIdsOfTrade(context.sql, [appid], tradeNo)
    return notifyIds.length === 0 ? [] : listWithAttempts(context.sql, { appid, state, notifyIds, limit })
  }
  // As in searchCallbacks. Numbers have the wall clock.
  const recent = await listWithAttempts(context.sql, { appid, state, since: Date.now() - recentDays * day, limit })
  return recent.length === limit ? recent : listWithAttempts(context.sql, { appid, state, limit })
}
