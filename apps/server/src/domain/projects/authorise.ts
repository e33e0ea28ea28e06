import { type Action, type ErrorCode, may, type Role, SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { AccountCaller, AdminCaller, Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findRole, findRolesOver } from './store.ts'

/**
 * The one place where it is decided whether a caller may do something in a project. The role is read anew with each
 * request: whoever was removed, or given another role, is so from the next request on, whatever key it comes with.
 *
 * `projectId` is undefined where the thing that leads to the project does not exist: to the caller that is the same as a
 * thing in a project that it is no member of.
 *
 * @throws SoukError `missing` (by default `project_not_found`) where there is nothing that the caller may know of,
 *   `permission_denied` where it is a member and its role does not suffice
 */
export async function authorise(
  context: Pick<Context, 'sql'>,
  caller: Caller,
  projectId: string | undefined,
  action: Action,
  missing: ErrorCode = 'project_not_found',
): Promise<Role> {
  const role = projectId === undefined ? undefined : await roleOf(context, caller, projectId)
  if (role === undefined) throw new SoukError(missing)
  if (!may(role, action)) throw new SoukError('permission_denied', `The role ${role} does not include ${action}.`)
  return role
}

/**
 * The same for what is done to an account. It reaches all that the account may do, so a role in one project is not enough: it
 * takes `action` in every project of the account. The account of an administrator, and one of no project, are for
 * administrators (ADR 200).
 *
 * @throws SoukError `account_not_found` where there is none, or none that shares a project with the caller,
 *   `permission_denied`
 */
export async function authoriseOver(
  { sql }: { sql: Sql | Tx },
  caller: Pick<AccountCaller, 'kind' | 'accountId' | 'administrator'> | AdminCaller,
  accountId: string,
  action: Action,
): Promise<void> {
  const found = await findRolesOver(sql, accountId, caller.kind === 'account' ? caller.accountId : null)
  if (found === undefined) throw new SoukError('account_not_found')
  if (caller.kind === 'admin' || caller.administrator) return
  const { administrator, roles } = found
  if (roles.every((role) => role === null)) throw new SoukError('account_not_found')
  if (administrator || !roles.every((role) => role !== null && may(role, action))) {
    throw new SoukError(
      'permission_denied',
      `It takes ${action} in every project of the account; ask an administrator.`,
    )
  }
}

/** What the caller is in a project: undefined where there is no such project, or it is no member of it. */
async function roleOf(context: Pick<Context, 'sql'>, caller: Caller, projectId: string): Promise<Role | undefined> {
  if (caller.kind !== 'admin' && caller.kind !== 'account') return undefined
  const accountId = caller.kind === 'account' ? caller.accountId : null
  const found = await findRole(context.sql, projectId, accountId)
  if (found === undefined) return undefined
  return isAdministrator(caller) ? 'owner' : (found.role ?? undefined)
}

/** Whether the caller acts as owner of every project. */
export function isAdministrator(caller: Caller): boolean {
  return caller.kind === 'admin' || (caller.kind === 'account' && caller.administrator)
}

/** Refuses whoever is no administrator. @throws SoukError `permission_denied` */
export function requireAdministrator(caller: Caller, reason = 'Only administrators may do this.'): void {
  if (!isAdministrator(caller)) throw new SoukError('permission_denied', reason)
}
