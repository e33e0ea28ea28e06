import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf, listAppNames } from '../../miniApps/index.ts'
import { existsBalances, insertBalances, listBalances, upsertBalances } from './ledger.store.ts'

type Operation = typeof consoleOperations.ledgerBalances

/**
 * Returns the balances of a project's merchants and their pending refunds.
 * @throws SoukError `app_not_found`, `balances_incomplete` until {@link addUpLedger} has added up the entries from
 *   before balances were kept
 */
export async function ledgerBalances(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appids = await appidsEverOf(context, projectId, appid)
  if (!(await existsBalances(context.sql))) throw new SoukError('balances_incomplete', 'Try again in a few minutes.')
  const [balances, names] = await Promise.all([listBalances(context.sql, appids), listAppNames(context.sql, appids)])
  return balances.map((balance) => ({ ...balance, appName: names.get(balance.appid) ?? balance.appid }))
}

/** Number of changes that are added up by one statement. */
const batchSize = 5000

/**
 * Job: adds up the entries from before balances were kept, once, and adds changes of the ledger to the balances, so
 * that few are left for {@link ledgerBalances} to add up.
 */
export async function addUpLedger({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await insertBalances(sql)
  while ((await upsertBalances(sql, batchSize)) === batchSize);
}
