import { day, errorRecordingLimits, hour } from '@souk/contract'
import { dropPartitionsBefore } from '../../../kernel/db/partitions.ts'
import type { Context } from '../../context.ts'
import {
  deleteOld,
  deleteUnpartitionedEvents,
  lockProgress,
  updateProgress,
  upsertDays,
  upsertHours,
  upsertLoyalty,
  upsertTotals,
  upsertUsers,
} from './counts.store.ts'
import { deleteRecordingsBefore } from './errorRecordings.store.ts'
import { maxDelay } from './recordEvents.ts'
import { eventsTable } from './store.ts'

/** Days for which events are stored one by one, and their counts per hour. */
export const eventDays = 7
const hourDays = 62

/** Hours that are counted in one transaction, since a statement that counts all of an interruption could time out. */
const maxHours = 6

/**
 * Job: counts new events per hour and per day. Counts whole hours again, so it can be repeated, and catches up after an
 * interruption. Does nothing while another process counts.
 */
export async function countEvents(context: Context): Promise<void> {
  while (await countNextHours(context));
}

/** Returns whether more hours are left to count. */
async function countNextHours({ sql, clock }: Context): Promise<boolean> {
  return sql.begin(async (tx) => {
    const now = clock.real()
    // Reports of the last minutes can still arrive.
    const open = Math.floor((now - maxDelay) / hour) * hour
    const from = await lockProgress(tx, open)
    if (from === undefined) return false
    const to = Math.min(now + 1, from + maxHours * hour)
    await upsertHours(tx, from, to)
    await upsertDays(tx, Math.floor(from / day) * day, to)
    await upsertTotals(tx, Math.floor(from / day) * day, to)
    await upsertUsers(tx, Math.floor(from / day))
    await updateProgress(tx, Math.min(to, open))
    return to <= now
  })
}

/** Job: counts the users of a week and of a month, and those who came back. */
export async function countReturningUsers({ sql, clock }: Context): Promise<void> {
  const today = Math.floor(clock.real() / day)
  await upsertLoyalty(sql, today)
}

/** Job: deletes what is older than its retention. */
export async function pruneAnalytics({ sql, clock, retention }: Context<'retention'>): Promise<void> {
  const now = clock.real()
  const before = now - eventDays * day
  await dropPartitionsBefore(sql, eventsTable, before)
  await deleteUnpartitionedEvents(sql, before)
  await deleteRecordingsBefore(sql, now - errorRecordingLimits.days * day)
  await deleteOld(sql, { hoursBefore: now - hourDays * day, daysBefore: now - retention.analytics * day })
}
