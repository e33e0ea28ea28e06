import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import { appidsOf } from '../../apps/index.ts'
import { audit } from '../../audit/index.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { pageOf, readCursor } from '../../page.ts'
import type { Attempt, ProviderResult } from '../../payments/index.ts'
import { providerAccountName } from '../ledger.ts'
import { differenceOf } from './compareDay.ts'
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
  reopenReconciliation,
} from './store.ts'

type Operations = typeof consoleOperations

const day_ = 86_400_000
/** How long after its end a day is compared: payments that are under way at midnight are over by then. */
const grace = 3_600_000
/** How many days are made up for, where the server did not run. */
const mostDays = 31

/**
 * The recurring job `reconcileDays`: begins to compare each day (UTC) that is over, for every merchant and provider that had
 * payments on it or refunds that ended. A day is begun once. What its job has given up is put in the queue again, each day.
 */
export async function reconcileDays(context: Context): Promise<void> {
  const to = dayOf(context.clock.now() - grace)
  const from = Math.max((await findLatestDay(context.sql)) ?? 0, to - mostDays * day_)
  if (from < to) await begin(context, await listDayScopes(context.sql, { from, to }), { again: false })
  await context.sql.begin(async (tx) => {
    const now = context.clock.now()
    for (const id of await claimStalled(tx, { before: now - day_, now })) await enqueueComparison(context, tx, id)
  })
}

/**
 * A provider has spoken of a payment that was compared already. Where it says something else than the ledger, somebody has
 * refunded at the provider's own desk, for instance, the day is compared again.
 */
export async function recompareDay(context: Context, attempt: Attempt, told: ProviderResult): Promise<void> {
  const booked = await findLedgerAttempt(context.sql, attempt)
  if (!booked || !differenceOf(booked, told)) return
  const lot = { appid: attempt.appid, account: providerAccountName(attempt), day: dayOf(attempt.ctime) }
  await context.sql.begin(async (tx) => {
    const reopened = await reopenReconciliation(tx, { ...lot, now: context.clock.now() })
    if (reopened !== undefined) await enqueueComparison(context, tx, reopened)
  })
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
  if (from + day_ > context.clock.now())
    throw new SoukError('parameter_invalid', 'day must be one that is over.', { data: { parameters: ['day'] } })
  const appids = await appidsOf(context, projectId, undefined)
  // Days that were missed are those since the latest one, which this may be.
  await reconcileDays(context)
  const begun = await begin(context, await listDayScopes(context.sql, { from, to: from + day_, appids }), {
    again: true,
  })
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
  const found = await listReconciliations(context.sql, appids, { differing, before, limit: limit + 1 })
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
  return { reconciliation, differences: await listDifferences(context.sql, reconciliationId) }
}

/** The mini app that leads to the project of a reconciliation. */
export async function appOfReconciliation(context: Context, reconciliationId: string): Promise<string | undefined> {
  return (await findReconciliation(context.sql, reconciliationId))?.appid
}

async function begin(context: Context, lots: readonly DayScope[], { again }: { again: boolean }): Promise<number> {
  return context.sql.begin(async (tx) => {
    let begun = 0
    for (const lot of lots) {
      const reconciliationId = await insertReconciliation(tx, newId(), lot, { now: context.clock.now(), again })
      if (reconciliationId === undefined) continue
      await enqueueComparison(context, tx, reconciliationId)
      begun++
    }
    return begun
  })
}

async function enqueueComparison({ clock }: Context, tx: Tx, reconciliationId: string): Promise<void> {
  await enqueue(tx, clock, { name: 'compareDay', payload: { reconciliationId }, key: reconciliationId })
}

function dayOf(time: number): number {
  return Math.floor(time / day_) * day_
}
