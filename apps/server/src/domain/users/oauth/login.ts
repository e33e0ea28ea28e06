import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { App } from '../../app.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listUserScopeRows } from '../scopes/index.ts'
import { appForLogin, codeLifetime, issueCode } from './codes.ts'
import { insertConsent } from './store.ts'

type Operation = typeof hostOperations.login

/**
 * Implements `neu.login()` (open-api §1): creates a code without a prompt, with the scope user.info and those of the
 * operator that need no consent. It gives the e-mail address only to mini apps that have the user's consent to it.
 * @throws SoukError `app_not_found`, `capability_missing`
 */
export async function login(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const app = await appForLogin(context, input.appid)
  return { code: await issueLoginCode(context, app, caller.uid), expire: codeLifetime }
}

/** Records that the mini app knows the user, and creates a code. */
export async function issueLoginCode(context: Context, app: App, uid: number): Promise<string> {
  const now = context.clock.now()
  return context.sql.begin(async (tx) => {
    await insertConsent(tx, app.appid, uid, now)
    const defined = await listUserScopeRows(tx)
    const open = defined.filter(({ requiresConsent }) => !requiresConsent).map(({ scope }) => scope)
    return issueCode(tx, { app, uid, scopes: ['user.info', ...open] }, now)
  })
}
