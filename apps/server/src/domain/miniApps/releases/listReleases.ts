import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listReleaseRows } from './store.ts'

type Operation = typeof consoleOperations.listReleases

/** Lists all releases of a mini app, newest first. Their number is limited. */
export async function listReleases(
  context: Context<'web'>,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  return listReleaseRows(context, appid)
}
