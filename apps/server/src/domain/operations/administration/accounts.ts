import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AnyoneCaller, ConsoleCaller } from '../../caller.ts'
import {
  authorizeOver,
  deleteInvitationsBy,
  disableAccount,
  enableAccount,
  existsOtherOwner,
  existsSignOnProvider,
  findPasswordResetByToken,
  hashNewPassword,
  issuePasswordReset,
  liftState,
  lockAccount,
  lockProjectsOf,
  recordBlock,
  replacePassword,
  requireActive,
  requirePasswordSignIn,
  type StartedSession,
  sendReset,
  startSession,
} from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { requireMail, sendNotice } from '../../messages/index.ts'

type Operations = typeof consoleOperations

/**
 * Disables or enables an account (ADR 210). Disabling immediately ends its sessions and tokens, and the invitations and
 * password resets that it has created.
 * @throws SoukError `own_account`, `last_owner`, `last_administrator`, `blocked_by_operator`
 */
export async function updateAccount(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { accountId, enabled, reason }: ParametersOf<Operations['updateAccount']>,
): Promise<true> {
  rejectOwnAccount(caller, accountId, 'Ask another administrator or owner.')
  await context.sql.begin(async (tx) => {
    if (enabled) return enableAccountInTransaction(context, tx, caller, { accountId })
    const projects = await lockProjectsOf(tx, accountId)
    const ownedAlone: string[] = []
    for (const { projectId, name, role } of projects) {
      if (role === 'owner' && !(await existsOtherOwner(tx, projectId, accountId))) ownedAlone.push(name)
    }
    if (ownedAlone.length > 0) throw new SoukError('last_owner', `Add another owner to: ${ownedAlone.join(', ')}.`)
    const wasSet = !(await disableAccount(tx, accountId))
    const { name } = (await lockAccount(tx, accountId))!
    const subject = { state: 'accountDisabled', subject: accountId, name } as const
    await recordBlock(context, tx, caller, subject, { reason, wasSet })
    if (wasSet) return
    await deleteInvitationsBy(tx, accountId)
    const detail = reason === undefined ? {} : { reason }
    await auditInProjects(context, tx, caller, { action: 'account.disable', accountId, projects, detail })
  })
  return true
}

/** Enables an account in the transaction of the caller. @throws SoukError `blocked_by_operator` */
export async function enableAccountInTransaction(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { accountId, answer }: { accountId: string; answer?: string | undefined },
): Promise<void> {
  const projects = await lockProjectsOf(tx, accountId)
  await lockAccount(tx, accountId)
  await liftState(context, tx, caller, 'accountDisabled', accountId, answer)
  if (await enableAccount(tx, accountId)) {
    await auditInProjects(context, tx, caller, { action: 'account.enable', accountId, projects })
  }
}

/**
 * Creates a link to reset the password of an account (ADR 209). It is returned only here.
 * @throws SoukError `own_account`, `account_disabled`, `signs_on_at_provider`
 */
export async function createPasswordReset(
  context: Context,
  caller: ConsoleCaller,
  { accountId }: ParametersOf<Operations['createPasswordReset']>,
): Promise<ResultOf<Operations['createPasswordReset']>> {
  rejectOwnAccount(caller, accountId, 'Change your password under Profile.')
  return context.sql.begin(async (tx) => {
    await lockForReset(context, tx, caller, { action: 'account.createPasswordReset', accountId })
    return issuePasswordReset(context, tx, accountId, caller.kind === 'account' ? caller.accountId : null)
  })
}

/**
 * Sends a password reset link to the confirmed address of an account. Its maker never sees it.
 * @throws SoukError `own_account`, `account_disabled`, `signs_on_at_provider`, `email_missing`, `mail_not_configured`
 */
