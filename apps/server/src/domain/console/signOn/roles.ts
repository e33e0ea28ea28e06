import { type Role, roles } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AccountCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { lockAdministrators } from '../accounts/index.ts'
import { lockProjects, setMemberships } from '../projects/index.ts'
import { type SignOnProvider, updateAdministrator } from './store.ts'

/** The rights that the groups of an account give. */
export interface GrantedRoles {
  administrator: boolean
  /** Roles by project; undefined for a project that the provider manages and in which the account has no role. */
  projects: Map<string, Role | undefined>
}

/** Returns false if the provider maps groups, and none of these. */
export function mayUseConsole({ roles }: SignOnProvider, groups: readonly string[]): boolean {
  return roles.length === 0 || roles.some(({ group }) => groups.includes(group))
}

/** Returns the roles of an account by its groups, the highest per project. */
export function rolesOf(provider: SignOnProvider, groups: readonly string[]): GrantedRoles {
  const granted = provider.roles.filter(({ group }) => groups.includes(group))
  const projects = new Map<string, Role | undefined>()
  for (const { projectId } of provider.roles) {
    if (projectId === undefined) continue
    const own = granted.filter((each) => each.projectId === projectId).map(({ role }) => role)
    projects.set(
      projectId,
      roles.find((role) => own.includes(role)),
    )
  }
  return { administrator: granted.some(({ role }) => role === 'administrator'), projects }
}

/**
 * Locks what `applyRoles` can change before the account itself: the projects that the provider maps, then all
 * administrators. Operations on accounts lock in the same order.
 */
export async function lockForRoles(tx: Tx, provider: SignOnProvider): Promise<void> {
  await lockProjects(tx, projectsIn(provider.roles))
  if (managesAdministrators(provider)) await lockAdministrators(tx)
}

/**
 * Assigns an account the roles of its groups. Roles that the provider does not map or that a person has given are not
 * taken away, and the last administrator and the last owner of a project keep theirs. `lockForRoles` must have been
 * called.
 */
export async function applyRoles(
  context: Context,
  tx: Tx,
  caller: AccountCaller | SystemCaller,
  account: Pick<AccountCaller, 'accountId' | 'administrator'>,
  { provider, granted }: { provider: SignOnProvider; granted: GrantedRoles },
): Promise<boolean> {
  const { accountId } = account
  await setMemberships(context, tx, caller, accountId, granted.projects)
  if (!managesAdministrators(provider) || granted.administrator === account.administrator) return account.administrator
  const isLast = !(await lockAdministrators(tx)).some((each) => each !== accountId)
  if (!granted.administrator && isLast) return account.administrator
  await updateAdministrator(tx, accountId, granted.administrator)
  return granted.administrator
}

function managesAdministrators({ roles }: SignOnProvider): boolean {
  return roles.some(({ role }) => role === 'administrator')
}

export function projectsIn(roles: SignOnProvider['roles']): string[] {
  return roles.flatMap(({ projectId }) => projectId ?? [])
}
