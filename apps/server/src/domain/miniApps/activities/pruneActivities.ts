import type { Context } from '../../context.ts'
import { deleteExpired } from './store.ts'

/** Job: deletes the activity messages whose validityTime has passed. They are already hidden. */
export async function pruneActivities(context: Context): Promise<void> {
  await deleteExpired(context.sql, context.clock.now())
}
