import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listReleaseRows } from './store.ts'

type Operation = typeof consoleOperations.listReleases

/** The releases of a mini app, newest first; never more than a mini app can have. */
export async function listReleases(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  return listReleaseRows(context.sql, appid)
}