export async function sendPasswordReset(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { accountId }: ParametersOf<Operations['sendPasswordReset']>,
): Promise<true> {
  rejectOwnAccount(caller, accountId, 'Change your password under Profile.')
  requireMail(context)
  await context.sql.begin(async (tx) => {
    const account = await lockForReset(context, tx, caller, { action: 'account.sendPasswordReset', accountId })
    if (!(await sendReset(context, tx, account, caller.kind === 'account' ? caller.accountId : null))) {
      throw new SoukError('email_missing', 'Create a link and hand it over.')
    }
  })
  return true
}

/**
 * Locks an account whose password is to be reset, and records that.
 * @throws SoukError `account_disabled`, `account_suspended`, `signs_on_at_provider`
 */
async function lockForReset(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller,
  { action, accountId }: { action: string; accountId: string },
) {
  const projects = await lockProjectsOf(tx, accountId)
  const account = await lockAccount(tx, accountId)
  if (!account) throw new SoukError('account_not_found')
  if (account.suspension) throw new SoukError('account_suspended', 'Restore it first: souk sign-on restore.')
  requireActive(account, 'Enable it first.')
  if (await existsSignOnProvider(tx, accountId)) throw new SoukError('signs_on_at_provider')
  await auditInProjects(context, tx, caller, { action, accountId, projects })
  return account
}

/** Describes a password reset to anyone who has the link. @throws SoukError `password_reset_not_found` */
export async function showPasswordReset(
  context: Context,
  _caller: AnyoneCaller,
  { token }: ParametersOf<Operations['showPasswordReset']>,
): Promise<ResultOf<Operations['showPasswordReset']>> {
  const { username, name, validUntil } = await requirePasswordReset(context, token)
  return { username, name, validUntil }
}

/**
 * Sets a new password through a link, which is consumed, and signs the account in.
 * @throws SoukError `password_reset_not_found`, `password_weak`, `rate_limited`
 */
export async function resetPassword(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  { token, password }: ParametersOf<Operations['resetPassword']>,
): Promise<StartedSession> {
  const { address } = caller
  await requirePasswordSignIn(context)
  // Checked before hashing, so that callers without a link cannot keep the server busy.
  const { accountId, ...owner } = await requirePasswordReset(context, token)
  const hashedPassword = await hashNewPassword(password, owner)
  return context.sql.begin(async (tx) => {
    const projects = await lockProjectsOf(tx, accountId)
    await lockAccount(tx, accountId)
    await requirePasswordReset(context, token, tx)
    const account = await replacePassword(tx, accountId, hashedPassword)
    const self = {
      kind: 'account',
      accountId,
      administrator: account.administrator,
      via: 'session',
      ...(address && { address }),
    } as const
    await auditInProjects(context, tx, self, { action: 'account.resetPassword', accountId, projects })
    await sendNotice(context, tx, self, { kind: 'passwordChanged' })
    return startSession(context, tx, account, caller)
  })
}

/**
 * Returns the password reset of a token if its maker is still authorized to create it.
 * @throws SoukError `password_reset_not_found`
 */
async function requirePasswordReset(context: Context, token: string, sql: Context['sql'] | Tx = context.sql) {
  const reset = await findPasswordResetByToken(context, sql, token)
  if (reset === undefined) throw new SoukError('password_reset_not_found')
  const { accountId, maker } = reset
  if (maker !== null) {
    await authorizeOver({ sql }, { kind: 'account', ...maker }, accountId, 'project.manage').catch((error: unknown) => {
      throw error instanceof SoukError ? new SoukError('password_reset_not_found') : error
    })
  }
  return reset
}

function rejectOwnAccount(caller: ConsoleCaller, accountId: string, reason: string): void {
  if (caller.kind === 'account' && caller.accountId === accountId) throw new SoukError('own_account', reason)
}

/** Records a change of an account in the audit log of each of its projects, so that their owners see it. */
async function auditInProjects(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller,
  {
    accountId,
    projects,
    ...entry
  }: { action: string; accountId: string; projects: readonly { projectId: string }[]; detail?: { reason?: string } },
): Promise<void> {
  const entries = projects.length > 0 ? projects : [{ projectId: undefined }]
  for (const { projectId } of entries) await audit(context, tx, caller, { ...entry, subject: accountId, projectId })
}
