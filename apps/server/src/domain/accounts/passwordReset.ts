import { sha256 } from '../../kernel/crypto.ts'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import { newToken } from '../../kernel/id.ts'
import type { Context } from '../context.ts'
import { forgetAttempts } from './lockout.ts'
import {
  type Account,
  changeAccount,
  endAllBut,
  insertPasswordReset,
  type PasswordReset,
  selectPasswordReset,
} from './store.ts'

/** ms of real time: whoever needs a new password waits for the link. */
const LIFETIME = 3_600_000

/**
 * Makes the link to a new password of an account, in the place of one before. The token is given here and never again; only
 * its SHA-256 is stored. `madeBy` is null for the admin token.
 */
export async function newPasswordReset(
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
export async function passwordResetOf(
  context: Pick<Context, 'clock'>,
  sql: Sql | Tx,
  token: string,
): Promise<PasswordReset | undefined> {
  return selectPasswordReset(sql, sha256(token), context.clock.real())
}

/** Sets a password and ends all that was begun with the one before; failed attempts are forgotten. The API key stays. */
export async function replacePassword(tx: Tx, accountId: string, hashedPassword: string): Promise<Account> {
  const account = await changeAccount(tx, accountId, { password: hashedPassword })
  await endAllBut(tx, accountId, null)
  await forgetAttempts(tx, account.username)
  return account
}
