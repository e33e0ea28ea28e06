import { type consoleOperations, day, type ParametersOf, type ResultOf } from '@souk/contract'
import { pageOf, readCursor, totalOf } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf } from '../../miniApps/index.ts'
import { callbackNotFound } from './notFound.ts'
import { findCallback, listCallbackRows, listIdsOfTrade, listWithAttempts } from './store.ts'

type Operations = typeof consoleOperations

/** Number of days whose callbacks are searched first. */
export const recentDays = 31

/** Lists callbacks of a project. @throws SoukError `app_not_found` */
export async function searchCallbacks(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchCallbacks']>,
): Promise<ResultOf<Operations['searchCallbacks']>> {
  const { projectId, appid, state, tradeNo, text, from, to, failuresFirst, cursor, limit = 50, total } = input
  const sort = input.sort ?? (failuresFirst ? '-state' : '-ctime')
  const appids = await appidsEverOf(context, projectId, appid)
  const ofTrade = tradeNo === undefined ? undefined : await listIdsOfTrade(context.sql, appids, tradeNo)
  if (ofTrade?.length === 0) {
    return { items: [], next: null, ...(total ? { total: { count: 0, isCapped: false } } : {}) }
  }
  const [failureRank, ctime, notifyId] = readCursor(cursor, ['number', 'number', 'id'])
  const { sandbox } = context.settings
  const filter = { state, notifyIds: ofTrade, text, from, to, sandbox }
  const before = failureRank === undefined ? undefined : { failureRank, ctime, notifyId }
  const find = (since: number | undefined) =>
    listCallbackRows(context.sql, appids, { ...filter, from: since, sort, before, limit: limit + 1, isTotal: false })
  const counting = totalOf(context.sql, total, (most) =>
    listCallbackRows(context.sql, appids, { ...filter, sort: '-ctime', before: undefined, limit: most, isTotal: true }),
  )
  // As in searchTrades: most pages are full of recent callbacks, which are in few partitions.
  const isNewestFirst =
    sort === '-ctime' && !sandbox && tradeNo === undefined && text === undefined && from === undefined
  const findPage = async () => {
    const recent = isNewestFirst ? await find((ctime ?? to ?? context.clock.now()) - recentDays * day) : []
    return recent.length > limit ? recent : find(from)
  }
  const [found, counted] = await Promise.all([findPage(), counting])
  const { items, next } = pageOf(found, limit, (row) => [row.failureRank, row.ctime, row.notifyId])
  return { items: items.map(({ failureRank: _, ...row }) => row), next, ...counted }
}

/** Returns the callbacks of a trade and its refunds, newest first and with their fields and attempts. */
export async function callbacksOfTrade(
  context: Pick<Context, 'sql'>,
  { appid, tradeNo }: { appid: string; tradeNo: string },
): Promise<ResultOf<Operations['getCallback']>[]> {
  const notifyIds = await listIdsOfTrade(context.sql, [appid], tradeNo)
  if (notifyIds.length === 0) return []
  const listed = await listWithAttempts(context.sql, { appid, notifyIds, limit: notifyIds.length })
  const found = await Promise.all(listed.map((each) => findCallback(context.sql, each.notifyId)))
  return listed.map((callback, index) => ({ ...callback, fields: { ...found[index]!.fields } }))
}

/** Returns a callback with its fields and attempts. @throws SoukError `callback_not_found`, `callback_archived` */
export async function getCallback(
  context: Context,
  _caller: ConsoleCaller,
  { notifyId }: ParametersOf<Operations['getCallback']>,
): Promise<ResultOf<Operations['getCallback']>> {
  const callback = await findCallback(context.sql, notifyId)
  if (!callback) throw await callbackNotFound(context, notifyId)
  const [listed] = await listWithAttempts(context.sql, { appid: callback.appid, notifyIds: [notifyId], limit: 1 })
  return { ...listed!, fields: { ...callback.fields } }
}

/** Returns the appid of a callback. @throws SoukError `callback_archived` */
export async function appOfCallback(context: Pick<Context, 'sql'>, notifyId: string): Promise<string | undefined> {
  const found = await findCallback(context.sql, notifyId)
  if (found) return found.appid
  const error = await callbackNotFound(context, notifyId)
  if (error.code === 'callback_archived') throw error
  return undefined
}
