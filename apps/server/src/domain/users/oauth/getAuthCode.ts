import { type hostOperations, type ParametersOf, type ResultOf, type Scope, SoukError } from '@souk/contract'
import type { App } from '../../app.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appForLogin, codeLifetime, issueCode } from './codes.ts'
import { consentFor, parseScopes } from './scopes.ts'
import { upsertConsent } from './store.ts'

type Operation = typeof hostOperations.getAuthCode

/**
 * Implements `neu.getAuthCode()` (open-api §1): with the user's consent, creates a code with exactly the requested
 * scopes. If the user declines, earlier consent remains.
 * @throws SoukError `app_not_found`, `capability_missing`, `consent_refused`
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

/** Stores the consent and creates a code for it. */
export async function issueConsentedCode(
  context: Context,
  grant: { app: App; uid: number; scopes: readonly Scope[] },
): Promise<string> {
  const { app, uid, scopes } = grant
  const now = context.clock.now()
  return context.sql.begin(async (tx) => {
    // First, since the lock on its row serializes this with a concurrent withdrawal.
    await upsertConsent(tx, app.appid, uid, consentFor(scopes), now)
    return issueCode(tx, { app, uid, scopes }, now)
  })
}
