import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf } from '../../miniApps/index.ts'
import { listBalances } from './ledger.store.ts'

type Operation = typeof consoleOperations.ledgerBalances

/** Returns the balances of a project's merchants and their pending refunds. @throws SoukError `app_not_found` */
export async function ledgerBalances(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  return listBalances(context.sql, await appidsEverOf(context, projectId, appid))
}
