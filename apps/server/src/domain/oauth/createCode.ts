import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findUser } from '../identity/index.ts'
import { appForLogin } from './codes.ts'
import { issueConsentedCode } from './getAuthCode.ts'
import { parseScopes } from './scopes.ts'

type Operation = typeof consoleOperations.createCode

/**
 * A login code as `neu.getAuthCode()` would give it to a mock user who consents.
 * @throws SoukError app_not_found, capability_missing, user_not_found
 */
export async function createCode(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, uid, scope = 'user.info' } = input
  const app = await appForLogin(context, appid)
  if ((await findUser(context.sql, uid)) === undefined) {
    throw new SoukError('user_not_found', `There is no user ${uid}.`)
  }
  return { code: await issueConsentedCode(context, { app, uid, scopes: parseScopes(scope) }) }
}
