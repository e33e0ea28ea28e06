import type { Context } from '../context.ts'
import { lockoutMemory } from './lockout.ts'
import { deleteExpired } from './store.ts'

/** Deletes sessions, tokens and links that have ended, and failures that are forgotten. A job. */
export async function pruneAccounts(context: Context): Promise<void> {
  const now = context.clock.real()
  await deleteExpired(context.sql, now, now - lockoutMemory)
}
