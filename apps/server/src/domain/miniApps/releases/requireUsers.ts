import { SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { lockUsers } from '../../users/index.ts'

/**
 * Locks users, so that none of them is erased before the transaction ends, and returns them. Those of `listed` who have
 * been erased are left out.
 * @throws SoukError `user_not_found` for any other user that does not exist or is erased
 */
export async function requireUsers(tx: Tx, uids: readonly number[], listed: readonly number[] = []): Promise<number[]> {
  const known = await lockUsers(tx, uids)
  const unknown = uids.filter((uid) => !known.includes(uid) && !listed.includes(uid))
  if (unknown.length > 0) throw new SoukError('user_not_found', `uids: ${unknown.join(', ')}`)
  return known
}
