import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listWithAttempts } from './store.ts'

type ListCallbacks = typeof consoleOperations.listCallbacks

/** Lists callbacks of an app with their attempts, newest first. @throws SoukError `app_not_found` */
export async function listCallbacks(
  context: Context,
  _caller: ConsoleCaller,
  { appid, state, tradeNo, limit = 100 }: ParametersOf<ListCallbacks>,
): Promise<ResultOf<ListCallbacks>> {
  if (!(await context.apps.find(appid))) throw new SoukError('app_not_found')
  return listWithAttempts(context.sql, { appid, state, tradeNo, limit })
}
