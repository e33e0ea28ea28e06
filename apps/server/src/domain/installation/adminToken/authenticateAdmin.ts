import { SoukError } from '@souk/contract'
import { matchesSecret, sha256 } from '../../../kernel/crypto.ts'
import type { AdminCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findState } from './store.ts'

/** Start of every admin token. */
export const adminTokenPrefix = 'souk_admin'

const howToEnable =
  'Sign in to the console. To switch it on again, create an empty file admin-token in the data directory, and restart ' +
  'the server.'

/**
 * Returns the caller with this admin token, or undefined if it is another text. The database is read each time, so that
 * a change counts immediately in all processes.
 *
 * @throws SoukError `admin_token_disabled`
 */
export async function authenticateAdmin(
  context: Context,
  token: string | undefined,
  address: string,
): Promise<AdminCaller | undefined> {
  // Tokens of accounts, which are frequent, cost no query.
  if (!token?.startsWith(adminTokenPrefix)) return undefined
  const { enabled, hash } = await findState(context.sql)
  if (!enabled) throw new SoukError('admin_token_disabled', howToEnable)
  return isToken(token, hash) ? { kind: 'admin', address } : undefined
}

/** Returns whether a text is the token with this hash. */
export function isToken(text: string, hash: Buffer | null): boolean {
  return hash !== null && matchesSecret(sha256(text).toString('hex'), hash.toString('hex'))
}
