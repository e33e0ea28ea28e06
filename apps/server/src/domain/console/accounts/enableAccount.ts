import { SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { deleteCredentials, type LockedAccount, lockAdministrators, updateEnabled } from './store.ts'

/** @throws SoukError `account_disabled`, `account_suspended` */
export function requireActive(
  { enabled, suspension }: LockedAccount,
  advice = 'Ask an administrator to enable it.',
): void {
  if (!enabled) throw new SoukError('account_disabled', advice)
  if (suspension) {
    throw new SoukError(
      'account_suspended',
      suspension.reason === 'claimMissing'
        ? `Its provider did not send the claim ${suspension.claim}; sign in there again.`
        : 'At its provider it has left all groups that may use the console; ask an administrator for one.',
    )
  }
}

/**
 * Disables an account: ends its sessions, tokens and links, and suspends its API key. Returns false if it is already
 * disabled.
 * @throws SoukError `last_administrator`
 */
export async function disableAccount(tx: Tx, accountId: string): Promise<boolean> {
  const administrators = await lockAdministrators(tx)
  if (administrators.length === 1 && administrators[0] === accountId) throw new SoukError('last_administrator')
  if (!(await updateEnabled(tx, accountId, false))) return false
  await deleteCredentials(tx, accountId, null)
  return true
}

/** Enables an account again with its password and API key. Returns false if it is already enabled. */
export async function enableAccount(tx: Tx, accountId: string): Promise<boolean> {
  return updateEnabled(tx, accountId, true)
}
