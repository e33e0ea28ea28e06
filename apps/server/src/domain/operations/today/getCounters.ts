import { type consoleOperations, maxCounter, type ParametersOf, type ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import { isAdministrator } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { listQueueRows } from '../../miniApps/index.ts'
import { countOpenReports, findProjectCounters } from './store.ts'

type Operation = (typeof consoleOperations)['getCounters']

/** Counts what waits for a member of a project and, for administrators, in the installation. */
export async function getCounters(
  { sql }: Context,
  caller: ConsoleCaller,
  { projectId }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const waiting = { kind: undefined, state: 'waiting', sort: undefined, before: undefined, limit: maxCounter } as const
  const [ofProject, reviews, reports] = await Promise.all([
    findProjectCounters(sql, projectId, maxCounter),
    isAdministrator(caller) ? listQueueRows(sql, waiting) : null,
    isAdministrator(caller) ? countOpenReports(sql, maxCounter) : null,
  ])
  return { ...ofProject, reviews: reviews ? reviews.length : null, reports }
}
