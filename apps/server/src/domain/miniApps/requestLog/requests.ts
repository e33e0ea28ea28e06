import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf } from '../apps/index.ts'
import {
  findRequest,
  type LoggedRequest,
  listRequestRows,
  type NumberedRequest,
  type RequestLogEntry,
  sortedColumn,
} from './store.ts'

type Operations = typeof consoleOperations

/**
 * Lists the logged open API requests of a project's mini apps.
 * @throws SoukError `app_not_found`
 */
export async function searchRequests(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchRequests']>,
): Promise<ResultOf<Operations['searchRequests']>> {
  const { projectId, appid, operation, code, client, text, from, to, failed, sort = '-time', cursor, ...page } = input
  const appids = await appidsEverOf(context, projectId, appid)
  const column = sortedColumn(sort)
  const [value, requestNo] = readCursor(cursor, [column === 'duration' ? 'fraction' : 'number', 'number'])
  const before = value === undefined ? undefined : { value, requestNo }
  const filter = { failed, operation, code, client, text, from, to, sort }
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listRequestRows(context.sql, appids, { ...filter, ...part }),
    before,
    keyOf: (row) => [row[column], row.requestNo],
  })
  return { items: items.map(omitNumber), ...others }
}

/** Lists the logged open API requests of one mini app or of all, newest first. @throws SoukError `app_not_found` */
export async function listRequests(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['listRequests']>,
): Promise<ResultOf<Operations['listRequests']>> {
  const { appid, failed, client, limit = 100 } = input
  if (appid !== undefined && (await context.apps.find(appid)) === undefined) {
    throw new SoukError('app_not_found', `appid: ${appid}`)
  }
  const found = await listRequestRows(context.sql, appid === undefined ? 'all' : [appid], { failed, client, limit })
  return found.map(omitNumber)
}

/** Returns a logged request. @throws SoukError `request_not_found` */
export async function getRequest(
  context: Context,
  _caller: ConsoleCaller,
  { requestId }: ParametersOf<Operations['getRequest']>,
): Promise<RequestLogEntry> {
  const found = await findRequest(context.sql, requestId)
  if (found === undefined) throw new SoukError('request_not_found')
  return found
}

/** Returns the appid of a request, null if it had no known appid; `undefined` for an unknown request. */
export async function appOfRequest(
  context: Pick<Context, 'sql'>,
  requestId: string,
): Promise<string | null | undefined> {
  return (await findRequest(context.sql, requestId))?.appid
}

function omitNumber({ requestNo: _, ...entry }: NumberedRequest): LoggedRequest {
  return entry
}
