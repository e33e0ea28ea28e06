import { type consoleOperations, maxListed, may, type ResultOf, type Role, roles } from '@souk/contract'
import { containsText, scannedRows } from '../../../kernel/db/page.ts'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

export type Project = ResultOf<typeof consoleOperations.getProject>
export type Member = ResultOf<typeof consoleOperations.listMembers>['items'][number]
export type Invitation = ResultOf<typeof consoleOperations.listInvitations>['items'][number]

const defaultProjectId = '00000000000070008000000000000001'

/** The role of an account in a project; null if it is not a member. */
export interface FoundRole {
  role: Role | null
  /** The role that a person has given, which groups of a sign-on provider only raise. */
  givenRole: Role | null
  archived: boolean
}

/** Returns the role of an account in a project; `undefined` for an unknown project. */
export async function findRole(
  sql: Sql | Tx,
  projectId: string,
  accountId: string | null,
): Promise<FoundRole | undefined> {
  const [row] = await sql<FoundRole[]>`
    select m.role, m.given_role, p.archived_time is not null as archived
    from projects p left join project_members m on m.project_id = p.project_id and m.account_id = ${accountId}::uuid
    where p.project_id = ${projectId} and p.deleted_time is null`
  return row
}

/** Projects that a caller may see: all as their owner, those of an account, or the one of a service account. */
export type VisibleProjects = 'all' | { accountId: string } | { projectId: string }

/** Returns the visible projects by name, or only those of `projectIds`. */
export async function listProjectRows(
  sql: Sql | Tx,
  visible: VisibleProjects,
  projectIds?: readonly string[],
): Promise<Project[]> {
  return sql<Project[]>`
    ${visibleProjects(sql, visible)}
    where p.deleted_time is null
      and ${projectIds === undefined ? sql`true` : sql`p.project_id = any(${projectIds as string[]}::uuid[])`}
    order by p.name, p.project_id
    limit ${maxListed}`
}

/** Returns the visible projects that are not archived, by name: those of `only`, or all without those of `except`. */
export function listProjectNames(
  sql: Sql,
  visible: VisibleProjects,
  {
    only,
    except = [],
    before,
    limit,
  }: {
    only?: readonly string[]
    except?: readonly string[]
    before?: { name: string; projectId: string } | undefined
    limit: number
  },
): Rows<{ projectId: string; name: string }> {
  return sql<{ projectId: string; name: string }[]>`
    select p.project_id, p.name from ${sourceOf(sql, visible)}
    where p.archived_time is null
      and ${only === undefined ? sql`true` : sql`p.project_id = any(${only as string[]}::uuid[])`}
      and ${except.length === 0 ? sql`true` : sql`p.project_id <> all(${except as string[]}::uuid[])`}
      and ${before === undefined ? sql`true` : sql`(p.name, p.project_id) > (${before.name}, ${before.projectId})`}
    order by p.name, p.project_id limit ${limit}`
}

