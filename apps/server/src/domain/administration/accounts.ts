import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import {
  disableAccount,
  enableAccount,
  findPasswordResetByToken,
  hashPassword,
  issuePasswordReset,
  lockAccount,
  replacePassword,
  type StartedSession,
  startSession,
} from '../accounts/index.ts'
import { audit } from '../audit/index.ts'
import type { AnyoneCaller, ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { authoriseOver, deleteInvitationsBy, hasOtherOwner, lockProjectsOf } from '../projects/index.ts'

type Operations = typeof consoleOperations

/**
 * Disables an account, or enables it again (ADR 200). Disabling ends what it has open at once, and the invitations and
 * links that it has made.
 * @throws SoukError `own_account`, `last_owner`, `last_administrator`
 */
export async function updateAccount(
  context: Context,
  caller: ConsoleCaller,
  { accountId, enabled }: ParametersOf<Operations['updateAccount']>,
): Promise<true> {
  notOneself(caller, accountId, 'Somebody else has to.')
  await context.sql.begin(async (tx) => {
    const projects = await lockProjectsOf(tx, accountId)
    if (enabled) {
      if (await enableAccount(tx, accountId)) await auditIn(context, tx, caller, projects, 'account.enable', accountId)
      return
    }
    const alone: string[] = []
    for (const { projectId, name, role } of projects) {
      if (role === 'owner' && !(await hasOtherOwner(tx, projectId, accountId))) alone.push(name)
    }
    if (alone.length > 0) throw new SoukError('last_owner', `Give another owner to: ${alone.join(', ')}.`)
    if (!(await disableAccount(tx, accountId))) return
    await deleteInvitationsBy(tx, accountId)
    await auditIn(context, tx, caller, projects, 'account.disable', accountId)
  })
  return true
}

/**
 * Makes the link by which somebody who has forgotten the password sets a new one (ADR 200). It is given here and never
 * again.
 * @throws SoukError `own_account`, `account_disabled`
 */
export async function createPasswordReset(
  context: Context,
  caller: ConsoleCaller,
  { accountId }: ParametersOf<Operations['createPasswordReset']>,
): Promise<ResultOf<Operations['createPasswordReset']>> {
  notOneself(caller, accountId, 'The password is changed under Profile.')
  return context.sql.begin(async (tx) => {
    const projects = await lockProjectsOf(tx, accountId)
    const account = await lockAccount(tx, accountId)
    if (!account?.enabled) throw new SoukError('account_disabled', 'Enable it first.')
    await auditIn(context, tx, caller, projects, 'account.createPasswordReset', accountId)
    return issuePasswordReset(context, tx, accountId, caller.kind === 'account' ? caller.accountId : null)
  })
}

/** Whose password a link is for, for whoever has it. @throws SoukError `password_reset_not_found` */
export async function showPasswordReset(
  context: Context,
  _caller: AnyoneCaller,
  { token }: ParametersOf<Operations['showPasswordReset']>,
): Promise<ResultOf<Operations['showPasswordReset']>> {
  const { username, name, validUntil } = await countingReset(context, token)
  return { username, name, validUntil }
}

/**
 * Sets a new password by a link, which is used up, and signs in.
 * @throws SoukError `password_reset_not_found`, `rate_limited`
 */
export async function resetPassword(
  context: Context,
  { address }: AnyoneCaller,
  { token, password }: ParametersOf<Operations['resetPassword']>,
): Promise<StartedSession> {
  // Nobody without a link may keep the server busy with hashing.
  const { accountId } = await countingReset(context, token)
  const hashedPassword = await hashPassword(password)
  return context.sql.begin(async (tx) => {
    const projects = await lockProjectsOf(tx, accountId)
    await lockAccount(tx, accountId)
    await countingReset(context, token, tx)
    const account = await replacePassword(tx, accountId, hashedPassword)
    const self = { kind: 'account', accountId, administrator: account.administrator, via: 'session' } as const
    await auditIn(context, tx, { ...self, ...(address && { address }) }, projects, 'account.resetPassword', accountId)
    return startSession(context, tx, account, address)
  })
}

/** A link that counts: whoever made it could still make it now. @throws SoukError `password_reset_not_found` */
async function countingReset(context: Context, token: string, sql: Context['sql'] | Tx = context.sql) {
  const reset = await findPasswordResetByToken(context, sql, token)
  if (reset === undefined) throw new SoukError('password_reset_not_found')
  const { accountId, maker } = reset
  if (maker !== null) {
    await authoriseOver({ sql }, { kind: 'account', ...maker }, accountId, 'project.manage').catch((error: unknown) => {
      throw error instanceof SoukError ? new SoukError('password_reset_not_found') : error
    })
  }
  return reset
}

function notOneself(caller: ConsoleCaller, accountId: string, reason: string): void {
  if (caller.kind === 'account' && caller.accountId === accountId) throw new SoukError('own_account', reason)
}

/** Notes what was done to an account where the owners of its projects see it. */
async function auditIn(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller,
  projects: readonly { projectId: string }[],
  action: string,
  accountId: string,
): Promise<void> {
  const places = projects.length > 0 ? projects : [{ projectId: undefined }]
  for (const { projectId } of places) await audit(context, tx, caller, { action, subject: accountId, projectId })
}
