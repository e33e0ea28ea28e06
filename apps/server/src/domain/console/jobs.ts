import { hour } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { pruneAccounts, sendRequestedReset } from './accounts/index.ts'
import { pruneInvitations } from './projects/index.ts'
import { revokeSuspended } from './signOn/index.ts'

export const consoleJobs: Jobs = {
  recurring: {
    pruneAccounts: [pruneAccounts, hour],
    revokeSuspended: [revokeSuspended, hour],
    pruneInvitations: [pruneInvitations, hour],
  },
  queued: {
    sendRequestedReset: (context, { username }) => sendRequestedReset(context, String(username)),
  },
}
