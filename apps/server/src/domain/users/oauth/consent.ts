import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { App } from '../../app.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listUserScopeRows } from '../scopes/index.ts'
import { scopesCoveredBy } from './scopes.ts'
import { findConsent, listConsentRows, updateConsentedCodesEnd, updateNotice, upsertEmptyConsent } from './store.ts'

/** Returns the scopes that the user has granted to the mini app. @throws SoukError `app_not_found` */
export async function getConsent(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.getConsent>,
): Promise<ResultOf<typeof hostOperations.getConsent>> {
  const { appid, name } = await appForConsent(context, input.appid)
  const [consent, defined] = await Promise.all([
    findConsent(context.sql, appid, caller.uid),
    listUserScopeRows(context.sql),
  ])
  return {
    appid,
    name,
    scopes: scopesCoveredBy(consent?.scopes ?? [], defined),
    noticeDismissed: consent?.noticeDismissed ?? false,
  }
}

/** Lists the mini apps that know the user's name and picture, even disabled ones, by name. */
export async function listConsents(
  context: Context,
  caller: HostUserCaller,
): Promise<ResultOf<typeof hostOperations.listConsents>> {
  const [rows, defined] = await Promise.all([listConsentRows(context.sql, caller.uid), listUserScopeRows(context.sql)])
  return rows.map((row) => ({ ...row, scopes: scopesCoveredBy(row.scopes, defined) }))
}

/**
 * Remembers that the user has dismissed the notice of what the mini app learns at its first opening.
 * @throws SoukError `app_not_found`
 */
export async function dismissNotice(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.dismissNotice>,
): Promise<ResultOf<typeof hostOperations.dismissNotice>> {
  const { appid } = await appForConsent(context, input.appid)
  await updateNotice(context.sql, appid, caller.uid, context.clock.now())
  return true
}

/**
 * Withdraws all granted scopes; returns true even if there are none. Unexchanged codes with scopes that need consent
 * become invalid. Access tokens lose the scopes immediately, because `readUserInfo` reads the consent (ADR 285).
 * @throws SoukError `app_not_found`
 */
export async function withdrawConsent(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<typeof hostOperations.withdrawConsent>,
): Promise<ResultOf<typeof hostOperations.withdrawConsent>> {
  const { appid } = await appForConsent(context, input.appid)
  await context.sql.begin(async (tx) => {
    await upsertEmptyConsent(tx, appid, caller.uid, context.clock.now())
    // Real time is never ahead of the domain clock, so that setting back a sandbox's clock does not revive the codes.
    await updateConsentedCodesEnd(tx, appid, caller.uid, context.clock.real())
  })
  return true
}

/** Returns a mini app, even a disabled one: users can always see and withdraw their consent. */
async function appForConsent(context: Context, appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
  return app
}
