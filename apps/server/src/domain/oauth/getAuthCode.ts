import { type hostOperations, type ParametersOf, type ResultOf, type Scope, SoukError } from '@souk/contract'
import type { App } from '../app.ts'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { appForLogin, codeLifetime, issueCode } from './codes.ts'
import { parseScopes } from './scopes.ts'
import { upsertConsent } from './store.ts'

type Operation = typeof hostOperations.getAuthCode

/**
 * `neu.getAuthCode()` (open-api §1): with the user's consent, a code that carries exactly the scopes asked for. A
 * refusal leaves earlier consent as it is. @throws SoukError app_not_found, capability_missing, consent_refused
 */
export async function getAuthCode(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const app = await appForLogin(context, input.appid)
  if (!input.consent) throw new SoukError('consent_refused')
  const scopes = parseScopes(input.scope)
  const code = await issueConsentedCode(context, { app, uid: caller.uid, scopes })
  return { code, expire: codeLifetime, scope: scopes.join(',') }
}

/** Stores the consent and gives a code for it. */
export async function issueConsentedCode(
  context: Context,
  consented: { app: App; uid: number; scopes: readonly Scope[] },
): Promise<string> {
  const { app, uid, scopes } = consented
  const now = context.clock.now()
  return context.sql.begin(async (tx) => {
    // First, because its row orders this against a withdrawal at the same moment.
    await upsertConsent(tx, app.appid, uid, scopes, now)
    return issueCode(tx, { app, uid, scopes }, now)
  })
}
