import {
  type consoleOperations,
  type hostOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { pageOf, readCursor } from '../page.ts'
import { selectUserPage, selectUsers } from './store.ts'

/** The mock users that can sign in to a sandbox, oldest first; without anything private. @throws SoukError sandbox_only */
export async function listSandboxUsers(context: Context): Promise<ResultOf<typeof hostOperations.listSandboxUsers>> {
  if (!context.settings.sandbox) throw new SoukError('sandbox_only')
  return selectUsers(context.sql)
}

type ListUsers = typeof consoleOperations.listUsers

/** The mock users of a sandbox with all that is made up of them, newest first. @throws SoukError sandbox_only */
export async function listUsers(
  context: Context,
  _caller: ConsoleCaller,
  { cursor, limit = 50 }: ParametersOf<ListUsers>,
): Promise<ResultOf<ListUsers>> {
  if (!context.settings.sandbox) throw new SoukError('sandbox_only')
  const [before] = readCursor(cursor, ['number'])
  return pageOf(await selectUserPage(context.sql, before, limit + 1), limit, ({ uid }) => [uid])
}
