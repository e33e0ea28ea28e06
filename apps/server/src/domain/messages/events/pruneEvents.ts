import { day } from '@souk/contract'
import type { Context } from '../../context.ts'
import { deleteErasedIdentities, deleteOldEvents } from './store.ts'

/** Retention of events, in ms. */
const retention = 30 * day
const batchSize = 1_000

/** Job: deletes old events with their deliveries, and identities of erased users that endpoints have been told. */
export async function pruneEvents(context: Context<'stopping'>): Promise<void> {
  await deleteErasedIdentities(context.sql)
  const time = context.clock.now() - retention
  while (!context.stopping.aborted) {
    if ((await deleteOldEvents(context.sql, time, batchSize)) < batchSize) return
  }
}
