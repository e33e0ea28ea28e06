import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsOf } from '../apps/index.ts'
import { listNotifications } from './store.ts'

type Operation = typeof consoleOperations.searchNotifications

/** Lists the notifications that a project's mini apps have sent, newest first. @throws SoukError `app_not_found` */
export async function searchNotifications(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, appid, cursor, ...page }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appids = await appidsOf(context, projectId, appid)
  const [before] = readCursor(cursor, ['id'])
  return readPage(context.sql, page, {
    list: (part) => listNotifications(context.sql, appids, part),
    before,
    keyOf: ({ notificationId }) => [notificationId],
  })
}
