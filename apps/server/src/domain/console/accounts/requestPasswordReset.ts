import type { consoleOperations, ParametersOf } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import type { AnyoneCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { requireMail, sendToAccount } from '../../messages/index.ts'
import { admitRequest } from './lockout.ts'
import { issuePasswordReset } from './passwordReset.ts'
import { requirePasswordSignIn } from './sessions.ts'
import { existsPasswordReset, listAccountsByNameOrEmail, lockAccount } from './store.ts'

type Operations = typeof consoleOperations

/**
 * Requests a password reset link for the confirmed address of an account. The response and its time are the same for
 * accounts that do not exist, since a job looks the account up.
 *
 * @throws SoukError `mail_not_configured`, `password_sign_in_off`, `rate_limited`
 */
export async function requestPasswordReset(
  context: Context<'mailer'>,
  { address }: AnyoneCaller,
  { username }: ParametersOf<Operations['requestPasswordReset']>,
): Promise<true> {
  requireMail(context)
  await requirePasswordSignIn(context)
  await admitRequest(context, address)
  const payload = { username: username.toLowerCase() }
  await context.sql.begin((tx) => enqueue(tx, { name: 'sendRequestedReset', payload }))
  return true
}

/**
 * Job: sends the requested link. A link that is still valid is not replaced, so that requests of strangers neither
 * invalidate it nor fill the mailbox.
 */
export async function sendRequestedReset(context: Context<'mailer' | 'vault'>, username: string): Promise<void> {
  for (const account of await listAccountsByNameOrEmail(context.sql, username)) {
    await context.sql.begin(async (tx) => {
      const { accountId } = account
      // Another job may be creating a link.
      await lockAccount(tx, accountId)
      if (await existsPasswordReset(tx, accountId, context.clock.real())) return
      await sendReset(context, tx, account, null)
    })
  }
}

/** Creates a password reset link and sends it. Returns false if the account has no confirmed address. */
export async function sendReset(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  { accountId, username }: { accountId: string; username: string },
  madeBy: string | null,
): Promise<boolean> {
  const { token, validUntil } = await issuePasswordReset(context, tx, accountId, madeBy)
  return sendToAccount(context, tx, accountId, { kind: 'passwordReset', values: { username, token, validUntil } })
}
