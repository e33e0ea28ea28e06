import { type consoleOperations, type ParametersOf, type ResultOf, type Role, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import { newId, newToken } from '../../kernel/id.ts'
import { createAccount, hashPassword, type StartedSession, startSession } from '../accounts/index.ts'
import { audit } from '../audit/index.ts'
import type { AccountCaller, AnyoneCaller, ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { getProject } from './projects.ts'
import {
  claimInvitation,
  deleteInvitation,
  deleteInvitationsBefore,
  findInvitationByToken,
  insertInvitation,
  insertMember,
  listInvitationRows,
  type Project,
} from './store.ts'

type Operations = typeof consoleOperations

/** ms of real time */
const LIFETIME = 7 * 86_400_000

/** Invites somebody into a project. The link is given here and never again; only the SHA-256 of its token is stored. */
export async function createInvitation(
  context: Context,
  caller: ConsoleCaller,
  { projectId, role, note }: ParametersOf<Operations['createInvitation']>,
): Promise<ResultOf<Operations['createInvitation']>> {
  const token = newToken('souk_invitation')
  const invitationId = newId()
  const now = context.clock.real()
  const invitation = await context.sql.begin(async (tx) => {
    await insertInvitation(tx, {
      invitationId,
      projectId,
      ctime: now,
      note: note ?? null,
      role: role as Role,
      tokenHash: sha256(token),
      invitedBy: caller.kind === 'account' ? caller.accountId : null,
      validUntil: now + LIFETIME,
    })
    await audit(context, tx, caller, {
      action: 'invitation.create',
      subject: invitationId,
      projectId,
      detail: { role, ...(note && { note }) },
    })
    return (await listInvitationRows(tx, projectId, now, invitationId))[0]!
  })
  return { invitation, token, link: `${context.settings.publicUrl}/console/invitation#${token}` }
}

/** Invitations that wait, newest first. */
export async function listInvitations(
  context: Context,
  _caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['listInvitations']>,
): Promise<ResultOf<Operations['listInvitations']>> {
  return listInvitationRows(context.sql, projectId, context.clock.real())
}

/** @throws SoukError `invitation_not_found` */
export async function revokeInvitation(
  context: Context,
  caller: ConsoleCaller,
  { projectId, invitationId }: ParametersOf<Operations['revokeInvitation']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    if (!(await deleteInvitation(tx, projectId, invitationId))) throw new SoukError('invitation_not_found')
    await audit(context, tx, caller, { action: 'invitation.revoke', subject: invitationId, projectId })
  })
  return true
}

/** What a link invites to, for whoever has it. @throws SoukError `invitation_not_found` */
export async function showInvitation(
  context: Context,
  _caller: AnyoneCaller,
  { token }: ParametersOf<Operations['showInvitation']>,
): Promise<ResultOf<Operations['showInvitation']>> {
  const found = await findInvitationByToken(context.sql, sha256(token), context.clock.real())
  if (!found) throw new SoukError('invitation_not_found')
  const { projectName, role, invitedBy, validUntil } = found
  return { projectName, role, invitedBy, validUntil }
}

/**
 * Makes the caller a member. The invitation is used up, unless it refuses.
 * @throws SoukError `invitation_not_found`, `already_member`
 */
export async function acceptInvitation(
  context: Context,
  caller: AccountCaller,
  { token }: ParametersOf<Operations['acceptInvitation']>,
): Promise<Project> {
  const projectId = await context.sql.begin(async (tx) => {
    const now = context.clock.real()
    const taken = await claimInvitation(tx, sha256(token), now)
    if (!taken) throw new SoukError('invitation_not_found')
    const { projectId, role, invitationId } = taken
    const { accountId } = caller
    if (!(await insertMember(tx, { projectId, accountId, role }, now))) throw new SoukError('already_member')
    const detail = { role, invitationId }
    await audit(context, tx, caller, { action: 'member.join', subject: accountId, projectId, detail })
    return projectId
  })
  return getProject(context, caller, { projectId })
}

/**
 * Creates an account by an invitation, makes it a member, and signs it in.
 * @throws SoukError `invitation_not_found`, `username_taken`, `rate_limited`
 */
export async function joinByInvitation(
  context: Context,
  { address }: AnyoneCaller,
  { token, username, name, password, language }: ParametersOf<Operations['joinByInvitation']>,
): Promise<StartedSession> {
  const tokenHash = sha256(token)
  // Nobody without a link may keep the server busy with hashing.
  if (!(await findInvitationByToken(context.sql, tokenHash, context.clock.real()))) {
    throw new SoukError('invitation_not_found')
  }
  const hashedPassword = await hashPassword(password)
  return context.sql.begin(async (tx) => {
    const now = context.clock.real()
    const taken = await claimInvitation(tx, tokenHash, now)
    if (!taken) throw new SoukError('invitation_not_found')
    const made = { username, name, language, hashedPassword, administrator: false }
    const account = await createAccount(context, tx, address, made)
    const { projectId, role, invitationId } = taken
    const { accountId } = account
    await insertMember(tx, { projectId, accountId, role }, now)
    const self = {
      kind: 'account',
      accountId,
      administrator: false,
      via: 'session',
      ...(address && { address }),
    } as const
    const detail = { role, invitationId }
    await audit(context, tx, self, { action: 'member.join', subject: accountId, projectId, detail })
    return startSession(context, tx, account, address)
  })
}

/** Deletes invitations that have ended. A job. */
export async function pruneInvitations(context: Context): Promise<void> {
  await deleteInvitationsBefore(context.sql, context.clock.real())
}
