import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { App } from '../../app.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { lockUserScopes } from '../scopes/index.ts'
import { appForLogin, codeLifetime, issueCode } from './codes.ts'
import { consentFor, knownScopes, parseScopes } from './scopes.ts'
import { upsertConsent } from './store.ts'

type Operation = typeof hostOperations.getAuthCode

/**
 * Implements `neu.getAuthCode()` (open-api §1): with the user's consent, creates a code with exactly those of the
 * requested scopes that the installation knows. If the user declines, earlier consent remains.
 * @throws SoukError `app_not_found`, `capability_missing`, `consent_refused`, `scope_not_granted`
 */
export async function getAuthCode(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const app = await appForLogin(context, input.appid)
  if (!input.consent) throw new SoukError('consent_refused')
  const requested = parseScopes(input.scope)
  const { code, scopes } = await issueConsentedCode(context, { app, uid: caller.uid, requested })
  return { code, expire: codeLifetime, scope: scopes.join(',') }
}

/**
 * Stores the consent and creates a code for it, with those of the scopes that the installation knows.
 * @throws SoukError `scope_not_granted` if it knows none
 */
export async function issueConsentedCode(
  context: Context,
  { app, uid, requested }: { app: App; uid: number; requested: readonly string[] },
): Promise<{ code: string; scopes: string[] }> {
  const now = context.clock.now()
  return context.sql.begin(async (tx) => {
    // First, so that a concurrent removal of a scope ends this consent too.
    const defined = await lockUserScopes(tx)
    const scopes = knownScopes(requested, defined)
    // Before the code, since the lock on its row serializes this with a concurrent withdrawal.
    await upsertConsent(tx, app.appid, uid, consentFor(scopes, defined), now)
    return { code: await issueCode(tx, { app, uid, scopes }, now), scopes }
  })
}
