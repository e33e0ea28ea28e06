import { hour, minute, second } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { logAuditHead } from './audit/index.ts'
import { advanceKeyRotation, resealValues } from './keyRing/index.ts'
import { deleteLimitCounts } from './limitCounts.store.ts'
import { collectObjects } from './storage/index.ts'

export const installationJobs: Jobs = {
  recurring: {
    pruneLimitCounts: [({ sql, clock }) => deleteLimitCounts(sql, clock.real()), minute],
    collectObjects: [collectObjects, hour],
    logAuditHead: [logAuditHead, hour],
    advanceKeyRotation: [advanceKeyRotation, 15 * second],
  },
  queued: {
    resealValues: (context) => resealValues(context),
  },
}
