import { type ConfirmationMethod, day, hour, minute, SoukError, second } from '@souk/contract'
import { clientNetwork } from '../../../kernel/clientNetwork.ts'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AccountCaller } from '../../caller.ts'
import type { Context, FullContext } from '../../context.ts'
import { findConfirmedDevice } from './knownDevices.ts'
import { type Backoff, deleteFailures, findAccount, updateFailure, upsertFailure } from './store.ts'

/**
 * Per account, from all unknown devices together, and per known device: five immediate attempts, then growing delays.
 */
const accountBackoff: Backoff = { freeAttempts: 5, maxDelay: 15 * minute, window: day }
/** Per address, regardless of the account. Higher, since the people of an office share one address. */
const addressBackoff: Backoff = { freeAttempts: 30, maxDelay: 15 * minute, window: hour }

/** Requests for password reset links per address. */
const requestBackoff: Backoff = { freeAttempts: 10, maxDelay: 15 * minute, window: hour }

/** The time after which failures no longer count, in ms. */
export const maxFailureAge = accountBackoff.window

/** An attempt to enter the password of an account. */
interface Attempt {
  username: string
  address: string | undefined
  /** The id of the device if the account has signed in from it before. */
  knownDevice: string | undefined
}

/**
 * Admits an attempt to enter a password, or rejects it before the password is checked (ADR 205). Returns a function to
 * call when the attempt succeeds. A known device has a separate limit, so that others cannot lock it out. Uses real
 * time; all server processes share the count.
 *
 * @throws SoukError `rate_limited` with `data.retryAfter`, seconds
 */
export async function admitAttempt(
  context: Pick<Context, 'sql' | 'clock'>,
  { username, address, knownDevice }: Attempt,
): Promise<() => Promise<void>> {
  if (knownDevice !== undefined) {
    const device = sha256(`device ${knownDevice}`)
    await count(context, device, accountBackoff)
    return () => deleteFailures(context.sql, device)
  }
  const account = subjectOf(username)
  const client = address === undefined ? undefined : sha256(`address ${clientNetwork(address)}`)
  if (client) await count(context, client, addressBackoff)
  await count(context, account, accountBackoff)
  return async () => {
    await deleteFailures(context.sql, account)
    if (client) await updateFailure(context.sql, client)
  }
}

/**
 * Admits an attempt to confirm an identity. Codes that complete sign-ins count for the account, since a stolen password
 * starts any number of sessions, but not from devices on which a second factor was used before: they have a limit of
 * their own, so that a stolen password cannot lock them out. Otherwise only the holder of the session can exhaust its
 * attempts; passkeys cannot be guessed.
 *
 * @throws SoukError `rate_limited` with `data.retryAfter`, seconds
 */
export async function admitConfirmation(
  context: Pick<FullContext, 'sql' | 'clock' | 'vault'>,
  { accountId, session, pending, devices }: AccountCaller,
  method: ConfirmationMethod,
): Promise<() => Promise<void>> {
  const isSignIn = pending === 'secondFactor' && method !== 'passkey'
  const account = isSignIn && devices !== undefined ? await findAccount(context.sql, accountId) : undefined
  const device = account && findConfirmedDevice(context, account.username, devices)
  const signIn = device === undefined ? secondFactorOf(accountId) : sha256(`second factor of device ${device}`)
  const subject = isSignIn ? signIn : sha256(`device ${session}`)
  await count(context, subject, accountBackoff)
  return () => deleteFailures(context.sql, subject)
}

/** Clears the failed second factors of an account, so that new ones can be used without delay. */
export async function clearFailedConfirmations(tx: Tx, accountId: string): Promise<void> {
  await deleteFailures(tx, secondFactorOf(accountId))
}

function secondFactorOf(accountId: string): Buffer {
  return sha256(`second factor ${accountId}`)
}

/**
 * Admits a request of anyone that makes the server send mail.
 * @throws SoukError `rate_limited` with `data.retryAfter`, seconds
 */
export async function admitRequest(context: Pick<Context, 'sql' | 'clock'>, address = 'unknown'): Promise<void> {
  await count(context, sha256(`request ${clientNetwork(address)}`), requestBackoff, 'Too many requests')
}

/** Clears the failed attempts of an account, so that its password can be entered without delay. */
export async function clearFailedAttempts(tx: Tx, username: string): Promise<void> {
  await deleteFailures(tx, subjectOf(username))
}

function subjectOf(username: string): Buffer {
  return sha256(`account ${username}`)
}

async function count(
  context: Pick<Context, 'sql' | 'clock'>,
  subject: Buffer,
  backoff: Backoff,
  what = 'Too many failed sign-ins',
): Promise<void> {
  const now = context.clock.real()
  const blockedUntil = await upsertFailure(context.sql, subject, backoff, now)
  if (blockedUntil === null) return
  const retryAfter = Math.max(1, Math.ceil((blockedUntil - now) / second))
  throw new SoukError('rate_limited', `${what}; try again in ${retryAfter} s.`, {
    data: { retryAfter },
  })
}
