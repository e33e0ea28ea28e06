import type { consoleOperations, ParametersOf } from '@souk/contract'
import type { AnyoneCaller } from '../../caller.ts'
import {
  createAccount,
  deleteSetupTokens,
  hashNewPassword,
  insertMissingOwners,
  lockSetup,
  requireSetupToken,
  type StartedSession,
  startSession,
} from '../../console/index.ts'
import type { Context } from '../../context.ts'

type Operations = typeof consoleOperations

/**
 * Creates an administrator through the one-time link and signs it in (ADR 206). It owns the projects that have no
 * members yet, such as the sandbox's first one.
 * @throws SoukError `setup_closed`, `password_weak`, `rate_limited`
 */
export async function setUp(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  input: ParametersOf<Operations['setUp']>,
): Promise<StartedSession> {
  const { username, name, language, token } = input
  // Checked before hashing, so that callers without the link cannot keep the server busy.
  await context.sql.begin((tx) => requireSetupToken(tx, token))
  const hashedPassword = await hashNewPassword(input.password, input)
  return context.sql.begin(async (tx) => {
    await lockSetup(tx)
    await requireSetupToken(tx, token)
    const account = await createAccount(context, tx, caller.address, {
      username,
      name,
      language,
      hashedPassword,
      administrator: true,
    })
    await insertMissingOwners(tx, account.accountId, context.clock.real())
    await deleteSetupTokens(tx)
    return startSession(context, tx, account, caller)
  })
}
