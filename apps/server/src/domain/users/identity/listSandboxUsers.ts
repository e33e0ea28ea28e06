import {
  type consoleOperations,
  type hostOperations,
  maxSandboxUsers,
  type ParametersOf,
  type ResultOf,
} from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { avatarUrl, withAvatar } from './avatar.ts'
import { listUserRows, listUserSummaries } from './store.ts'

/** Lists the newest mock users that can sign in to a sandbox, oldest first, without private data. */
export async function listSandboxUsers(context: Context): Promise<ResultOf<typeof hostOperations.listSandboxUsers>> {
  const users = await listUserSummaries(context.sql, maxSandboxUsers)
  return users.map((user) => withAvatar(context, user))
}

type ListUsers = typeof consoleOperations.listUsers

/** Lists the mock users of a sandbox with their full profiles, newest first. */
export async function listUsers(
  context: Context,
  _caller: ConsoleCaller,
  { cursor, ...page }: ParametersOf<ListUsers>,
): Promise<ResultOf<ListUsers>> {
  const [before] = readCursor(cursor, ['number'])
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listUserRows(context.sql, part.before, part.limit),
    before,
    keyOf: ({ uid }) => [uid],
  })
  const users = items.map((row) => ({ ...row, avatar: avatarUrl(context, { ...row, nickName: row.nickname }) }))
  return { items: users, ...others }
}
