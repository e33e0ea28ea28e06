import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import { appidsOf } from '../../apps/index.ts'
import { audit } from '../../audit/index.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { pageOf, readCursor } from '../../page.ts'
import {
  findReconciliation,
  insertReconciliation,
  type Lot,
  selectDifferences,
  selectLatestDay,
  selectLots,
  selectReconciliations,
} from './store.ts'

type Operations = typeof consoleOperations

const DAY = 86_400_000
/** How long after its end a day is compared: payments that are under way at midnight are over by then. */
const grace = 3_600_000
/** How many days are made up for, where the server did not run. */
const mostDays = 31

/**
 * The recurring job `reconcileDays`: begins to compare each day (UTC) that is over, for every merchant and processor that had
 * payments on it. A day is begun once.
 */
export async function reconcileDays(context: Context): Promise<void> {
  const to = dayOf(context.clock.now() - grace)
  const from = Math.max((await selectLatestDay(context.sql)) ?? 0, to - mostDays * DAY)
  if (from < to) await begin(context, await selectLots(context.sql, { from, to }), { again: false })
}

/**
 * Compares a day of a project's payments once more.
 * @throws SoukError `parameter_invalid` for a day that is not over
 */
export async function reconcileDay(
  context: Context,
  caller: ConsoleCaller,
  { projectId, day }: ParametersOf<Operations['reconcileDay']>,
): Promise<ResultOf<Operations['reconcileDay']>> {
  const from = dayOf(day)
  if (from + DAY > context.clock.now())
    throw new SoukError('parameter_invalid', 'day must be one that is over.', { data: { parameters: ['day'] } })
  const appids = await appidsOf(context, projectId, undefined)
  const begun = await begin(context, await selectLots(context.sql, { from, to: from + DAY, appids }), { again: true })
  await context.sql.begin((tx) =>
    audit(context, tx, caller, { action: 'reconciliation.begin', subject: String(from), projectId, detail: { begun } }),
  )
  return begun
}

/** Days of a project's payments, newest first. @throws SoukError `app_not_found` */
export async function searchReconciliations(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchReconciliations']>,
): Promise<ResultOf<Operations['searchReconciliations']>> {
  const { projectId, appid, differing, cursor, limit = 50 } = input
  const appids = await appidsOf(context, projectId, appid)
  const [day, reconciliationId] = readCursor(cursor, ['number', 'id'])
  const before = day === undefined ? undefined : { day, reconciliationId }
  const found = await selectReconciliations(context.sql, appids, { differing, before, limit: limit + 1 })
  return pageOf(found, limit, (row) => [row.day, row.reconciliationId])
}

/** One reconciliation with every difference. @throws SoukError `reconciliation_not_found` */
export async function getReconciliation(
  context: Context,
  _caller: ConsoleCaller,
  { reconciliationId }: ParametersOf<Operations['getReconciliation']>,
): Promise<ResultOf<Operations['getReconciliation']>> {
  const reconciliation = await findReconciliation(context.sql, reconciliationId)
  if (!reconciliation) throw new SoukError('reconciliation_not_found')
  return { reconciliation, differences: await selectDifferences(context.sql, reconciliationId) }
}

/** The mini app that leads to the project of a reconciliation. */
export async function appOfReconciliation(context: Context, reconciliationId: string): Promise<string | undefined> {
  return (await findReconciliation(context.sql, reconciliationId))?.appid
}

async function begin(context: Context, lots: readonly Lot[], { again }: { again: boolean }): Promise<number> {
  return context.sql.begin(async (tx) => {
    let begun = 0
    for (const lot of lots) {
      const reconciliationId = await insertReconciliation(tx, newId(), lot, { now: context.clock.now(), again })
      if (reconciliationId === undefined) continue
      await enqueue(tx, context.clock, { name: 'compareDay', payload: { reconciliationId }, key: reconciliationId })
      begun++
    }
    return begun
  })
}

function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY
}
