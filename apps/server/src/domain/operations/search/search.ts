import { type Action, type consoleOperations, type ParametersOf, type ResultOf, scopesWith } from '@souk/contract'
import type { Part } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { isAdministrator, projectIdsWhere, searchHostUsers } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { listApps, listCallbacks, listProjects, listRequests, listTrades, type Search } from './store.ts'

type Operations = typeof consoleOperations

/** Maximum number of results of a kind. */
const limit = 5

/**
 * Finds what has a name or an identifier in all projects of the caller, of the kinds that it may read there (ADR 325).
 */
export async function search(
  context: Context,
  caller: ConsoleCaller,
  { projectId, text }: ParametersOf<Operations['search']>,
): Promise<ResultOf<Operations['search']>> {
  const { sql } = context
  const query = text.trim()
  const id = /^[0-9a-f]{32}$/i.test(query) ? query.toLowerCase() : undefined
  const find = async <T>(action: Action, list: (search: Search) => Promise<T[]>): Promise<T[]> => {
    const projects = readable(context, caller, action)
    return projects === undefined ? [] : list({ projects, current: projectId, text: query, limit })
  }
  const byId = async <T>(action: Action, list: (search: Search & { id: string }) => Promise<T[]>): Promise<T[]> =>
    id === undefined ? [] : find(action, (search) => list({ ...search, id }))
  const [projects, apps, trades, callbacks, requests, users] = await Promise.all([
    find('project.read', (search) => listProjects(sql, search)),
    find('app.read', (search) => listApps(sql, search)),
    find('trade.read', (search) => listTrades(sql, search)),
    byId('callback.read', (search) => listCallbacks(sql, search)),
    byId('request.read', (search) => listRequests(sql, search)),
    isAdministrator(caller) ? searchHostUsers(context, caller, { text: query, limit }).then(({ items }) => items) : [],
  ])
  return { projects, apps, trades, callbacks, requests, users: users.map(({ uid, nickName }) => ({ uid, nickName })) }
}

/**
 * Selects the projects in which the caller may do something, or returns undefined if its scopes do not permit it. An
 * API key cannot be used in archived projects.
 */
function readable({ sql }: Pick<Context, 'sql'>, caller: ConsoleCaller, action: Action): Part | undefined {
  if (caller.kind === 'serviceAccount' && !scopesWith(action).some((scope) => caller.scopes.includes(scope))) {
    return undefined
  }
  return projectIdsWhere(sql, caller, action, { archived: caller.kind !== 'account' || caller.via !== 'apiKey' })
}
