import type { Context } from '../context.ts'
import { maxFailureAge } from './lockout.ts'
import { deleteExpired } from './store.ts'

/** Job: deletes expired sessions, tokens and links, and failures that no longer count. */
export async function pruneAccounts(context: Context): Promise<void> {
  const now = context.clock.real()
  await deleteExpired(context.sql, now, now - maxFailureAge)
}
