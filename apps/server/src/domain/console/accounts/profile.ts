import { type consoleOperations, hour, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import { newToken } from '../../../kernel/id.ts'
import type { AccountCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendNotice } from '../../messages/index.ts'
import { admitAttempt } from './lockout.ts'
import { hashNewPassword, isPassword } from './passwords.ts'
import {
  type Account,
  deleteCredentials,
  findPassword,
  findTokenOwner,
  insertToken,
  listAccountRows,
  lockAccount,
  updateAccountRow,
} from './store.ts'

type Operations = typeof consoleOperations

/** Lifetime of a token for the platform data API, in seconds. */
const tokenLifetime = hour / second

/** Changes the caller's name or language. Omitted values stay as they are. */
export async function updateProfile(
  context: Context,
  caller: AccountCaller,
  { name, language }: ParametersOf<Operations['updateProfile']>,
): Promise<Account> {
  return context.sql.begin(async (tx) => {
    const account = await updateAccountRow(tx, caller.accountId, { name, language })
    await audit(context, tx, caller, {
      action: 'account.update',
      subject: caller.accountId,
      detail: { ...(name && { name }), ...(language && { language }) },
    })
    return account
  })
}

/**
 * Changes the caller's password, and ends every other session, all tokens and a pending password reset. The API key
 * remains valid: it is refreshed separately.
 *
 * @throws SoukError `password_wrong`, `password_weak`, `rate_limited`
 */
export async function changePassword(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  { current, password }: ParametersOf<Operations['changePassword']>,
): Promise<true> {
  const { accountId, address, session } = caller
  const stored = await findPassword(context.sql, accountId)
  // Only the holder of the session can exhaust its attempts.
  const succeeded = await admitAttempt(context, { username: stored.username, address, knownDevice: session })
  if (!(await isPassword(stored.password, current, session !== undefined))) throw new SoukError('password_wrong')
  await succeeded()
  const hashed = await hashNewPassword(password, stored)
  await context.sql.begin(async (tx) => {
    // If a reset link has replaced the password meanwhile, knowing the old one must not suffice to change it back.
    if ((await lockAccount(tx, accountId))?.password !== stored.password) throw new SoukError('password_wrong')
    await updateAccountRow(tx, accountId, { password: hashed })
    await deleteCredentials(tx, accountId, session === undefined ? null : sha256(session))
    await audit(context, tx, caller, { action: 'account.password', subject: accountId })
    await sendNotice(context, tx, caller, { kind: 'passwordChanged' })
  })
  return true
}

/**
 * Creates a token for the platform data API. It is shown only once, and always has the current rights of the account.
 */
export async function createToken(
  context: Context,
  caller: AccountCaller,
): Promise<ResultOf<Operations['createToken']>> {
  const { accountId } = caller
  const token = newToken('souk_token')
  const now = context.clock.real()
  await context.sql.begin(async (tx) => {
    const validUntil = now + tokenLifetime * second
    await insertToken(tx, { tokenHash: sha256(token), accountId, validUntil, ctime: now })
    await audit(context, tx, caller, { action: 'token.create', subject: accountId })
  })
  return { token, expire: tokenLifetime }
}

/** Returns the account that a token belongs to, or `undefined` if the token is unknown or expired. */
export async function accountByToken(
  context: Pick<Context, 'sql' | 'clock'>,
  token: string,
  address?: string,
): Promise<AccountCaller | undefined> {
  if (!token.startsWith('souk_token_')) return undefined
  const owner = await findTokenOwner(context.sql, sha256(token), context.clock.real())
  return owner && { kind: 'account', ...owner, via: 'token', ...(address === undefined ? {} : { address }) }
}

/** Lists all accounts, for administrators. */
export async function listAccounts(
  context: Context,
  _caller: ConsoleCaller,
  { text, username, sort, cursor, ...page }: ParametersOf<Operations['listAccounts']> = {},
): Promise<ResultOf<Operations['listAccounts']>> {
  const [sortedName, accountId] = readCursor(cursor, ['text', 'id'])
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listAccountRows(context.sql, { text, username, sort, ...part }),
    before: accountId === undefined ? undefined : { sortedName, accountId },
    keyOf: (account) => [account.sortedName, account.accountId],
  })
  return { items: items.map(({ sortedName: _, ...account }) => account), ...others }
}
