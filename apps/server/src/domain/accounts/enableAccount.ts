import { SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { endAllBut, holdAdministrators, setEnabled } from './store.ts'

/**
 * Disables an account: its sessions, tokens and links end, and its API key opens nothing while it is disabled. False where it
 * is so already.
 * @throws SoukError `last_administrator`
 */
export async function disable(tx: Tx, accountId: string): Promise<boolean> {
  const administrators = await holdAdministrators(tx)
  if (administrators.length === 1 && administrators[0] === accountId) throw new SoukError('last_administrator')
  if (!(await setEnabled(tx, accountId, false))) return false
  await endAllBut(tx, accountId, null)
  return true
}

/** Enables an account again, with its password and its API key. False where it is so already. */
export async function enable(tx: Tx, accountId: string): Promise<boolean> {
  return setEnabled(tx, accountId, true)
}
