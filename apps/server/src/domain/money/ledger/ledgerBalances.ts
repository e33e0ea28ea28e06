import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf, listAppNames } from '../../miniApps/index.ts'
import { existsBalances, insertBalances, listBalances, upsertBalances } from './ledger.store.ts'

type Operation = typeof consoleOperations.ledgerBalances

/** Returns the balances of a project's merchants and their pending refunds. @throws SoukError `app_not_found` */
export async function ledgerBalances(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appids = await appidsEverOf(context, projectId, appid)
  if (!(await existsBalances(context.sql))) await insertBalances(context.sql)
  const [balances, names] = await Promise.all([listBalances(context.sql, appids), listAppNames(context.sql, appids)])
  return balances.map((balance) => ({ ...balance, appName: names.get(balance.appid) ?? balance.appid }))
}

/** Number of changes that are added up by one statement. */
const batchSize = 5000

/** Job: adds changes of the ledger to the balances, so that few are left for {@link ledgerBalances} to add up. */
export async function addUpLedger({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await insertBalances(sql)
  while ((await upsertBalances(sql, batchSize)) === batchSize);
}
