import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { appForLogin, codeLifetime, issueCode } from './codes.ts'

type Operation = typeof hostOperations.login

/**
 * Implements `neu.login()` (open-api §1): creates a code with the scope user.info without a prompt.
 * @throws SoukError `app_not_found`, `capability_missing`
 */
export async function login(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const app = await appForLogin(context, input.appid)
  const now = context.clock.now()
  const code = await context.sql.begin((tx) => issueCode(tx, { app, uid: caller.uid, scopes: ['user.info'] }, now))
  return { code, expire: codeLifetime }
}
