import type { Context } from '../context.ts'
import { deleteCodes, deleteRevocations } from './store.ts'

/** Until then a code that comes again is told apart from one that never was, and reuse revokes. */
const CODES_KEPT_MS = 24 * 3_600_000

/** Deletes login codes and revocations that are long past. A job. */
export async function pruneOauth(context: Context): Promise<void> {
  // Real time, which the domain clock is never behind: a sandbox that sets its clock back must not find a revoked token
  // alive again.
  const now = context.clock.real()
  while (await deleteCodes(context.sql, now - CODES_KEPT_MS));
  await deleteRevocations(context.sql, now)
}
