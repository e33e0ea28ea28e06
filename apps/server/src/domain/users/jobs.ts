import { hour } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { pruneOauth } from './oauth/index.ts'
import { pruneAttributes } from './scopes/index.ts'

export const usersJobs: Jobs = {
  recurring: {
    pruneOauth: [pruneOauth, hour],
    pruneAttributes: [pruneAttributes, hour],
  },
}
