import {
  type Action,
  type consoleOperations,
  type Domains,
  noDomains,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { authorize, listOpenChanges, projectsWhere } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import {
  type AppRecord,
  findAppRecord,
  type ListedApp,
  listAppids,
  listAppRows,
  listEnabledAppRows,
  listSecretTimes,
} from './store.ts'

type Operations = typeof consoleOperations

/**
 * Lists the mini apps that the caller may see, of one project or of all, by default the newest first: those that are
 * archived, or the others, or the given ones.
 * @throws SoukError `project_not_found`
 */
export async function listApps(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  { projectId, archived = false, appids, text, sort, cursor, ...page }: ParametersOf<Operations['listApps']> = {},
): Promise<ResultOf<Operations['listApps']>> {
  if (projectId !== undefined) await authorize(context, caller, projectId, 'app.read')
  const projectIds = projectId === undefined ? await projectsWhere(context, caller, 'app.read') : [projectId]
  const chosen = appids === undefined ? { archived } : { appids: appids.split(',') }
  const [ctime, sortedName, appid] = readCursor(cursor, ['number', 'text', 'string'])
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listAppRows(context.sql, { projectIds, ...chosen, text, sort, ...part }),
    before: appid === undefined ? undefined : { ctime, sortedName, appid },
    keyOf: (app) => [app.ctime, app.sortedName, app.appid],
  })
  return { items: items.map(({ sortedName: _, ...app }) => app), ...others }
}

/** Returns a mini app with its settings. @throws SoukError `app_not_found` */
export async function getApp(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['getApp']>,
): Promise<ResultOf<Operations['getApp']>> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found')
  const { merchant } = app
  return {
    appid,
    name: app.name,
    enabled: app.enabled,
    capabilities: [...app.capabilities],
    projectId: app.projectId,
    iconUrl: app.iconUrl,
    language: app.defaultLanguage,
    languages: [...app.languages],
    merchantId: merchant?.merchantId ?? null,
    merchantName: merchant?.name ?? null,
    merchantLogoUrl: merchant?.logoUrl ?? null,
    archivedTime: app.archivedTime,
    callbackHosts: [...app.callbackHosts],
    domains: app.domains,
    names: { ...app.names },
    category: app.category,
    keywords: [...app.keywords],
    recommended: app.recommended,
    openApiAlways200: app.openApiAlways200,
    changes: await listOpenChanges(context.sql, appid),
    ctime: app.ctime,
  }
}

/** Lists the secrets of a mini app with creation and expiry times, without the secrets themselves. */
export async function listSecrets(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['listSecrets']>,
): Promise<ResultOf<Operations['listSecrets']>> {
  const now = context.clock.now()
  const times = await listSecretTimes(context.sql, appid)
  return times.map((time) => ({ ...time, active: time.validUntil === null || now < time.validUntil }))
}

/**
 * Returns the appids of a project, or only the given one.
 * @throws SoukError `app_not_found` if the given appid is not in the project
 */
export async function appidsOf(
  context: Pick<Context, 'sql'>,
  projectId: string,
  appid: string | undefined,
): Promise<string[]> {
  return requireAppids(await listAppids(context.sql, [projectId], { appid }), appid)
}

/**
 * Returns the appids of a project, or only the given one, with those of deleted mini apps, whose trades, refunds and
 * callbacks stay.
 * @throws SoukError `app_not_found` if the given appid is not in the project
 */
export async function appidsEverOf(
  context: Pick<Context, 'sql'>,
  projectId: string,
  appid: string | undefined,
): Promise<string[]> {
  return requireAppids(await listAppids(context.sql, [projectId], { appid, deleted: true }), appid)
}

function requireAppids(appids: string[], appid: string | undefined): string[] {
  if (appid !== undefined && appids.length === 0) throw new SoukError('app_not_found', 'It is not in this project.')
  return appids
}

/** Returns the project, name and merchant of a mini app, deleted or not; `undefined` for an unknown appid. */
export async function findRecord(
  { apps, sql }: Pick<Context, 'apps' | 'sql'>,
  appid: string,
): Promise<AppRecord | undefined> {
  const app = await apps.find(appid)
  if (app === undefined) return findAppRecord(sql, appid)
  const { projectId, name, merchant } = app
  return { projectId, name, deleted: false, merchant }
}

/** Returns the appids of all projects in which the caller has the permission, or `all` for an administrator. */
export async function appidsWhere(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  action: Action,
): Promise<'all' | string[]> {
  const projectIds = await projectsWhere(context, caller, action)
  return projectIds === 'all' ? 'all' : listAppids(context.sql, projectIds)
}

/** Returns the hosts that pages of a mini app may reach over https; none for an unknown app. */
export async function findApprovedDomains(context: Pick<Context, 'apps'>, appid: string): Promise<Domains> {
  return (await context.apps.find(appid))?.domains ?? noDomains
}

/** Lists those of these mini apps that are enabled and not archived. */
export async function listEnabledApps(context: Pick<Context, 'sql'>, appids: readonly string[]): Promise<ListedApp[]> {
  return listEnabledAppRows(context.sql, appids)
}
