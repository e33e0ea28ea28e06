import { hour, minute, second } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { pruneActivities } from './activities/index.ts'
import { watchAlerts } from './alerts/index.ts'
import {
  countEvents,
  countFunnels,
  countRecentTrades,
  countReturningUsers,
  countTodaysTrades,
  pruneAnalytics,
} from './analytics/index.ts'
import { clearDataset, pruneBatches } from './datasets/index.ts'
import { pruneFeedback } from './feedback/index.ts'
import { pruneInspections } from './inspections/index.ts'
import { publishScheduledReleases, watchCanaries } from './releases/index.ts'
import { pruneRequestLog } from './requestLog/index.ts'
import { pruneUsedSigns } from './usedSigns.ts'

export const miniAppsJobs: Jobs = {
  recurring: {
    publishScheduledReleases: [publishScheduledReleases, 30 * second],
    watchCanaries: [watchCanaries, 30 * second],
    watchAlerts: [watchAlerts, minute],
    countEvents: [countEvents, minute],
    countFunnels: [countFunnels, 10 * minute],
    countReturningUsers: [countReturningUsers, hour],
    countTodaysTrades: [countTodaysTrades, minute],
    countRecentTrades: [countRecentTrades, hour],
    pruneAnalytics: [pruneAnalytics, hour],
    pruneRequestLog: [pruneRequestLog, hour],
    pruneUsedSigns: [pruneUsedSigns, 10 * minute],
    pruneInspections: [pruneInspections, minute],
    pruneActivities: [pruneActivities, 10 * minute],
    pruneBatches: [pruneBatches, hour],
    pruneFeedback: [pruneFeedback, hour],
  },
  queued: {
    clearDataset: (context, { datasetId }) => clearDataset(context, String(datasetId)),
  },
}
