import type { Context } from '../context.ts'
import { deleteRequestsBefore } from './store.ts'

/**
 * How long a sent request is remembered, in ms of real time. A request may carry a timestamp 5 minutes ahead and is
 * accepted until that is 5 minutes past: 10 minutes in all. The rest is for clocks of several servers that differ.
 */
const REMEMBERED = 15 * 60_000

/** Job: forgets the requests that are too old to be accepted again. */
export async function pruneNotificationRequests(context: Context): Promise<void> {
  await deleteRequestsBefore(context.sql, context.clock.real() - REMEMBERED)
}
