import {
  type consoleOperations,
  day,
  minute,
  type ParametersOf,
  type ResultOf,
  SoukError,
  second,
} from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newToken } from '../../../kernel/id.ts'
import type { AccountCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { queueMail, requireMail, sendNotice } from '../../messages/index.ts'
import {
  type Account,
  claimEmailConfirmation,
  deleteEmailConfirmation,
  deletePasswordReset,
  findEmail,
  findEmailConfirmation,
  insertEmailConfirmation,
  lockAccount,
  updateEmail,
} from './store.ts'

type Operations = typeof consoleOperations
type EmailState = ResultOf<Operations['getEmail']>

/** Lifetime of a confirmation link in real time. */
const lifetime = day
/** Minimum time between two confirmation mails of an account. */
const interval = minute

/** Returns the e-mail address of the caller's account. */
export async function getEmail(context: Context, caller: AccountCaller): Promise<EmailState> {
  return stateOf(context, context.sql, caller.accountId)
}

/**
 * Sends a confirmation link to a new address of the caller, or removes its address.
 * @throws SoukError `mail_not_configured`, `rate_limited`
 */
export async function changeEmail(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  { email }: ParametersOf<Operations['changeEmail']>,
): Promise<EmailState> {
  return change(context, caller, caller.accountId, email)
}

/**
 * Sends a confirmation link for an account to an address, or removes the address of the account.
 * @throws SoukError `account_not_found`, `mail_not_configured`, `rate_limited`
 */
export async function changeEmailOf(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { accountId, email }: ParametersOf<Operations['changeEmailOf']>,
): Promise<EmailState> {
  return change(context, caller, accountId, email)
}

async function change(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  accountId: string,
  email: string | null,
): Promise<EmailState> {
  if (email !== null) requireMail(context)
  return context.sql.begin(async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account) throw new SoukError('account_not_found')
    if (email === null) await removeEmail(context, tx, caller, account)
    else await sendConfirmation(context, tx, caller, account, email.toLowerCase())
    const action = email === null ? 'account.removeEmail' : 'account.changeEmail'
    await audit(context, tx, caller, { action, subject: accountId })
    return stateOf(context, tx, accountId)
  })
}

async function removeEmail(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { accountId }: Account,
): Promise<void> {
  await sendNotice(context, tx, { accountId, address: caller.address }, { kind: 'emailChanged' })
  await deleteEmailConfirmation(tx, accountId)
  await deletePasswordReset(tx, accountId)
  await updateEmail(tx, accountId, null)
}

async function sendConfirmation(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { accountId, username, language }: Account,
  email: string,
): Promise<void> {
  const now = context.clock.real()
  const last = await findEmailConfirmation(tx, accountId, now)
  if (last && now - last.ctime < interval) {
    const retryAfter = Math.ceil((last.ctime + interval - now) / second)
    throw new SoukError('rate_limited', `A mail has just been sent; try again in ${retryAfter} s.`, {
      data: { retryAfter },
    })
  }
  const token = newToken('souk_email')
  const validUntil = now + lifetime
  await insertEmailConfirmation(tx, { accountId, email, tokenHash: sha256(token), validUntil, ctime: now })
  await queueMail(context, tx, {
    kind: 'emailConfirmation',
    recipient: email,
    language,
    values: { username, validUntil, token },
    requestedBy: caller.kind === 'account' ? caller.accountId : undefined,
  })
}

/**
 * Confirms the address that the link was sent to. Consumes the link unless it throws.
 * @throws SoukError `email_confirmation_not_found` also for a link of another account; `email_taken`
 */
export async function confirmEmail(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  { token }: ParametersOf<Operations['confirmEmail']>,
): Promise<EmailState> {
  const { accountId, address } = caller
  return context.sql.begin(async (tx) => {
    // Before the confirmation, as when the address is changed or removed.
    await lockAccount(tx, accountId)
    const email = await claimEmailConfirmation(tx, accountId, sha256(token), context.clock.real())
    if (email === undefined) {
      throw new SoukError('email_confirmation_not_found', 'Sign in with the account that the mail names.')
    }
    if (email !== (await findEmail(tx, accountId))) {
      await sendNotice(context, tx, { accountId, address }, { kind: 'emailChanged' })
      // A link in the old mailbox.
      await deletePasswordReset(tx, accountId)
    }
    if (!(await updateEmail(tx, accountId, email))) throw new SoukError('email_taken', 'Use another address.')
    await audit(context, tx, caller, { action: 'account.confirmEmail', subject: accountId })
    return stateOf(context, tx, accountId)
  })
}

async function stateOf({ clock }: Context, sql: Sql | Tx, accountId: string): Promise<EmailState> {
  const pending = await findEmailConfirmation(sql, accountId, clock.real())
  return { email: (await findEmail(sql, accountId)) ?? null, pending: pending?.email ?? null }
}
