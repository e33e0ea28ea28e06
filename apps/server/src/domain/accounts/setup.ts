import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import type { AnyoneCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { createAccount } from './createAccount.ts'
import { hashPassword } from './passwords.ts'
import { type StartedSession, startSession } from './sessions.ts'
import { deleteSetupTokens, hasAdministrator, hasSetupToken, insertSetupToken, lockSetup } from './store.ts'

type Operations = typeof consoleOperations

/**
 * At the start of a server: lets a link with this token create the first administrator, as long as there is none. Servers
 * that share a database each have a link; the first that is used ends all. Whether there is still something to set up.
 */
export async function allowSetup(context: Pick<Context, 'sql' | 'clock'>, token: string): Promise<boolean> {
  if (await hasAdministrator(context.sql)) return false
  await insertSetupToken(context.sql, sha256(token), context.clock.real())
  return true
}

/** Whether the first administrator is yet to be created. */
export async function getSetup(context: Context): Promise<ResultOf<Operations['getSetup']>> {
  return {
    open: !(await hasAdministrator(context.sql)),
    environment: context.settings.sandbox ? 'sandbox' : 'live',
  }
}

/**
 * Creates the first administrator by the one-time link, and signs it in (ADR 200).
 * @throws SoukError `setup_closed`, `rate_limited`
 */
export async function setUp(
  context: Context,
  { address }: AnyoneCaller,
  input: ParametersOf<Operations['setUp']>,
): Promise<StartedSession> {
  // Nobody without the link may keep the server busy with hashing.
  await context.sql.begin(async (tx) => {
    if ((await hasAdministrator(tx)) || !(await hasSetupToken(tx, sha256(input.token)))) throw closed()
  })
  const { username, name, language } = input
  const hashedPassword = await hashPassword(input.password)
  return context.sql.begin(async (tx) => {
    await lockSetup(tx)
    if ((await hasAdministrator(tx)) || !(await hasSetupToken(tx, sha256(input.token)))) throw closed()
    const account = await createAccount(context, tx, address, {
      username,
      name,
      language,
      hashedPassword,
      administrator: true,
    })
    await deleteSetupTokens(tx)
    return startSession(context, tx, account, address)
  })
}

function closed(): SoukError {
  return new SoukError('setup_closed', 'The link stands in the terminal in which the server was started.')
}
