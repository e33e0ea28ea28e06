import { sha256 } from '../../kernel/crypto.ts'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import { newToken } from '../../kernel/id.ts'
import type { Context } from '../context.ts'
import { clearFailedAttempts } from './lockout.ts'
import {
  type Account,
  deleteCredentials,
  findPasswordReset,
  insertPasswordReset,
  type PasswordReset,
  updateAccountRow,
} from './store.ts'

/** ms of real time: whoever needs a new password waits for the link. */
const LIFETIME = 3_600_000

/**
 * Makes the link to a new password of an account, in the place of one before. The token is given here and never again; only
 * its SHA-256 is stored. `madeBy` is null for the admin token.
 */
export async function issuePasswordReset(
  context: Context,
  tx: Tx,
  accountId: string,
  madeBy: string | null,
): Promise<{ token: string; link: string; validUntil: number }> {
  const token = newToken('souk_reset')
  const now = context.clock.real()
  const validUntil = now + LIFETIME
  await insertPasswordReset(tx, { accountId, tokenHash: sha256(token), madeBy, validUntil, ctime: now })
  return { token, link: `${context.settings.publicUrl}/console/password-reset#${token}`, validUntil }
}

/** What the token of a link is for; undefined where it is for nothing, or no longer. */
export async function findPasswordResetByToken(
  context: Pick<Context, 'clock'>,
  sql: Sql | Tx,
  token: string,
): Promise<PasswordReset | undefined> {
  return findPasswordReset(sql, sha256(token), context.clock.real())
}

/** Sets a password and ends all that was begun with the one before; failed attempts are forgotten. The API key stays. */
export async function replacePassword(tx: Tx, accountId: string, hashedPassword: string): Promise<Account> {
  const account = await updateAccountRow(tx, accountId, { password: hashedPassword })
  await deleteCredentials(tx, accountId, null)
  await clearFailedAttempts(tx, account.username)
  return account
}
