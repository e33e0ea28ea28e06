import { type Action, type ErrorCode, may, type Role, SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { AccountCaller, AdminCaller, Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findRole, findRolesOver } from './store.ts'

/**
 * Checks whether a caller has a permission in a project and returns its role. The role is read with each request, so
 * that changes take effect with the next request, regardless of the credential.
 *
 * `projectId` is undefined if the resource that belongs to the project does not exist. Callers cannot distinguish this
 * from a resource in a project of others.
 *
 * @throws SoukError `missing` (by default `project_not_found`) if the caller is not a member, `permission_denied` if
 *   its role lacks the permission
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
 * Checks whether a caller may manage an account, which requires `action` in every project of the account. Only
 * administrators may manage administrators and accounts without projects (ADR 200).
 *
 * @throws SoukError `account_not_found` if the account does not exist or shares no project with the caller,
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
      `This requires ${action} in every project of the account; ask an administrator.`,
    )
  }
}

/** Returns the role of the caller in a project, or `undefined` if it is not a member or the project does not exist. */
async function roleOf(context: Pick<Context, 'sql'>, caller: Caller, projectId: string): Promise<Role | undefined> {
  if (caller.kind !== 'admin' && caller.kind !== 'account') return undefined
  const accountId = caller.kind === 'account' ? caller.accountId : null
  const found = await findRole(context.sql, projectId, accountId)
  if (found === undefined) return undefined
  return isAdministrator(caller) ? 'owner' : (found.role ?? undefined)
}

/** Returns whether the caller acts as owner of every project. */
export function isAdministrator(caller: Caller): boolean {
  return caller.kind === 'admin' || (caller.kind === 'account' && caller.administrator)
}

/** Rejects callers who are not administrators. @throws SoukError `permission_denied` */
export function requireAdministrator(caller: Caller, reason = 'Only administrators may do this.'): void {
  if (!isAdministrator(caller)) throw new SoukError('permission_denied', reason)
}
