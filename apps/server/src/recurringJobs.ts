import { day, hour, minute, second } from '@souk/contract'
import { pruneAccounts, pruneInvitations, revokeSuspended } from './domain/console/index.ts'
import type { Context } from './domain/context.ts'
import {
  advanceKeyRotation,
  archiveOldMonths,
  collectObjects,
  logAuditHead,
  pruneLimitCounts,
} from './domain/installation/index.ts'
import { disableFailingEndpoints, pruneEvents, pruneMails } from './domain/messages/index.ts'
import {
  countEvents,
  countRecentTrades,
  countReturningUsers,
  countTodaysTrades,
  pruneActivities,
  pruneAnalytics,
  pruneBatches,
  pruneFeedback,
  pruneInspections,
  pruneRequestLog,
  pruneUsedSigns,
  publishScheduledReleases,
  watchAlerts,
  watchCanaries,
} from './domain/miniApps/index.ts'
import {
  disableFailingReceivers,
  expireTrades,
  queryPendingAttempts,
  reconcileDays,
  returnOwedMoney,
} from './domain/money/index.ts'
import { pruneOauth } from './domain/users/index.ts'
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
