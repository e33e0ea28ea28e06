import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findUser } from '../identity/index.ts'
import { appForLogin } from './codes.ts'
import { issueConsentedCode } from './getAuthCode.ts'
import { parseScopes } from './scopes.ts'

type Operation = typeof consoleOperations.createCode

/**
 * Creates the login code that `neu.getAuthCode()` returns if the mock user consents.
 * @throws SoukError `app_not_found`, `capability_missing`, `user_not_found`
 */
export async function createCode(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, uid, scope = 'user.info' } = input
  const app = await appForLogin(context, appid)
  if ((await findUser(context.sql, uid)) === undefined) {
    throw new SoukError('user_not_found', `uid: ${uid}`)
  }
  const { projectId } = app
  await context.sql.begin((tx) =>
    audit(context, tx, caller, { action: 'sandbox.createCode', subject: appid, projectId, detail: { uid, scope } }),
  )
  return { code: await issueConsentedCode(context, { app, uid, scopes: parseScopes(scope) }) }
}
