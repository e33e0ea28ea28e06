import {
  type consoleOperations,
  hour,
  day as oneDay,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { readCursor, readPage } from '../../../../kernel/db/page.ts'
import type { Tx } from '../../../../kernel/db/pool.ts'
import { newId } from '../../../../kernel/id.ts'
import { enqueue, sharedQueue } from '../../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { appidsEverOf } from '../../../miniApps/index.ts'
import type { Attempt, ProviderResult } from '../../payments/index.ts'
import { providerAccountName } from '../ledger.store.ts'
import { findDifference } from './compareDay.ts'
import {
  claimStalled,
  type DayScope,
  findLatestDay,
  findLedgerAttempt,
  findReconciliation,
  insertReconciliation,
  listDayScopes,
  listDifferences,
  listReconciliations,
  updateReconciliationToRunning,
} from './store.ts'

type Operations = typeof consoleOperations

/** Delay after the end of a day, so that payments in flight at midnight have finished, in ms. */
const gracePeriod = hour
/** Maximum number of missed days that are compared later. */
const maxDays = 31

/**
 * Recurring job: starts the comparison of each past day (UTC), once, for every merchant and provider with payments or
 * completed refunds on it. Enqueues stalled comparisons again once a day.
 */
export async function reconcileDays(context: Context): Promise<void> {
  const to = dayOf(context.clock.now() - gracePeriod)
  const from = Math.max((await findLatestDay(context.sql, to)) ?? 0, to - maxDays * oneDay)
  // Finding days without attempts reads 31 days of payments. They were started together with the latest day.
  const scopes = await listDayScopes(context.sql, { from, to, withoutAttempts: from < to - oneDay })
  await startComparisons(context, scopes, { again: false })
  await context.sql.begin(async (tx) => {
    const now = context.clock.now()
    for (const id of await claimStalled(tx, { before: now - oneDay, now })) await enqueueComparison(tx, id)
  })
}

/**
 * Compares the day of an attempt again if a provider result differs from the ledger, for instance because of a refund
 * that was made in the provider's own console.
 */
export async function recompareDay(context: Context, attempt: Attempt, reported: ProviderResult): Promise<void> {
  const ledgerAttempt = await findLedgerAttempt(context.sql, attempt)
  if (!ledgerAttempt || !findDifference(ledgerAttempt, reported)) return
  const scope = { appid: attempt.appid, account: providerAccountName(attempt), day: dayOf(attempt.ctime) }
  await context.sql.begin(async (tx) => {
    const reopened = await updateReconciliationToRunning(tx, { ...scope, now: context.clock.now() })
    if (reopened !== undefined) await enqueueComparison(tx, reopened)
  })
}

/**
 * Starts the comparison of a day of a project's payments again.
 * @throws SoukError `parameter_invalid` for a day that is not over
 */
export async function reconcileDay(
  context: Context,
  caller: ConsoleCaller,
  { projectId, day }: ParametersOf<Operations['reconcileDay']>,
): Promise<ResultOf<Operations['reconcileDay']>> {
  const from = dayOf(day)
  if (from + oneDay > context.clock.now())
    throw new SoukError('parameter_invalid', 'day must be in the past.', { data: { parameters: ['day'] } })
  const appids = await appidsEverOf(context, projectId, undefined)
  // Missed days are those since the latest compared day, so they must be started before this one.
  await reconcileDays(context)
  const started = await startComparisons(
    context,
    await listDayScopes(context.sql, { from, to: from + oneDay, appids, withoutAttempts: true }),
    {
      again: true,
    },
  )
  await context.sql.begin((tx) =>
    audit(context, tx, caller, {
      action: 'reconciliation.begin',
      subject: String(from),
      projectId,
      detail: { begun: started },
    }),
  )
  return started
}

/** Lists reconciliations of a project, newest first. @throws SoukError `app_not_found` */
export async function searchReconciliations(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchReconciliations']>,
): Promise<ResultOf<Operations['searchReconciliations']>> {
  const { projectId, appid, differing, cursor, ...page } = input
  const appids = await appidsEverOf(context, projectId, appid)
  const [day, reconciliationId] = readCursor(cursor, ['number', 'id'])
  const before = day === undefined ? undefined : { day, reconciliationId }
  return readPage(context.sql, page, {
    list: (part) => listReconciliations(context.sql, appids, { differing, ...part }),
    before,
    keyOf: (row) => [row.day, row.reconciliationId],
  })
}

/** Returns a reconciliation with its differences. @throws SoukError `reconciliation_not_found` */
export async function getReconciliation(
  context: Context,
  _caller: ConsoleCaller,
  { reconciliationId }: ParametersOf<Operations['getReconciliation']>,
): Promise<ResultOf<Operations['getReconciliation']>> {
  const reconciliation = await findReconciliation(context.sql, reconciliationId)
  if (!reconciliation) throw new SoukError('reconciliation_not_found')
  return { reconciliation, differences: await listDifferences(context.sql, reconciliationId) }
}

/** Returns the appid of a reconciliation. */
export async function appOfReconciliation(context: Context, reconciliationId: string): Promise<string | undefined> {
  return (await findReconciliation(context.sql, reconciliationId))?.appid
}

async function startComparisons(
  context: Context,
  scopes: readonly DayScope[],
  { again }: { again: boolean },
): Promise<number> {
  return context.sql.begin(async (tx) => {
    let started = 0
    for (const scope of scopes) {
      const reconciliationId = await insertReconciliation(tx, newId(), scope, { now: context.clock.now(), again })
      if (reconciliationId === undefined) continue
      await enqueueComparison(tx, reconciliationId)
      started++
    }
    return started
  })
}

/** The comparisons of a day start at the same time. Refunds and mails must not wait for all of them. */
async function enqueueComparison(tx: Tx, reconciliationId: string): Promise<void> {
  const queue = sharedQueue('compareDay', reconciliationId)
  await enqueue(tx, { name: 'compareDay', payload: { reconciliationId }, key: reconciliationId, queue })
}

function dayOf(time: number): number {
  return Math.floor(time / oneDay) * oneDay
}
