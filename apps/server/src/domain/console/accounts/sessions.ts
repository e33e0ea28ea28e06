import { type consoleOperations, day, minute, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newToken } from '../../../kernel/id.ts'
import type { AccountCaller, AnyoneCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendNotice } from '../../messages/index.ts'
import { deviceOf } from './deviceOf.ts'
import { requireActive } from './enableAccount.ts'
import { findPending, listConfirmationMethods } from './factors/store.ts'
import { recordFailedSignIn } from './failedSignIns.ts'
import { findKnownDevice } from './knownDevices.ts'
import { admitAttempt } from './lockout.ts'
import { isPassword, rejectPassword } from './passwords.ts'
import { mayCreateProjects } from './projectCreation.ts'
import {
  type Account,
  deleteSession,
  findAccount,
  findAccountByUsername,
  findPasswordSignIn,
  findSession,
  insertSession,
  lockAccount,
  updateLastSignIn,
  updateSession,
} from './store.ts'

type Operations = typeof consoleOperations
export type Session = ResultOf<Operations['getSession']>

/** Idle time after which a session ends, in real time. */
const maxIdle = 7 * day
/** Age at which a session ends even if it is in use. */
const maxAge = 30 * day
/** The same for sessions of sign-on providers, since each sign-in applies the account's groups. */
const maxSignOnAge = day / 2
/** Minimum time between two records of a session's use, which saves writes. */
const useInterval = 5 * minute
/** Maximum length of the name of a browser that is stored. */
const maxUserAgent = 512

/** A new session. The token is for the cookie only, the rest for the pages of the console. */
export interface StartedSession {
  token: string
  session: Session
}

/** Proofs of a sign-in besides the password. */
interface SignInProof {
  secondFactor?: boolean
  /** The provider at which the account has signed in, and when the account was authenticated there, ms of real time. */
  signOn?: { providerId: string; confirmedAt: number | null }
}

/**
 * Signs an account in (ADR 205). A wrong username and a wrong password get the same response in the same time. Only a
 * caller who knows the password learns that the account is disabled.
 * @throws SoukError `sign_in_failed`, `account_disabled`, `account_suspended`, `rate_limited`, `password_sign_in_off`
 */
export async function signInAccount(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  input: ParametersOf<Operations['consoleSignIn']>,
): Promise<StartedSession> {
  await requirePasswordSignIn(context)
  const username = input.username.toLowerCase()
  const knownDevice = findKnownDevice(context, username, caller.devices)
  const succeeded = await admitAttempt(context, { username, address: caller.address, knownDevice })
  try {
    const account = await requirePassword(context, { username, password: input.password, knownDevice })
    await succeeded()
    return await context.sql.begin(async (tx) => {
      // If the password was replaced during the check, this session must not start either.
      const current = await lockAccount(tx, account.accountId)
      if (current?.password !== account.password) throw new SoukError('sign_in_failed')
      requireActive(current, 'Ask an owner of your project to enable it.')
      return startSession(context, tx, account, caller)
    })
  } catch (error) {
    const isFailure = error instanceof SoukError && error.code !== 'rate_limited'
    if (isFailure) await recordFailedSignIn(context, caller, username, error.code)
    throw error
  }
}

/** @throws SoukError `password_sign_in_off` */
export async function requirePasswordSignIn({ sql }: Pick<Context, 'sql'>): Promise<void> {
  if (await findPasswordSignIn(sql)) return
  throw new SoukError('password_sign_in_off', 'Sign in at a provider; the sign-in page shows them.')
}

/** Returns the account with this password. @throws SoukError `sign_in_failed`, `rate_limited` */
async function requirePassword(
  context: Context,
  { username, password, knownDevice }: { username: string; password: string; knownDevice: string | undefined },
) {
  const account = await findAccountByUsername(context.sql, username)
  const isCorrect = account
    ? await isPassword(account.password, password, knownDevice !== undefined)
    : await rejectPassword(password)
  if (!account || !isCorrect) throw new SoukError('sign_in_failed')
  return account
}

/**
 * Starts a session in the transaction that has authenticated the account. Unless that included a second factor, the
 * session can be used only after `confirmSession` if the account has one, or after adding one if the installation
 * requires it.
 */
