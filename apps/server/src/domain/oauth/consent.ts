import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { App } from '../app.ts'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { clearConsent, expireConsentedCodes, findConsent } from './store.ts'

/** Returns the scopes that the user has granted to the mini app. @throws SoukError `app_not_found` */
export async function getConsent(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.getConsent>,
): Promise<ResultOf<typeof hostOperations.getConsent>> {
  const { appid, name } = await appForConsent(context, input.appid)
  return { appid, name, scopes: await findConsent(context.sql, appid, caller.uid) }
}

/**
 * Withdraws all granted scopes; returns true even if there are none. Unexchanged codes with more than user.info become
 * invalid; access tokens remain valid until they expire (ADR 32).
 * @throws SoukError `app_not_found`
 */
export async function withdrawConsent(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.withdrawConsent>,
): Promise<ResultOf<typeof hostOperations.withdrawConsent>> {
  const { appid } = await appForConsent(context, input.appid)
  await context.sql.begin(async (tx) => {
    await clearConsent(tx, appid, caller.uid, context.clock.now())
    // Real time is never ahead of the domain clock, so that setting back a sandbox's clock does not revive the codes.
    await expireConsentedCodes(tx, appid, caller.uid, context.clock.real())
  })
  return true
}

/** Returns a mini app, even a disabled one: users can always see and withdraw their consent. */
async function appForConsent(context: Context, appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
  return app
}
