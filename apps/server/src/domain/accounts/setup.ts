import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { AnyoneCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { createAccount } from './createAccount.ts'
import { hashNewPassword } from './passwords.ts'
import { type StartedSession, startSession } from './sessions.ts'
import {
  deleteSetupTokens,
  hasAdministrator,
  hasSetupToken,
  insertSetupToken,
  isPasswordSignInAllowed,
  lockSetup,
} from './store.ts'

type Operations = typeof consoleOperations

/**
 * Allows a link with this token to create an administrator. Returns false if there is one who can sign in with a
 * password. Called at startup; servers that share a database each have a link, and the first one used invalidates all.
 */
export async function allowSetup(context: Pick<Context, 'sql' | 'clock'>, token: string): Promise<boolean> {
  if (!(await isSetupOpen(context.sql))) return false
  await insertSetupToken(context.sql, sha256(token), context.clock.real())
  return true
}

/** Invalidates all links unless the first administrator has yet to be created. */
export async function closeSetup(tx: Tx): Promise<void> {
  if (await hasAdministrator(tx)) await deleteSetupTokens(tx)
}

/** The link is also the way back if password sign-in is off and the sign-on providers fail. */
async function isSetupOpen(sql: Sql | Tx): Promise<boolean> {
  return !(await hasAdministrator(sql)) || !(await isPasswordSignInAllowed(sql))
}

/** Returns whether the first administrator has yet to be created, or the link is the way back. */
export async function getSetup(context: Context): Promise<ResultOf<Operations['getSetup']>> {
  return {
    open: await isSetupOpen(context.sql),
    environment: context.settings.sandbox ? 'sandbox' : 'live',
    mail: context.mailer !== undefined,
  }
}

/**
 * Creates an administrator through the one-time link and signs it in (ADR 200).
 * @throws SoukError `setup_closed`, `password_weak`, `rate_limited`
 */
export async function setUp(
  context: Context,
  caller: AnyoneCaller,
  input: ParametersOf<Operations['setUp']>,
): Promise<StartedSession> {
  const { address } = caller
  // Checked before hashing, so that callers without the link cannot keep the server busy.
  await context.sql.begin(async (tx) => {
    if (!(await isSetupOpen(tx)) || !(await hasSetupToken(tx, sha256(input.token)))) throw closed()
  })
  const { username, name, language } = input
  const hashedPassword = await hashNewPassword(input.password, input)
  return context.sql.begin(async (tx) => {
    await lockSetup(tx)
    if (!(await isSetupOpen(tx)) || !(await hasSetupToken(tx, sha256(input.token)))) throw closed()
    const account = await createAccount(context, tx, address, {
      username,
      name,
      language,
      hashedPassword,
      administrator: true,
    })
    await deleteSetupTokens(tx)
    return startSession(context, tx, account, caller)
  })
}

function closed(): SoukError {
  return new SoukError('setup_closed', 'The link is shown in the terminal in which the server was started.')
}
