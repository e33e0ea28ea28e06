import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { App } from '../app.ts'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { clearConsent, expireConsentedCodes, findConsent } from './store.ts'

/** What the user has granted to the mini app so far; nothing before the first consent. @throws SoukError app_not_found */
export async function getConsent(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.getConsent>,
): Promise<ResultOf<typeof hostOperations.getConsent>> {
  const { appid, name } = await anyApp(context, input.appid)
  return { appid, name, scopes: await findConsent(context.sql, appid, caller.uid) }
}

/**
 * Takes back what was granted, true also when nothing was. Codes that carry more than user.info and have not been
 * exchanged stop working; access tokens run out by themselves (ADR 32). @throws SoukError app_not_found
 */
export async function withdrawConsent(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.withdrawConsent>,
): Promise<ResultOf<typeof hostOperations.withdrawConsent>> {
  const { appid } = await anyApp(context, input.appid)
  await context.sql.begin(async (tx) => {
    await clearConsent(tx, appid, caller.uid, context.clock.now())
    // Real time, which the domain clock is never behind: setting a sandbox's clock back must not revive them.
    await expireConsentedCodes(tx, appid, caller.uid, context.clock.real())
  })
  return true
}

/** A mini app, disabled ones too: a user can always see and withdraw what it was granted. */
async function anyApp(context: Context, appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found', `There is no mini app ${appid}.`)
  return app
}
