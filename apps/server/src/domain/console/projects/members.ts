import {
  type consoleOperations,
  may,
  type ParametersOf,
  type ResultOf,
  type Role,
  roles,
  SoukError,
} from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AccountCaller, ConsoleCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import {
  deleteInvitationsBy,
  deleteMember,
  existsOtherOwner,
  findRole,
  insertMember,
  listMemberRows,
  lockProject,
  updateRole,
} from './store.ts'

type Operations = typeof consoleOperations

/** Lists members of a project, owners first. */
export async function listMembers(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, text, accountIds, cursor, ...page }: ParametersOf<Operations['listMembers']>,
): Promise<ResultOf<Operations['listMembers']>> {
  const [rank, ctime, accountId] = readCursor(cursor, ['number', 'number', 'id'])
  const chosen = { text, accountIds: accountIds?.split(',') }
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listMemberRows(context.sql, projectId, { ...chosen, ...part }),
    before: rank === undefined ? undefined : { rank, ctime, accountId },
    keyOf: (member) => [member.rank, member.ctime, member.accountId],
  })
  return { items: items.map(({ rank: _, ...member }) => member), ...others }
}

/**
 * Changes the role of a member, effective with its next request. Revokes its invitations if it may no longer invite.
 * @throws SoukError `member_not_found`, `last_owner`
 */
export async function changeMemberRole(
  context: Context,
  caller: ConsoleCaller,
  { projectId, accountId, role }: ParametersOf<Operations['changeMemberRole']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const before = await lockMember(tx, projectId, accountId)
    if (before === role) return
    if (before === 'owner') await requireOtherOwner(tx, projectId, accountId)
    await updateRole(tx, projectId, accountId, { role, givenRole: role })
    if (!may(role, 'project.manage')) await deleteInvitationsBy(tx, accountId, projectId)
    const detail = { from: before, to: role }
    await audit(context, tx, caller, { action: 'member.role', subject: accountId, projectId, detail })
  })
  return true
}

/**
 * Removes a member and revokes its invitations. Its key, tokens and sessions lose access to the project with the next
 * request.
 * @throws SoukError `member_not_found`, `last_owner`
 */
export async function removeMember(
  context: Context,
  caller: ConsoleCaller,
  { projectId, accountId }: ParametersOf<Operations['removeMember']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const role = await lockMember(tx, projectId, accountId)
    if (role === 'owner') await requireOtherOwner(tx, projectId, accountId)
    await deleteMember(tx, projectId, accountId)
    await deleteInvitationsBy(tx, accountId, projectId)
    await audit(context, tx, caller, { action: 'member.remove', subject: accountId, projectId, detail: { role } })
  })
  return true
}

/**
 * Removes the caller from a project.
 * @throws SoukError `member_not_found` if it only acts as owner, `last_owner`
 */
export async function leaveProject(
  context: Context,
  caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['leaveProject']>,
): Promise<true> {
  if (caller.kind !== 'account') throw new SoukError('member_not_found', 'The token does not belong to a member.')
  return removeMember(context, caller, { projectId, accountId: caller.accountId })
}

/**
 * Assigns an account the roles that its groups give, and removes it from projects whose role is undefined. A role
 * that a person has given stays unless the groups give a higher one. The last owner of a project keeps its role, and
 * unknown projects are ignored. Its invitations stay, and cannot be used while it may not invite. The projects must
 * be locked.
 */
export async function setMemberships(
  context: Context,
  tx: Tx,
  caller: AccountCaller | SystemCaller,
  accountId: string,
  ofGroups: ReadonlyMap<string, Role | undefined>,
): Promise<void> {
  for (const [projectId, ofGroup] of ofGroups) {
    const found = await findRole(tx, projectId, accountId)
    if (found === undefined) continue
    const { role: before, givenRole } = found
    const role = roles.find((each) => each === ofGroup || each === givenRole)
    if ((before ?? undefined) === role) continue
    if (before === 'owner' && !(await existsOtherOwner(tx, projectId, accountId))) continue
    if (role === undefined) await deleteMember(tx, projectId, accountId)
    else if (before === null) await insertMember(tx, { projectId, accountId, role, givenRole }, context.clock.real())
    else await updateRole(tx, projectId, accountId, { role, givenRole })
    const detail = { from: before, to: role ?? null }
    await audit(context, tx, caller, { action: 'member.signOnRole', subject: accountId, projectId, detail })
  }
}

/** Locks the project and returns the role of a member. */
async function lockMember(tx: Tx, projectId: string, accountId: string): Promise<Role> {
  await lockProject(tx, projectId)
  const role = (await findRole(tx, projectId, accountId))?.role
  if (!role) throw new SoukError('member_not_found')
  return role
}

async function requireOtherOwner(tx: Tx, projectId: string, leaving: string): Promise<void> {
  if (!(await existsOtherOwner(tx, projectId, leaving)))
    throw new SoukError('last_owner', 'Make another member an owner first.')
}
