import { type consoleOperations, day, type ParametersOf, type ResultOf, type Role, SoukError } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId, newToken } from '../../../kernel/id.ts'
import type { AccountCaller, AnyoneCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { queueMail, requireMail } from '../../messages/index.ts'
import {
  createAccount,
  findAccount,
  hashNewPassword,
  requirePasswordSignIn,
  type StartedSession,
  startSession,
} from '../accounts/index.ts'
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

/** Lifetime of an invitation in real time. */
const lifetime = 7 * day

/**
 * Creates an invitation to a project, and sends its link to `email`, in the language of the inviting account. The link
 * is returned only here; the database stores the SHA-256 of its token.
 *
 * @throws SoukError `mail_not_configured`, `rate_limited`
 */
export async function createInvitation(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { projectId, role, note, email }: ParametersOf<Operations['createInvitation']>,
): Promise<ResultOf<Operations['createInvitation']>> {
  if (email !== undefined) requireMail(context)
  const token = newToken('souk_invitation')
  const invitationId = newId()
  const now = context.clock.real()
  const invitation = await context.sql.begin(async (tx) => {
    await insertInvitation(tx, {
      invitationId,
      projectId,
      ctime: now,
      note: note ?? email ?? null,
      role: role as Role,
      tokenHash: sha256(token),
      invitedBy: caller.kind === 'account' ? caller.accountId : null,
      validUntil: now + lifetime,
    })
    await audit(context, tx, caller, {
      action: 'invitation.create',
      subject: invitationId,
      projectId,
      detail: { role, ...(note && { note }) },
    })
    if (email !== undefined) await sendInvitation(context, tx, caller, { email, token })
    return (await listInvitationRows(tx, projectId, { now, invitationId, limit: 1 }))[0]!
  })
  return { invitation, token, link: `${context.settings.publicUrl}/console/invitation#${token}` }
}

async function sendInvitation(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { email, token }: { email: string; token: string },
): Promise<void> {
  const requestedBy = caller.kind === 'account' ? caller.accountId : undefined
  const inviter = requestedBy === undefined ? undefined : await findAccount(tx, requestedBy)
  const invitation = (await findInvitationByToken(tx, sha256(token), context.clock.real()))!
  const { projectName: project, role, invitedBy, validUntil } = invitation
  await queueMail(context, tx, {
    kind: 'invitation',
    recipient: email.toLowerCase(),
    language: inviter?.language ?? 'en',
    values: { project, role, invitedBy, validUntil, token },
    requestedBy,
  })
}

/** Lists invitations that can be used, newest first. */
export async function listInvitations(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, cursor, ...page }: ParametersOf<Operations['listInvitations']>,
): Promise<ResultOf<Operations['listInvitations']>> {
  const now = context.clock.real()
  const [before] = readCursor(cursor, ['id'])
  return readPage(context.sql, page, {
    list: (part) => listInvitationRows(context.sql, projectId, { now, ...part }),
    before,
    keyOf: ({ invitationId }) => [invitationId],
  })
}

/** Revokes an invitation. @throws SoukError `invitation_not_found` */
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

/** Describes an invitation to anyone who has the link. @throws SoukError `invitation_not_found` */
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
 * Makes the caller a member. Consumes the invitation unless it throws.
 * @throws SoukError `invitation_not_found`, `already_member`
 */
export async function acceptInvitation(
  context: Context,
  caller: AccountCaller,
  { token }: ParametersOf<Operations['acceptInvitation']>,
): Promise<Project> {
  const projectId = await context.sql.begin(async (tx) => {
    const now = context.clock.real()
    const invitation = await claimInvitation(tx, sha256(token), now)
    if (!invitation) throw new SoukError('invitation_not_found')
    const { projectId, role, invitationId } = invitation
    const { accountId } = caller
    if (!(await insertMember(tx, { projectId, accountId, role, givenRole: role }, now)))
      throw new SoukError('already_member')
    const detail = { role, invitationId }
    await audit(context, tx, caller, { action: 'member.join', subject: accountId, projectId, detail })
    return projectId
  })
  return getProject(context, caller, { projectId })
}

/**
 * Creates an account from an invitation, makes it a member and signs it in.
 * @throws SoukError `invitation_not_found`, `username_taken`, `password_weak`, `rate_limited`
 */
export async function joinByInvitation(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  { token, username, name, password, language }: ParametersOf<Operations['joinByInvitation']>,
): Promise<StartedSession> {
  const { address } = caller
  const tokenHash = sha256(token)
  await requirePasswordSignIn(context)
  // Checked before hashing, so that callers without a link cannot keep the server busy.
  if (!(await findInvitationByToken(context.sql, tokenHash, context.clock.real()))) {
    throw new SoukError('invitation_not_found')
  }
  const hashedPassword = await hashNewPassword(password, { username, name })
  return context.sql.begin(async (tx) => {
    const now = context.clock.real()
    const invitation = await claimInvitation(tx, tokenHash, now)
    if (!invitation) throw new SoukError('invitation_not_found')
    const input = { username, name, language, hashedPassword, administrator: false }
    const account = await createAccount(context, tx, address, input)
    const { projectId, role, invitationId } = invitation
    const { accountId } = account
    await insertMember(tx, { projectId, accountId, role, givenRole: role }, now)
    const self = {
      kind: 'account',
      accountId,
      administrator: false,
      via: 'session',
      ...(address && { address }),
    } as const
    const detail = { role, invitationId }
    await audit(context, tx, self, { action: 'member.join', subject: accountId, projectId, detail })
    return startSession(context, tx, account, caller)
  })
}

/** Job: deletes expired invitations. */
export async function pruneInvitations(context: Context): Promise<void> {
  await deleteInvitationsBefore(context.sql, context.clock.real())
}
