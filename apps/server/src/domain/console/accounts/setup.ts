import { type consoleOperations, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import {
  deleteSetupTokens,
  existsAdministrator,
  existsSetupToken,
  findPasswordSignIn,
  insertSetupToken,
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
  if (await existsAdministrator(tx)) await deleteSetupTokens(tx)
}

/** Returns whether the link works: it also restores access if passwords are off and sign-on providers fail. */
async function isSetupOpen(sql: Sql | Tx): Promise<boolean> {
  return !(await existsAdministrator(sql)) || !(await findPasswordSignIn(sql))
}

/** Returns whether the first administrator has yet to be created, or the link is needed to restore access. */
export async function getSetup(context: Context<'mailer'>): Promise<ResultOf<Operations['getSetup']>> {
  return {
    open: await isSetupOpen(context.sql),
    environment: context.settings.sandbox ? 'sandbox' : 'live',
    mail: context.mailer !== undefined,
  }
}

/** @throws SoukError `setup_closed` unless the link with this token can create an administrator */
export async function requireSetupToken(tx: Tx, token: string): Promise<void> {
  if ((await isSetupOpen(tx)) && (await existsSetupToken(tx, sha256(token)))) return
  throw new SoukError('setup_closed', 'The link is shown in the terminal in which the server was started.')
}