/** Returns a page of these projects that are not archived, newest first, before the project `before`. */
export async function listProjectPage(
  sql: Sql,
  visible: VisibleProjects,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Project[]> {
  return sql<Project[]>`
    ${visibleProjects(sql, visible)}
    where p.archived_time is null and ${before === undefined ? sql`true` : sql`p.project_id < ${before}`}
    order by p.project_id desc
    limit ${limit}`
}

function visibleProjects(sql: Sql | Tx, visible: VisibleProjects) {
  const role = visible === 'all' ? sql`'owner'` : 'projectId' in visible ? sql`'viewer'` : sql`m.role`
  return sql`${columns(sql, role)} from ${sourceOf(sql, visible)}`
}

/** Selects visible projects as `p`, with the membership `m` of an account. */
function sourceOf(sql: Sql | Tx, visible: VisibleProjects) {
  if (visible === 'all') return sql`projects p`
  if ('projectId' in visible) return sql`(select * from projects where project_id = ${visible.projectId}) p`
  return sql`projects p join project_members m on m.project_id = p.project_id and m.account_id = ${visible.accountId}`
}

const columns = (sql: Sql | Tx, role: ReturnType<Sql>) => sql`
  select
    p.project_id, p.name, ${role} as role, p.trusted,
    (select count(*)::integer from apps a where a.project_id = p.project_id and a.archived_time is null) as apps,
    (select count(*)::integer from project_members c where c.project_id = p.project_id) as members,
    p.ctime, p.archived_time`

/**
 * Selects the ids of one project, of those in which an account has one of these roles, or of all. Archived projects are
 * omitted, except a single one; with `archived`, they are not.
 */
export function projectIds(
  sql: Sql,
  of: 'all' | { projectId: string } | { accountId: string; roles: Role[] },
  { archived = false } = {},
) {
  const isListed = archived ? sql`deleted_time is null` : sql`archived_time is null`
  if (of === 'all') return sql`select project_id from projects where ${isListed}`
  if ('projectId' in of) return sql`select ${of.projectId}::uuid as project_id`
  return sql`
    select project_id from project_members join projects using (project_id)
    where account_id = ${of.accountId} and role = any(${of.roles}) and ${isListed}`
}

/** Returns the projects in which an account has one of these roles, and which are not archived. */
export async function listProjectIds(sql: Sql, accountId: string, roles: Role[]): Promise<string[]> {
  const rows = await sql<{ projectId: string }[]>`${projectIds(sql, { accountId, roles })}`
  return rows.map(({ projectId }) => projectId)
}

export async function insertProject(
  tx: Tx,
  project: { projectId: string; name: string; ctime: number },
): Promise<void> {
  await tx`
    insert into projects (project_id, name, ctime) values (${project.projectId}, ${project.name}, ${project.ctime})`
}

export async function updateProjectName(tx: Tx, projectId: string, name: string): Promise<void> {
  await tx`update projects set name = ${name} where project_id = ${projectId}`
}

/** Returns whether operators trust a project. */
export async function findTrusted(tx: Tx, projectId: string): Promise<boolean> {
  const rows = await tx`select from projects where project_id = ${projectId} and trusted`
  return rows.length > 0
}

/** Returns false if the project does not exist. */
export async function updateTrusted(tx: Tx, projectId: string, trusted: boolean): Promise<boolean> {
  const { count } = await tx`update projects set trusted = ${trusted} where project_id = ${projectId}`
  return count === 1
}

/** Locks a project, to serialize changes of its members. */
export async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await tx`select from projects where project_id = ${projectId} for no key update`
}

/** Locks a project and returns what archiving it depends on, or `undefined` if it does not exist. */
export async function lockProjectArchive(
  tx: Tx,
  projectId: string,
): Promise<{ name: string; archivedTime: number | null } | undefined> {
  const [row] = await tx<{ name: string; archivedTime: number | null }[]>`
    select name, archived_time from projects
    where project_id = ${projectId} and deleted_time is null for no key update`
  return row
}

export async function updateArchivedProject(tx: Tx, projectId: string, time: number | null): Promise<void> {
  await tx`update projects set archived_time = ${time} where project_id = ${projectId}`
}

/** Locks a project until the transaction ends, and returns whether its analytics are on. */
export async function lockProjectAnalytics(
  tx: Tx,
  projectId: string,
): Promise<{ name: string; analytics: boolean } | undefined> {
  const [row] = await tx<{ name: string; analytics: boolean }[]>`
    select name, analytics from projects
    where project_id = ${projectId} and deleted_time is null for no key update`
  return row
}

export async function updateProjectAnalytics(tx: Tx, projectId: string, enabled: boolean): Promise<void> {
  await tx`update projects set analytics = ${enabled} where project_id = ${projectId}`
}

/** Returns the id of the default project for mini apps and creates the project if it is missing. */
export async function upsertDefaultProject(tx: Tx, now: number): Promise<string> {
  // A fixed id, so that concurrent servers do not create two.
  await tx`
    insert into projects (project_id, name, ctime) values (${defaultProjectId}, 'Default', ${now})
    on conflict (project_id) do nothing`
  return defaultProjectId
}

export async function existsArchivedProject(sql: Sql | Tx, projectId: string): Promise<boolean> {
  const rows = await sql`select from projects where project_id = ${projectId} and archived_time is not null`
  return rows.length > 0
}

/** Returns whether a project has been deleted, so that only its money is left. */
export async function existsDeletedProject(sql: Sql, projectId: string): Promise<boolean> {
  if (!/^[0-9a-f]{32}$/.test(projectId)) return false
  const rows = await sql`select from projects where project_id = ${projectId} and deleted_time is not null`
  return rows.length > 0
}

