import { type Action, type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import { authorize, isAdministrator, searchHostUsers } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf, getRequest, listAllApps } from '../../miniApps/index.ts'
import { getCallback, searchCallbacks, searchTrades } from '../../money/index.ts'

type Operations = typeof consoleOperations
type SearchResult = ResultOf<Operations['search']>

/** Maximum number of results of a kind. */
const limit = 5

/** Finds what a project has under a name or an identifier, of the kinds that the caller may read (ADR 325). */
export async function search(
  context: Context,
  caller: ConsoleCaller,
  { projectId, text }: ParametersOf<Operations['search']>,
): Promise<SearchResult> {
  const query = text.trim()
  const apps = await ifAllowed(context, caller, projectId, 'app.read', () => listAllApps(context, projectId))
  const appids = new Set(await appidsEverOf(context, projectId, undefined))
  const isId = /^[0-9a-f]{32}$/i.test(query)
  const [trades, callbacks, requests, users] = await Promise.all([
    ifAllowed(context, caller, projectId, 'trade.read', async () => {
      const { items } = await searchTrades(context, caller, { projectId, text: query, limit })
      return items
    }),
    ifAllowed(context, caller, projectId, 'callback.read', async () =>
      isId ? findCallbacks(context, caller, projectId, query, appids) : [],
    ),
    ifAllowed(context, caller, projectId, 'request.read', async () => {
      const request = isId
        ? await undefinedIfMissing(getRequest(context, caller, { requestId: query.toLowerCase() }))
        : undefined
      return request?.appid && appids.has(request.appid) ? [request] : []
    }),
    isAdministrator(caller) ? searchHostUsers(context, caller, { text: query, limit }).then(({ items }) => items) : [],
  ])
  const includes = (name: string) => name.toLowerCase().includes(query.toLowerCase())
  return {
    apps: apps
      .filter(({ appid, name }) => includes(name) || includes(appid))
      .slice(0, limit)
      .map(({ appid, name }) => ({ appid, name })),
    trades: trades.map(({ tradeNo, outTradeNo, transactionStatus, amount, currency }) => ({
      tradeNo,
      outTradeNo,
      transactionStatus,
      amount,
      currency,
    })),
    callbacks: callbacks.map(({ notifyId, outTradeNo, ctime }) => ({ notifyId, outTradeNo, ctime })),
    requests: requests.map(({ requestId, operation, time }) => ({ requestId, operation, time })),
    users: users.map(({ uid, nickName }) => ({ uid, nickName })),
  }
}

/** Finds a callback by its notifyId, and those of a trade. */
async function findCallbacks(
  context: Context,
  caller: ConsoleCaller,
  projectId: string,
  id: string,
  appids: ReadonlySet<string>,
) {
  const [callback, ofTrade] = await Promise.all([
    undefinedIfMissing(getCallback(context, caller, { notifyId: id })),
    searchCallbacks(context, caller, { projectId, tradeNo: id, limit }),
  ])
  return [...(callback && appids.has(callback.appid) ? [callback] : []), ...ofTrade.items].slice(0, limit)
}

/** Returns nothing of a kind that the caller may not read. */
async function ifAllowed<T>(
  context: Context,
  caller: ConsoleCaller,
  projectId: string,
  action: Action,
  find: () => Promise<T[]>,
): Promise<T[]> {
  try {
    await authorize(context, caller, projectId, action)
  } catch (error) {
    if (error instanceof SoukError && ['permission_denied', 'scope_missing'].includes(error.code)) return []
    throw error
  }
  return find()
}

/** Returns undefined if there is no such thing, or it is archived. */
async function undefinedIfMissing<T>(finding: Promise<T>): Promise<T | undefined> {
  return finding.catch((error: unknown) => {
    if (error instanceof SoukError) return undefined
    throw error
  })
}
