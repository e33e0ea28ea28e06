import { hour } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newToken } from '../../../kernel/id.ts'
import type { Context } from '../../context.ts'
import { clearFailedAttempts } from './lockout.ts'
import {
  type Account,
  deleteCredentials,
  findPasswordReset,
  insertPasswordReset,
  type PasswordReset,
  updateAccountRow,
} from './store.ts'

/** Lifetime of a link in real time. Short, since the user is waiting for it. */
const lifetime = hour

/**
 * Creates a password reset link for an account and replaces an earlier one. The token is returned only here; the
 * database stores its SHA-256. `madeBy` is null for the admin token.
 */
export async function issuePasswordReset(
  context: Context,
  tx: Tx,
  accountId: string,
  madeBy: string | null,
): Promise<{ token: string; link: string; validUntil: number }> {
  const token = newToken('souk_reset')
  const now = context.clock.real()
  const validUntil = now + lifetime
  await insertPasswordReset(tx, { accountId, tokenHash: sha256(token), madeBy, validUntil, ctime: now })
  return { token, link: `${context.settings.publicUrl}/console/password-reset#${token}`, validUntil }
}

/** Returns the password reset of a token, or `undefined` if the token is invalid or expired. */
export async function findPasswordResetByToken(
  context: Pick<Context, 'clock'>,
  sql: Sql | Tx,
  token: string,
): Promise<PasswordReset | undefined> {
  return findPasswordReset(sql, sha256(token), context.clock.real())
}

/** Sets a password, ends all sessions and tokens, and clears failed attempts. The API key remains valid. */
export async function replacePassword(tx: Tx, accountId: string, hashedPassword: string): Promise<Account> {
  const account = await updateAccountRow(tx, accountId, { password: hashedPassword })
  await deleteCredentials(tx, accountId, null)
  await clearFailedAttempts(tx, account.username)
  return account
}