/** Locks projects by id, to serialize changes of their members. */
export async function lockProjects(tx: Tx, projectIds: readonly string[]): Promise<void> {
  await tx`
    select from projects where project_id = any(${projectIds as string[]}::uuid[])
    order by project_id for no key update`
}

/** Returns the statement of a list of members, by their rank and the time when they joined. */
export function listMemberRows(
  sql: Sql,
  projectId: string,
  {
    text,
    accountIds,
    before,
    limit,
  }: {
    text?: string | undefined
    accountIds?: readonly string[] | undefined
    before?: { rank: number; ctime: number; accountId: string } | undefined
    limit: number
  },
): Rows<Member & { rank: number }> {
  // As in the index.
  const rank = sql`array_position(array['owner', 'editor', 'viewer'], m.role)`
  const newest = sql`
    (select * from project_members where project_id = ${projectId} order by ctime desc limit ${scannedRows(1)})`
  return sql<(Member & { rank: number })[]>`
    select m.account_id, a.username, a.name, m.role, a.enabled, m.ctime, ${rank} as rank
    from ${text === undefined ? sql`project_members` : newest} m join accounts a using (account_id)
    where m.project_id = ${projectId}
      and ${text === undefined ? sql`true` : containsText(sql, text, sql`a.username, a.name`)}
      and ${accountIds === undefined ? sql`true` : sql`m.account_id = any(${accountIds as string[]}::uuid[])`}
      and ${before === undefined ? sql`true` : sql`(${rank}, m.ctime, m.account_id) > (${before.rank}, ${before.ctime}, ${before.accountId})`}
    order by ${rank}, m.ctime, m.account_id limit ${limit}`
}

/**
 * Adds a member. `givenRole` is null if only groups of a sign-on provider give the role. Returns false if the account
 * is a member already.
 */
export async function insertMember(
  tx: Tx,
  member: { projectId: string; accountId: string; role: Role; givenRole: Role | null },
  now: number,
): Promise<boolean> {
  const { count } = await tx`
    insert into project_members (project_id, account_id, role, given_role, ctime)
    values (${member.projectId}, ${member.accountId}, ${member.role}, ${member.givenRole}, ${now})
    on conflict do nothing`
  return count === 1
}

/** Makes an account the owner of all projects without members. */
export async function insertMissingOwners(tx: Tx, accountId: string, now: number): Promise<void> {
  await tx`
    insert into project_members (project_id, account_id, role, given_role, ctime)
    select project_id, ${accountId}, 'owner', 'owner', ${now} from projects p
    where p.deleted_time is null and not exists (select from project_members m where m.project_id = p.project_id)`
}

export async function updateRole(
  tx: Tx,
  projectId: string,
  accountId: string,
  { role, givenRole }: Pick<FoundRole, 'givenRole'> & { role: Role },
): Promise<void> {
  await tx`
    update project_members set role = ${role}, given_role = ${givenRole} where project_id = ${projectId} and account_id = ${accountId}`
}

export async function deleteMember(tx: Tx, projectId: string, accountId: string): Promise<void> {
  await tx`delete from project_members where project_id = ${projectId} and account_id = ${accountId}`
}

/** Returns whether a project has another active owner. */
export async function existsOtherOwner(tx: Tx, projectId: string, accountId: string): Promise<boolean> {
  const rows = await tx`
    select from project_members join accounts using (account_id)
    where project_id = ${projectId} and role = 'owner' and active and account_id <> ${accountId}`
  return rows.length > 0
}

/** Returns the projects of an account by id and locks them, to serialize changes of their members. */
export async function lockProjectsOf(
  tx: Tx,
  accountId: string,
): Promise<{ projectId: string; name: string; role: Role }[]> {
  await tx`
    select from projects
    where project_id in (select project_id from project_members where account_id = ${accountId})
    order by project_id for no key update`
  // In a statement of its own: the one above may have waited for changes of roles.
  return tx<{ projectId: string; name: string; role: Role }[]>`
    select project_id, name, role
    from projects join project_members using (project_id)
    where account_id = ${accountId}
    order by project_id`
}

/**
 * Returns the role of the account `other` in each project of an account, null if it is not a member; `undefined` for an
 * unknown account.
 */
export async function findRolesOver(
  sql: Sql | Tx,
  accountId: string,
  other: string | null,
): Promise<{ administrator: boolean; roles: (Role | null)[] } | undefined> {
  const [row] = await sql<{ administrator: boolean; roles: (Role | null)[] }[]>`
    select a.administrator, array(
      select o.role from project_members m
        left join project_members o on o.project_id = m.project_id and o.account_id = ${other}::uuid
      where m.account_id = a.account_id
    ) as roles
    from accounts a where a.account_id = ${accountId}`
  return row
}

