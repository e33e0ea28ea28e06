import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import { newToken } from '../../kernel/id.ts'
import type { Caller, HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { deleteSession, findSessionUser, findUser, insertSession } from './store.ts'

/** How long a host session lives, seconds. */
const SESSION_LIFETIME = 30 * 86_400

/**
 * Signs a mock user in to the host application: a sandbox asks for no proof. The session token is given once; only its
 * SHA-256 is stored. `expire` is in seconds. @throws SoukError user_not_found
 */
export async function signIn(
  context: Context,
  _caller: Caller,
  input: ParametersOf<typeof hostOperations.signIn>,
): Promise<ResultOf<typeof hostOperations.signIn>> {
  const session = newToken('souk_host')
  const now = context.clock.now()
  const validUntil = now + SESSION_LIFETIME * 1000
  const user = await insertSession(context.sql, { tokenHash: sha256(session), uid: input.uid, validUntil }, now)
  if (user === undefined) throw new SoukError('user_not_found', `There is no user ${input.uid}.`)
  return { session, expire: SESSION_LIFETIME, user }
}

/** Ends the session that the caller came with. Other sessions of the user go on. */
export async function signOut(
  context: Context,
  caller: HostUserCaller,
): Promise<ResultOf<typeof hostOperations.signOut>> {
  await deleteSession(context.sql, sha256(caller.session))
  return true
}

/** Whose session this token is of; `undefined` when it is of none, or of one that has ended. */
export async function sessionUser(context: Context, token: string): Promise<number | undefined> {
  return findSessionUser(context.sql, sha256(token), context.clock.now())
}

/** The signed-in host user, to itself. @throws SoukError session_invalid */
export async function me(context: Context, caller: HostUserCaller): Promise<ResultOf<typeof hostOperations.me>> {
  const user = await findUser(context.sql, caller.uid)
  if (user === undefined) throw new SoukError('session_invalid')
  return user
}
