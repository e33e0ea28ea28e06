import { day } from '@souk/contract'
import type { Context } from '../../context.ts'
import { deleteCodes, deleteRevocations } from './store.ts'

/** Retention of expired codes, during which reuse is detected and revokes the token. */
const codeRetention = day

/** Job: deletes old login codes and revocations. */
export async function pruneOauth(context: Context): Promise<void> {
  // Real time is never ahead of the domain clock, so that setting back a sandbox's clock does not revive a revoked
  // token.
  const now = context.clock.real()
  while (await deleteCodes(context.sql, now - codeRetention));
  await deleteRevocations(context.sql, now)
}
