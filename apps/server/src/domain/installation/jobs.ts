import { hour, minute, second } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { logAuditHead } from './audit/index.ts'
import { advanceKeyRotation, resealValues } from './keyRing/index.ts'
import { pruneLimitCounts } from './limitCounts.ts'
import { collectObjects } from './storage/index.ts'

export const installationJobs: Jobs = {
  recurring: {
    pruneLimitCounts: [pruneLimitCounts, minute],
    collectObjects: [collectObjects, hour],
    logAuditHead: [logAuditHead, hour],
    advanceKeyRotation: [advanceKeyRotation, 15 * second],
  },
  queued: {
    resealValues: (context) => resealValues(context),
  },
}
