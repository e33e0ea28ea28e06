import { hour, minute } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { disableFailingEndpoints, pruneEvents } from './events/index.ts'
import { deliverMail, pruneMails } from './mail/index.ts'

export const messagesJobs: Jobs = {
  recurring: {
    pruneMails: [pruneMails, hour],
    pruneEvents: [pruneEvents, hour],
    disableFailingEndpoints: [disableFailingEndpoints, 10 * minute],
  },
  queued: {
    deliverMail: (context, { mailId }) => deliverMail(context, String(mailId)),
    // Of processes of the previous version; the dispatcher delivers what is due.
    deliverEvent: async () => {},
    deliverDueEvents: async () => {},
  },
}
