import { day, hour, minute, second } from '@souk/contract'
import { pruneAccounts } from './domain/console/accounts/index.ts'
import { pruneInvitations } from './domain/console/projects/index.ts'
import { revokeSuspended } from './domain/console/signOn/index.ts'
import type { Context } from './domain/context.ts'
import { archiveOldMonths } from './domain/installation/archives/index.ts'
import { logAuditHead } from './domain/installation/audit/index.ts'
import { advanceKeyRotation } from './domain/installation/keyRing/index.ts'
import { pruneLimitCounts } from './domain/installation/limitCounts.ts'
import { collectObjects } from './domain/installation/storage/index.ts'
import { disableFailingEndpoints, pruneEvents } from './domain/messages/events/index.ts'
import { pruneMails } from './domain/messages/mail/index.ts'
import { pruneActivities } from './domain/miniApps/activities/index.ts'
import { watchAlerts } from './domain/miniApps/alerts/index.ts'
import {
  countEvents,
  countRecentTrades,
  countReturningUsers,
  countTodaysTrades,
  pruneAnalytics,
} from './domain/miniApps/analytics/index.ts'
import { pruneBatches } from './domain/miniApps/datasets/index.ts'
import { pruneFeedback } from './domain/miniApps/feedback/index.ts'
import { pruneInspections } from './domain/miniApps/inspections/index.ts'
import { publishScheduledReleases, watchCanaries } from './domain/miniApps/releases/index.ts'
import { pruneRequestLog } from './domain/miniApps/requestLog/index.ts'
import { pruneUsedSigns } from './domain/miniApps/usedSigns.ts'
import { disableFailingReceivers } from './domain/money/callbacks/index.ts'
import { reconcileDays, returnOwedMoney } from './domain/money/ledger/index.ts'
import { queryPendingAttempts } from './domain/money/payments/index.ts'
import { expireTrades } from './domain/money/trades/index.ts'
import { pruneOauth } from './domain/users/oauth/index.ts'
import { createPartitions } from './kernel/db/partitions.ts'

/** Creates partitions in advance. Rows without one go to the default partition, so a failure stops nothing. */
export async function addPartitions({ sql, clock, log }: Context): Promise<void> {
  try {
    const created = await createPartitions(sql, clock.real())
    if (created.length > 0) log.info({ created }, 'created partitions')
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'cannot create partitions; trying again within an hour')
  }
}

function archiveMonths(context: Context, { url, folder, retention }: Archiving): Promise<void> {
  return archiveOldMonths({ context, url, folder }, retention, context.log)
}

/** The database of this installation, and where and after how many months archives are written. */
interface Archiving {
  url: string
  folder: string
  retention: number
}

/**
 * Jobs that run once per period, which is in ms. None runs in a process whose clock is wrong; the table in
 * docs/adr/0344-clocks.md says why.
 */
export const recurringJobs: Record<
  string,
  [run: (context: Context, archiving: Archiving) => Promise<void>, every: number]
> = {
  expireTrades: [expireTrades, 10 * second],
  publishScheduledReleases: [publishScheduledReleases, 30 * second],
  watchCanaries: [watchCanaries, 30 * second],
  queryPendingAttempts: [queryPendingAttempts, 15 * second],
  returnOwedMoney: [returnOwedMoney, hour],
  reconcileDays: [reconcileDays, 15 * minute],
  createPartitions: [addPartitions, hour],
  pruneRequestLog: [pruneRequestLog, hour],
  watchAlerts: [watchAlerts, minute],
  countEvents: [countEvents, minute],
  countReturningUsers: [countReturningUsers, hour],
  countTodaysTrades: [countTodaysTrades, minute],
  countRecentTrades: [countRecentTrades, hour],
  pruneAnalytics: [pruneAnalytics, hour],
  pruneUsedSigns: [pruneUsedSigns, 10 * minute],
  pruneInspections: [pruneInspections, minute],
  pruneLimitCounts: [pruneLimitCounts, minute],
  collectObjects: [collectObjects, hour],
  pruneActivities: [pruneActivities, 10 * minute],
  pruneOauth: [pruneOauth, hour],
  pruneAccounts: [pruneAccounts, hour],
  revokeSuspended: [revokeSuspended, hour],
  pruneInvitations: [pruneInvitations, hour],
  pruneMails: [pruneMails, hour],
  pruneBatches: [pruneBatches, hour],
  pruneEvents: [pruneEvents, hour],
  pruneFeedback: [pruneFeedback, hour],
  disableFailingReceivers: [disableFailingReceivers, 10 * minute],
  disableFailingEndpoints: [disableFailingEndpoints, 10 * minute],
  logAuditHead: [logAuditHead, hour],
  archiveOldMonths: [archiveMonths, day],
  advanceKeyRotation: [advanceKeyRotation, 15 * second],
}
