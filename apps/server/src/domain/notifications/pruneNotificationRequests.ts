import { minute } from '@souk/contract'
import type { Context } from '../context.ts'
import { deleteRequestsBefore } from './store.ts'

/**
 * Retention of sent requests in real time. A timestamp may be 5 minutes ahead and is accepted until 5 minutes after it,
 * 10 minutes in all; the rest allows for clock differences between servers.
 */
const retention = 15 * minute

/** Job: deletes the requests that are too old to be accepted again. */
export async function pruneNotificationRequests(context: Context): Promise<void> {
  await deleteRequestsBefore(context.sql, context.clock.real() - retention)
}
