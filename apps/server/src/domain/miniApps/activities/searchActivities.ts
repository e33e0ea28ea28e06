import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsOf } from '../apps/index.ts'
import { listSends } from './store.ts'

type Operation = typeof consoleOperations.searchActivities

/**
 * Lists the activity messages that are currently on home pages, one item per send, newest first.
 * @throws SoukError `app_not_found`
 */
export async function searchActivities(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, appid, cursor, ...page }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appids = await appidsOf(context, projectId, appid)
  const [mtime, activityId, itsAppid] = readCursor(cursor, ['number', 'text', 'string'])
  const before = mtime === undefined ? undefined : { mtime, activityId, appid: itsAppid }
  const now = context.clock.now()
  return readPage(context.sql, page, {
    list: (part) => listSends(context.sql, appids, { now, ...part }),
    before,
    keyOf: (row) => [row.mtime, row.activityId, row.appid],
  })
}
