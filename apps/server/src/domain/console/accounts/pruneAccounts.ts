import type { Context } from '../../context.ts'
import { deleteExpiredChallenges } from './factors/store.ts'
import { maxFailureAge } from './lockout.ts'
import { deleteExpired } from './store.ts'

/** Job: deletes expired sessions, tokens, links and challenges, and failures that no longer count. */
export async function pruneAccounts(context: Context): Promise<void> {
  const now = context.clock.real()
  await deleteExpiredChallenges(context.sql, now)
  await deleteExpired(context.sql, now, now - maxFailureAge)
}