export async function insertInvitation(
  tx: Tx,
  invitation: {
    invitationId: string
    projectId: string
    tokenHash: Buffer
    role: Role
    note: string | null
    invitedBy: string | null
    validUntil: number
    ctime: number
  },
): Promise<void> {
  await tx`
    insert into invitations (invitation_id, project_id, token_hash, role, note, invited_by, valid_until, ctime)
    values (
      ${invitation.invitationId}, ${invitation.projectId}, ${invitation.tokenHash}, ${invitation.role},
      ${invitation.note}, ${invitation.invitedBy}, ${invitation.validUntil}, ${invitation.ctime})`
}

const invitationColumns = (sql: Sql | Tx) => sql`
  i.invitation_id, i.role, i.note, coalesce(a.name, 'admin') as invited_by, i.valid_until, i.ctime`

/** Roles whose members may invite. */
const inviters = roles.filter((role) => may(role, 'project.manage'))

/**
 * Selects invitations that can be used: not expired, and the inviting account still has the right to invite. Those made
 * with the admin token have no inviting account.
 */
const usableInvitations = (sql: Sql | Tx, now: number) => sql`
  i.valid_until > ${now}
  and (select p.archived_time from projects p where p.project_id = i.project_id) is null
  and (
    i.invited_by is null
    or exists (
      select from accounts inviter where inviter.account_id = i.invited_by and inviter.active and (
        inviter.administrator
        or exists (
          select from project_members m
          where m.project_id = i.project_id and m.account_id = i.invited_by and m.role = any(${inviters})
        )
      )
    )
  )`

/** Returns pending invitations, newest first, or only `invitationId` if given. */
export function listInvitationRows(
  sql: Sql | Tx,
  projectId: string,
  {
    now,
    invitationId,
    before,
    limit,
  }: { now: number; invitationId?: string; before?: string | undefined; limit: number },
): Rows<Invitation> {
  return sql<Invitation[]>`
    select ${invitationColumns(sql)}
    from invitations i left join accounts a on a.account_id = i.invited_by
    where i.project_id = ${projectId} and ${usableInvitations(sql, now)}
      ${invitationId === undefined ? sql`` : sql`and i.invitation_id = ${invitationId}`}
      ${before === undefined ? sql`` : sql`and i.invitation_id < ${before}`}
    order by i.invitation_id desc
    limit ${limit}`
}

/** Returns the pending invitation with this token. */
export async function findInvitationByToken(
  sql: Sql | Tx,
  tokenHash: Buffer,
  now: number,
): Promise<(Invitation & { projectName: string }) | undefined> {
  const [row] = await sql<(Invitation & { projectName: string })[]>`
    select ${invitationColumns(sql)}, p.name as project_name
    from invitations i join projects p using (project_id) left join accounts a on a.account_id = i.invited_by
    where i.token_hash = ${tokenHash} and ${usableInvitations(sql, now)}`
  return row
}

/** Deletes and returns the invitation with this token. Of concurrent callers only one gets it. */
export async function claimInvitation(
  tx: Tx,
  tokenHash: Buffer,
  now: number,
): Promise<{ invitationId: string; projectId: string; role: Role } | undefined> {
  const [row] = await tx<{ invitationId: string; projectId: string; role: Role }[]>`
    delete from invitations i where i.token_hash = ${tokenHash} and ${usableInvitations(tx, now)}
    returning
      invitation_id, project_id, role`
  return row
}

export async function deleteInvitation(tx: Tx, projectId: string, invitationId: string): Promise<boolean> {
  const { count } = await tx`
    delete from invitations where project_id = ${projectId} and invitation_id = ${invitationId}`
  return count === 1
}

/** Deletes the invitations that an account has created, in one project if given. */
export async function deleteInvitationsBy(tx: Tx, accountId: string, projectId?: string): Promise<void> {
  await tx`
    delete from invitations
    where invited_by = ${accountId} ${projectId === undefined ? tx`` : tx`and project_id = ${projectId}`}`
}

export async function deleteInvitationsBefore(sql: Sql, now: number): Promise<void> {
  await sql`delete from invitations where valid_until <= ${now}`
}
