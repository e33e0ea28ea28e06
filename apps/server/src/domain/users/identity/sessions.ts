import { day, type hostOperations, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newToken } from '../../../kernel/id.ts'
import type { Caller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { withAvatar } from './avatar.ts'
import { deleteSession, findSessionUser, findUser, insertSession, type ProviderSession } from './store.ts'

type Session = ResultOf<typeof hostOperations.signIn>

/** Lifetime of a host session, in seconds. */
const sessionLifetime = (30 * day) / second

/**
 * Signs a mock user in to the host application; a sandbox requires no password. The session token is returned only
 * here; the database stores its SHA-256. `expire` is in seconds.
 * @throws SoukError `user_not_found`
 */
export async function signIn(
  context: Context,
  _caller: Caller,
  input: ParametersOf<typeof hostOperations.signIn>,
): Promise<Session> {
  const session = await context.sql.begin((tx) => startHostSession(context, tx, input.uid))
  if (session === undefined) throw new SoukError('user_not_found', `uid: ${input.uid}`)
  return session
}

/**
 * Starts a session of a user in the host application. Returns undefined if the user does not exist or is disabled.
 * @param provided what the provider has said, if the user has signed in at one
 */
export async function startHostSession(
  context: Context,
  tx: Tx,
  uid: number,
  provided?: ProviderSession,
): Promise<Session | undefined> {
  const session = newToken('souk_host')
  const now = context.clock.now()
  const validUntil = now + sessionLifetime * second
  const user = await insertSession(tx, { tokenHash: sha256(session), uid, validUntil, ...provided }, now)
  return user && { session, expire: sessionLifetime, user: withAvatar(context, user) }
}

/** Ends a session, and returns what is needed to sign out at its provider. Other sessions of the user continue. */
export async function endHostSession(
  context: Context,
  session: string,
): Promise<Pick<ProviderSession, 'issuerId' | 'idToken'> | undefined> {
  return deleteSession(context.sql, sha256(session))
}

/** Returns the uid of a session token, or `undefined` if the session is unknown or has ended. */
export async function sessionUser(context: Context, token: string): Promise<number | undefined> {
  return findSessionUser(context.sql, sha256(token), context.clock.now())
}

/** Returns the profile of the signed-in host user. @throws SoukError `session_invalid` */
export async function me(context: Context, caller: HostUserCaller): Promise<ResultOf<typeof hostOperations.me>> {
  const user = await findUser(context.sql, caller.uid)
  if (user === undefined) throw new SoukError('session_invalid')
  return withAvatar(context, user)
}
