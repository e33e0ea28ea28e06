import type { Context } from '../context.ts'
import { lockoutMemory } from './lockout.ts'
import { deleteEnded } from './store.ts'

/** Deletes sessions, tokens and links that have ended, and failures that are forgotten. A job. */
export async function pruneAccounts(context: Context): Promise<void> {
  const now = context.clock.real()
  await deleteEnded(context.sql, now, now - lockoutMemory)
}
