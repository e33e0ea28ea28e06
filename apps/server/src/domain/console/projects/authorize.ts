import { type Action, type ErrorCode, may, type Role, type ServiceScope, SoukError, scopesWith } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { AccountCaller, AdminCaller, Caller, ServiceAccountCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findRole, findRolesOver } from './store.ts'

/** Errors of resources whose existence may be disclosed, because their ids are random (open-api §5.1). */
const disclosed: readonly ErrorCode[] = ['project_not_found', 'dataset_not_found']

/**
 * Checks whether a caller has a permission in a project. The role of an account is read with each request, so that
 * changes take effect with the next request, regardless of the credential.
 *
 * `projectId` is undefined if the resource that belongs to the project does not exist. Callers who are not members can
 * distinguish this from a resource in a project of others only for projects and datasets.
 *
 * @throws SoukError `missing` (by default `project_not_found`) if the resource does not exist or must not be disclosed,
 *   `project_archived` for an API key, `permission_denied` or `scope_missing` if the caller is not a member or its role
 *   or scopes lack the permission
 */
export async function authorize(
  context: Pick<Context, 'sql'>,
  caller: Caller,
  projectId: string | undefined,
  action: Action,
  missing: ErrorCode = 'project_not_found',
): Promise<void> {
  if (caller.kind === 'serviceAccount' && caller.projectId === projectId) {
    return requireScope(caller.scopes, scopesWith(action))
  }
  const role = projectId === undefined ? undefined : await roleOf(context, caller, projectId)
  if (role === undefined || (role === null && !disclosed.includes(missing))) throw new SoukError(missing)
  if (role === null) throw new SoukError('permission_denied', 'Only members of its project may do this.')
  if (!may(role, action)) throw new SoukError('permission_denied', `The role ${role} does not include ${action}.`)
}

/** Rejects a service account without any of these scopes. @throws SoukError `scope_missing` with `data.scopes` */
export function requireScope(own: readonly ServiceScope[], sufficient: readonly ServiceScope[]): void {
  if (sufficient.some((scope) => own.includes(scope))) return
  const reason =
    sufficient.length === 0
      ? 'No scope permits this; use an account or the admin token.'
      : `It needs ${sufficient.join(' or ')}; it has ${own.join(', ')}.`
  throw new SoukError('scope_missing', reason, { data: { scopes: [...sufficient] } })
}

/**
 * Checks whether a caller may manage an account, which requires `action` in every project of the account. Only
 * administrators may manage administrators and accounts without projects (ADR 209).
 *
 * @throws SoukError `account_not_found` if the account does not exist or shares no project with the caller,
 *   `permission_denied`
 */
export async function authorizeOver(
  { sql }: { sql: Sql | Tx },
  caller: Pick<AccountCaller, 'kind' | 'accountId' | 'administrator'> | AdminCaller | ServiceAccountCaller,
  accountId: string,
  action: Action,
): Promise<void> {
  if (caller.kind === 'serviceAccount') throw new SoukError('account_not_found')
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

/** Returns the role of the caller in a project; null if it is not a member, `undefined` if there is no such project. */
async function roleOf(
  context: Pick<Context, 'sql'>,
  caller: Caller,
  projectId: string,
): Promise<Role | null | undefined> {
  const accountId = caller.kind === 'account' ? caller.accountId : null
  const found = await findRole(context.sql, projectId, accountId)
  if (found === undefined) return undefined
  if (found.archived && caller.kind === 'account' && caller.via === 'apiKey') {
    throw new SoukError('project_archived', 'API keys cannot be used in it. An owner can restore it.')
  }
  return isAdministrator(caller) ? 'owner' : found.role
}

/** Returns whether the caller acts as owner of every project. */
export function isAdministrator(caller: Caller): boolean {
  return caller.kind === 'admin' || (caller.kind === 'account' && caller.administrator)
}

/** Rejects callers who are not administrators. @throws SoukError `permission_denied` */
export function requireAdministrator(caller: Caller, reason = 'Only administrators may do this.'): void {
  if (!isAdministrator(caller)) throw new SoukError('permission_denied', reason)
}
