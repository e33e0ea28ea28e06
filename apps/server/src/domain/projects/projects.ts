import {
  type Action,
  type consoleOperations,
  may,
  type ParametersOf,
  type platformOperations,
  type ResultOf,
  roles,
  SoukError,
} from '@souk/contract'
import type { Sql } from '../../kernel/db/pool.ts'
import { newId } from '../../kernel/id.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { pageOf, readCursor } from '../page.ts'
import { isAdministrator } from './authorise.ts'
import {
  insertMember,
  insertProject,
  listProjectIds,
  listProjectPage,
  listProjectRows,
  type Project,
  updateProjectName,
} from './store.ts'

type Operations = typeof consoleOperations

/** The projects that the caller may see, by name, each with what the caller is in it; at most 1000. */
export async function listProjects(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
): Promise<ResultOf<Operations['listProjects']>> {
  return listProjectRows(context.sql, seenBy(caller))
}

/** The same in pages, newest first. @throws SoukError `parameter_invalid` for a cursor that no page has given */
export async function pageProjects(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  { cursor, limit = 100 }: ParametersOf<typeof platformOperations.pageProjects>,
): Promise<ResultOf<typeof platformOperations.pageProjects>> {
  const [before] = readCursor(cursor, ['id'])
  const found = await listProjectPage(context.sql, seenBy(caller), { before, limit: limit + 1 })
  return pageOf(found, limit, ({ projectId }) => [projectId])
}

/** @throws SoukError `project_not_found` */
export async function getProject(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['getProject']>,
): Promise<Project> {
  const [project] = await listProjectRows(context.sql, seenBy(caller), projectId)
  if (project === undefined) throw new SoukError('project_not_found')
  return project
}

/** Creates a project whose owner is the caller; the admin token makes one without members. */
export async function createProject(
  context: Context,
  caller: ConsoleCaller,
  { name }: ParametersOf<Operations['createProject']>,
): Promise<Project> {
  const projectId = newId()
  await context.sql.begin(async (tx) => {
    await insertProject(tx, { projectId, name, ctime: context.clock.now() })
    if (caller.kind === 'account') {
      await insertMember(tx, { projectId, accountId: caller.accountId, role: 'owner' }, context.clock.real())
    }
    await audit(context, tx, caller, { action: 'project.create', subject: projectId, projectId, detail: { name } })
  })
  return getProject(context, caller, { projectId })
}

/** Renames a project. */
export async function updateProject(
  context: Context,
  caller: ConsoleCaller,
  { projectId, name }: ParametersOf<Operations['updateProject']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    await updateProjectName(tx, projectId, name)
    await audit(context, tx, caller, { action: 'project.rename', subject: projectId, projectId, detail: { name } })
  })
  return true
}

/** The projects in which the caller may do this; `all` where it may everywhere. */
export async function projectsWhere(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  action: Action,
): Promise<'all' | string[]> {
  if (caller.kind === 'admin' || isAdministrator(caller)) return 'all'
  const able = roles.filter((role) => may(role, action))
  return listProjectIds(context.sql, caller.accountId, able)
}

/**
 * The same as SQL: a select of the project ids, for what lists things of many projects in one statement. Where `projectsWhere`
 * gives `all`, so does this.
 */
export function projectIdsWhere(sql: Sql, caller: ConsoleCaller, action: Action) {
  if (caller.kind === 'admin' || isAdministrator(caller)) return sql`select project_id from projects`
  const able = roles.filter((role) => may(role, action))
  return sql`select project_id from project_members where account_id = ${caller.accountId} and role = any(${able})`
}

/** The account whose projects are listed; null where all are. */
function seenBy(caller: ConsoleCaller): string | null {
  return caller.kind === 'admin' || caller.administrator ? null : caller.accountId
}
