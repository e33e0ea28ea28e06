import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { withAvatar } from '../../users/index.ts'
import { findHostUser, listHostUsers } from './store.ts'

type Operations = typeof consoleOperations

/** Searches users of the host, by default the newest first. */
export async function searchHostUsers(
  context: Context,
  _caller: ConsoleCaller,
  { text, state, sort, cursor, ...page }: ParametersOf<Operations['searchHostUsers']>,
): Promise<ResultOf<Operations['searchHostUsers']>> {
  const [uid, name] = readCursor(cursor, ['number', 'text'])
  const before = uid === undefined ? undefined : { uid, name }
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listHostUsers(context.sql, { text, state, sort, ...part }),
    before,
    keyOf: (user) => [user.uid, user.sortedName],
  })
  return { items: items.map(({ sortedName: _, ...user }) => withAvatar(context, user)), ...others }
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
