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
import { pageOf, readCursor } from '../../../kernel/db/page.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { mayCreateProjects } from '../accounts/index.ts'
import { isAdministrator } from './authorize.ts'
import {
  findRole,
  insertMember,
  insertProject,
  listProjectIds,
  listProjectNames,
  listProjectPage,
  listProjectRows,
  type Project,
  projectIds,
  updateProjectName,
  updateTrusted,
  type VisibleProjects,
} from './store.ts'

type Operations = typeof consoleOperations

/** Lists the projects that the caller may see, by name, with the caller's role; at most 1000. */
export async function listProjects(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
): Promise<ResultOf<Operations['listProjects']>> {
  return listProjectRows(context.sql, visibleTo(caller))
}

/** Lists the same projects in pages, newest first. @throws SoukError `parameter_invalid` for an invalid cursor */
export async function pageProjects(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  { cursor, limit = 100 }: ParametersOf<typeof platformOperations.pageProjects>,
): Promise<ResultOf<typeof platformOperations.pageProjects>> {
  const [before] = readCursor(cursor, ['id'])
  const found = await listProjectPage(context.sql, visibleTo(caller), { before, limit: limit + 1 })
  const { items, next } = pageOf(found, limit, ({ projectId }) => [projectId])
  return { items: items.map(({ archivedTime: _, ...project }) => project), next }
}

/** Returns the statement of a list of the caller's projects that are not archived, by name. */
export function activeProjects(
  { sql }: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  page: Parameters<typeof listProjectNames>[2],
): ReturnType<typeof listProjectNames> {
  return listProjectNames(sql, visibleTo(caller), page)
}

/** Returns those of these projects that the caller may see. */
export async function listProjectsById(
  { sql }: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  projectIds: readonly string[],
): Promise<Project[]> {
  return listProjectRows(sql, visibleTo(caller), projectIds)
}

/** Returns a project. @throws SoukError `project_not_found` */
export async function getProject(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['getProject']>,
): Promise<Project> {
  const [project] = await listProjectRows(context.sql, visibleTo(caller), [projectId])
  if (project === undefined) throw new SoukError('project_not_found')
  return project
}

/**
 * Creates a project owned by the caller, or without members if created with the admin token.
 * @throws SoukError `permission_denied` unless SOUK_PROJECT_CREATION permits it
 */
export async function createProject(
  context: Context<'rules'>,
  caller: ConsoleCaller,
  { name }: ParametersOf<Operations['createProject']>,
): Promise<Project> {
  if (caller.kind === 'serviceAccount' || (caller.kind === 'account' && !(await mayCreateProjects(context, caller)))) {
    throw new SoukError('permission_denied', 'Ask an administrator to allow you to create projects.')
  }
  const projectId = newId()
  await context.sql.begin(async (tx) => {
    await insertProject(tx, { projectId, name, ctime: context.clock.now() })
    if (caller.kind === 'account') {
      await insertMember(
        tx,
        { projectId, accountId: caller.accountId, role: 'owner', givenRole: 'owner' },
        context.clock.real(),
      )
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

/** Trusts a project, whose later requests are approved immediately, or stops trusting it (ADR 283). */
export async function trustProject(
  context: Context,
  caller: ConsoleCaller,
  { projectId, trusted }: ParametersOf<Operations['trustProject']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    if (!(await updateTrusted(tx, projectId, trusted))) throw new SoukError('project_not_found')
    await audit(context, tx, caller, { action: 'project.trust', subject: projectId, projectId, detail: { trusted } })
  })
  return true
}

/** Returns the projects in which the caller has the permission, or `all` for an administrator. */
export async function projectsWhere(
  context: Pick<Context, 'sql'>,
  caller: ConsoleCaller,
  action: Action,
): Promise<'all' | string[]> {
  if (caller.kind === 'serviceAccount') return [caller.projectId]
  if (caller.kind === 'admin' || isAdministrator(caller)) return 'all'
  const permittedRoles = roles.filter((role) => may(role, action))
  return listProjectIds(context.sql, caller.accountId, permittedRoles)
}

/** Returns the same projects as an SQL query of their ids, for statements that list items of many projects. */
export function projectIdsWhere(sql: Sql, caller: ConsoleCaller, action: Action, options?: { archived: boolean }) {
  if (caller.kind === 'serviceAccount') return projectIds(sql, { projectId: caller.projectId })
  if (caller.kind === 'admin' || isAdministrator(caller)) return projectIds(sql, 'all', options)
  const permitted = roles.filter((role) => may(role, action))
  return projectIds(sql, { accountId: caller.accountId, roles: permitted }, options)
}

/** Returns which projects a caller may see. */
function visibleTo(caller: ConsoleCaller): VisibleProjects {
  if (caller.kind === 'serviceAccount') return { projectId: caller.projectId }
  return caller.kind === 'admin' || caller.administrator ? 'all' : { accountId: caller.accountId }
}

/** Checks that projects exist. @throws SoukError `project_not_found` */
export async function requireProjects(tx: Tx, projectIds: readonly string[]): Promise<void> {
  for (const projectId of new Set(projectIds)) {
    if ((await findRole(tx, projectId, null)) === undefined) {
      throw new SoukError('project_not_found', `projectId: ${projectId}`)
    }
  }
}
