import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { existsEnabledUser } from '../identity/index.ts'
import { appForLogin } from './codes.ts'
import { issueConsentedCode } from './getAuthCode.ts'
import { issueLoginCode } from './login.ts'
import { parseScopes } from './scopes.ts'

type Operation = typeof consoleOperations.createCode

/**
 * Creates the login code that `neu.login()` returns to the mock user, or with a scope the one of `neu.getAuthCode()` if
 * the user consents.
 * @throws SoukError `app_not_found`, `capability_missing`, `user_not_found`, also if it is disabled or erased, and
 * `scope_not_granted`
 */
export async function createCode(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, uid, scope } = input
  const app = await appForLogin(context, appid)
  if (!(await existsEnabledUser(context.sql, uid))) throw new SoukError('user_not_found', `uid: ${uid}`)
  const { projectId } = app
  await context.sql.begin((tx) =>
    audit(context, tx, caller, {
      action: 'sandbox.createCode',
      subject: appid,
      projectId,
      detail: { uid, scope: scope ?? null },
    }),
  )
  if (scope === undefined) return { code: await issueLoginCode(context, app, uid) }
  const { code } = await issueConsentedCode(context, { app, uid, requested: parseScopes(scope) })
  return { code }
}
