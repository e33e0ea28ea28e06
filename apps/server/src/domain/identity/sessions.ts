import { day, type hostOperations, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import { newToken } from '../../kernel/id.ts'
import type { Caller, HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { avatarUrl } from './avatar.ts'
import { deleteSession, findSessionUser, findUser, insertSession } from './store.ts'

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
): Promise<ResultOf<typeof hostOperations.signIn>> {
  const session = newToken('souk_host')
  const now = context.clock.now()
  const validUntil = now + sessionLifetime * second
  const user = await insertSession(context.sql, { tokenHash: sha256(session), uid: input.uid, validUntil }, now)
  if (user === undefined) throw new SoukError('user_not_found', `uid: ${input.uid}`)
  return { session, expire: sessionLifetime, user: { ...user, avatar: avatarUrl(context, user) } }
}

/** Ends the caller's session. Other sessions of the user continue. */
export async function signOut(
  context: Context,
  caller: HostUserCaller,
): Promise<ResultOf<typeof hostOperations.signOut>> {
  await deleteSession(context.sql, sha256(caller.session))
  return true
}

/** Returns the uid of a session token, or `undefined` if the session is unknown or has ended. */
export async function sessionUser(context: Context, token: string): Promise<number | undefined> {
  return findSessionUser(context.sql, sha256(token), context.clock.now())
}

/** Returns the profile of the signed-in host user. @throws SoukError `session_invalid` */
export async function me(context: Context, caller: HostUserCaller): Promise<ResultOf<typeof hostOperations.me>> {
  const user = await findUser(context.sql, caller.uid)
  if (user === undefined) throw new SoukError('session_invalid')
  return { ...user, avatar: avatarUrl(context, user) }
}