export async function startSession(
  context: Context<'mailer' | 'rules' | 'vault'>,
  tx: Tx,
  account: Account,
  { address, userAgent, devices }: AnyoneCaller,
  { secondFactor = false, signOn }: SignInProof = {},
): Promise<StartedSession> {
  const token = newToken('souk_session')
  const now = context.clock.real()
  const validUntil = now + (signOn ? Math.min(maxIdle, maxSignOnAge) : maxIdle)
  const pending = secondFactor ? null : await findPending(tx, account.accountId)
  await insertSession(tx, {
    tokenHash: sha256(token),
    accountId: account.accountId,
    validUntil,
    ctime: now,
    // A sign-in proves as much as a confirmation.
    confirmedAt: signOn ? signOn.confirmedAt : pending === 'secondFactor' ? null : now,
    pending,
    signOnProviderId: signOn?.providerId ?? null,
    userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
    address: address ?? null,
  })
  await updateLastSignIn(tx, account.accountId, now)
  const caller = { ...callerOf(account, address), session: token }
  await audit(context, tx, caller, {
    action: 'account.signIn',
    subject: account.accountId,
    detail: pending ? { pending } : {},
  })
  if (findKnownDevice(context, account.username, devices) === undefined) {
    await sendNotice(context, tx, caller, { kind: 'newDevice', ...deviceOf(userAgent) })
  }
  return { token, session: await describe(context, tx, account, { token, expires: validUntil, pending }) }
}

/** Returns the account that a session token belongs to, or `undefined` if the session is unknown or has ended. */
export async function accountBySession(
  context: Pick<Context, 'sql' | 'clock'>,
  token: string,
  address?: string,
): Promise<AccountCaller | undefined> {
  const now = context.clock.real()
  const tokenHash = sha256(token)
  const found = await findSession(context.sql, tokenHash, now)
  if (found === undefined) return undefined
  if (now - found.lastUsed > useInterval) {
    const validUntil = Math.min(now + maxIdle, found.ctime + (found.signOn ? maxSignOnAge : maxAge))
    await updateSession(context.sql, tokenHash, { validUntil, lastUsed: now, address: address ?? null })
  }
  return { ...callerOf(found, address), session: token, confirmedAt: found.confirmedAt, pending: found.pending }
}

/** Returns the signed-in account. @throws SoukError `session_invalid` */
export async function getSession(context: Context<'mailer' | 'rules'>, caller: AccountCaller): Promise<Session> {
  const token = caller.session
  const found = token && (await findSession(context.sql, sha256(token), context.clock.real()))
  const account = found && (await findAccount(context.sql, caller.accountId))
  if (!token || !account) throw new SoukError('session_invalid')
  return describe(context, context.sql, account, { token, expires: found.validUntil, pending: found.pending })
}

/** Ends the caller's session. Other sessions of the account continue. */
export async function signOutAccount(context: Context, caller: AccountCaller): Promise<true> {
  const { accountId, session } = caller
  if (session === undefined) return true
  await context.sql.begin(async (tx) => {
    await deleteSession(tx, sha256(session))
    await audit(context, tx, caller, { action: 'account.signOut', subject: accountId })
  })
  return true
}

/** Returns the expected `X-Souk-CSRF` of a session, derived from its token, which pages cannot read (ADR 204). */
export function csrfTokenOf(session: string): string {
  return sha256(`csrf ${session}`).toString('base64url')
}

function callerOf(
  { accountId, administrator }: Pick<Account, 'accountId' | 'administrator'>,
  address: string | undefined,
): AccountCaller {
  return { kind: 'account', accountId, administrator, via: 'session', ...(address === undefined ? {} : { address }) }
}

async function describe(
  { settings, rules, mailer }: Context<'mailer' | 'rules'>,
  sql: Sql | Tx,
  account: Account,
  { token, expires, pending }: { token: string } & Pick<Session, 'expires' | 'pending'>,
): Promise<Session> {
  const { accountId, username, name, language, administrator, ctime } = account
  return {
    account: { accountId, username, name, language, administrator, ctime },
    csrfToken: csrfTokenOf(token),
    expires,
    environment: settings.sandbox ? 'sandbox' : 'live',
    mayCreateProjects: await mayCreateProjects({ sql, rules }, account),
    pending,
    confirmationMethods: await listConfirmationMethods(sql, accountId),
    mail: mailer !== undefined,
  }
}
