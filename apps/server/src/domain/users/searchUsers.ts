import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { withAvatar } from '../identity/index.ts'
import { pageOf, readCursor } from '../page.ts'
import { findHostUser, listHostUsers } from './store.ts'

type Operations = typeof consoleOperations

/** Searches users of the host, newest first. */
export async function searchHostUsers(
  context: Context,
  _caller: ConsoleCaller,
  { text, state, cursor, limit = 50 }: ParametersOf<Operations['searchHostUsers']>,
): Promise<ResultOf<Operations['searchHostUsers']>> {
  const [before] = readCursor(cursor, ['number'])
  const found = await listHostUsers(context.sql, { text, state, before, limit: limit + 1 })
  const users = found.map((user) => withAvatar(context, user))
  return pageOf(users, limit, ({ uid }) => [uid])
}

/** Returns a user of the host. @throws SoukError `user_not_found` */
export async function getHostUser(
  context: Context,
  _caller: ConsoleCaller,
  { uid }: ParametersOf<Operations['getHostUser']>,
): Promise<ResultOf<Operations['getHostUser']>> {
  const user = await findHostUser(context.sql, uid)
  if (user === undefined) throw new SoukError('user_not_found', `uid: ${uid}`)
  return withAvatar(context, user)
}
