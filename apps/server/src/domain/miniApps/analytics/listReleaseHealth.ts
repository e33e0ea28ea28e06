import { type consoleOperations, day, type ParametersOf, type ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listHealth } from './releaseHealth.store.ts'

type Operation = (typeof consoleOperations)['listReleaseHealth']

/** Days after its publication in which a release is listed, and days before it that it is compared with. */
const listedDays = 30
const comparedDays = 7
const maxReleases = 20

/** Lists the newest releases of a project with their failures, and those of the mini app before their publication. */
export async function listReleaseHealth(
  { sql, clock }: Context,
  _caller: ConsoleCaller,
  { projectId }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  return listHealth(sql, projectId, {
    now: clock.real(),
    publishedAfter: clock.now() - listedDays * day,
    compared: comparedDays * day,
    limit: maxReleases,
  })
}
