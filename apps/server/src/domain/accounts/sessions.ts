import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { newToken } from '../../kernel/id.ts'
import { audit } from '../audit/index.ts'
import type { AccountCaller, AnyoneCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { admitAttempt } from './lockout.ts'
import { isPassword, rejectPassword } from './passwords.ts'
import {
  type Account,
  deleteSession,
  findAccount,
  findAccountByUsername,
  findSession,
  insertSession,
  lockAccount,
  updateLastSignIn,
  updateSession,
} from './store.ts'

type Operations = typeof consoleOperations
type Session = ResultOf<Operations['getSession']>

const DAY = 86_400_000
/** A session ends when it has not been used for so long, and at the latest so long after it began; ms of real time. */
const IDLE = 7 * DAY
const LONGEST = 30 * DAY
/** A session in use is extended so often at most, ms. */
const EXTENSION = 3_600_000

/** A session that has just begun: the token is for the cookie only, the rest for the console's pages. */
export interface StartedSession {
  token: string
  session: Session
}

/**
 * Signs an account in (ADR 204). The same answer, in the same time, for a wrong name and for a wrong password; that an account
 * is disabled is told to whoever knows its password.
 * @throws SoukError `sign_in_failed`, `account_disabled`, `rate_limited`
 */
export async function signInAccount(
  context: Context,
  { address }: AnyoneCaller,
  input: ParametersOf<Operations['consoleSignIn']>,
): Promise<StartedSession> {
  const username = input.username.toLowerCase()
  const succeeded = await admitAttempt(context, username, address)
  const account = await findAccountByUsername(context.sql, username)
  const right = account ? await isPassword(account.password, input.password) : await rejectPassword(input.password)
  if (!account || !right) throw new SoukError('sign_in_failed')
  await succeeded()
  return context.sql.begin(async (tx) => {
    // While the password was looked at, it may have been replaced, which ends all sessions: this one too.
    const held = await lockAccount(tx, account.accountId)
    if (held?.password !== account.password) throw new SoukError('sign_in_failed')
    if (!held.enabled) throw new SoukError('account_disabled', 'Whoever manages your project’s members can enable it.')
    return startSession(context, tx, account, address)
  })
}

/** Begins a session within the transaction that has established whose it is. */
export async function startSession(
  context: Context,
  tx: Tx,
  account: Account,
  address: string | undefined,
): Promise<StartedSession> {
  const token = newToken('souk_session')
  const now = context.clock.real()
  const validUntil = now + IDLE
  await insertSession(tx, { tokenHash: sha256(token), accountId: account.accountId, validUntil, ctime: now })
  await updateLastSignIn(tx, account.accountId, now)
  const caller = { ...callerOf(account, address), session: token }
  await audit(context, tx, caller, { action: 'account.signIn', subject: account.accountId })
  return { token, session: describe(context, account, token, validUntil) }
}

/** Who comes with this session token; undefined where it is nobody's, or has ended. */
export async function accountBySession(
  context: Pick<Context, 'sql' | 'clock'>,
  token: string,
  address?: string,
): Promise<AccountCaller | undefined> {
  const now = context.clock.real()
  const tokenHash = sha256(token)
  const found = await findSession(context.sql, tokenHash, now)
  if (found === undefined) return undefined
  const validUntil = Math.min(now + IDLE, found.ctime + LONGEST)
  if (validUntil - found.validUntil > EXTENSION) await updateSession(context.sql, tokenHash, validUntil)
  return { ...callerOf(found, address), session: token }
}

/** Who is signed in. @throws SoukError `session_invalid` */
export async function getSession(context: Context, caller: AccountCaller): Promise<Session> {
  const token = caller.session
  const found = token && (await findSession(context.sql, sha256(token), context.clock.real()))
  const account = found && (await findAccount(context.sql, caller.accountId))
  if (!token || !account) throw new SoukError('session_invalid')
  return describe(context, account, token, found.validUntil)
}

/** Ends the session that the caller came with. Other sessions of the account go on. */
export async function signOutAccount(context: Context, { session }: AccountCaller): Promise<true> {
  if (session !== undefined) await deleteSession(context.sql, sha256(session))
  return true
}

/** What `X-Souk-CSRF` has to be in a session: it follows from the session's token, which no page can read (ADR 204). */
export function csrfTokenOf(session: string): string {
  return sha256(`csrf ${session}`).toString('base64url')
}

function callerOf(
  { accountId, administrator }: Pick<Account, 'accountId' | 'administrator'>,
  address: string | undefined,
): AccountCaller {
  return { kind: 'account', accountId, administrator, via: 'session', ...(address === undefined ? {} : { address }) }
}

function describe(context: Context, account: Account, token: string, expires: number): Session {
  const { accountId, username, name, language, administrator, ctime } = account
  return {
    account: { accountId, username, name, language, administrator, ctime },
    csrfToken: csrfTokenOf(token),
    expires,
    environment: context.settings.sandbox ? 'sandbox' : 'live',
  }
}
