import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { announce } from '../../kernel/outbox.ts'
import type { AdminCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { createMerchant } from './ensureMerchant.ts'
import { audit, changeApp, changeMerchant } from './store.ts'

type Operation = typeof consoleOperations.updateApp

/**
 * Enables or disables a mini app, sets its capabilities, names its merchant (which it makes where there is none). What is
 * not given stays. @throws SoukError app_not_found, parameter_missing when nothing is given to change
 */
export async function updateApp(
  context: Context,
  caller: AdminCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, ...change } = input
  if (Object.values(change).every((value) => value === undefined)) {
    throw new SoukError(
      'parameter_missing',
      'Give at least one of enabled, capabilities, merchantName, merchantLogoUrl.',
    )
  }
  const now = context.clock.now()
  await context.sql.begin(async (tx) => {
    const app = await changeApp(tx, appid, { enabled: change.enabled, capabilities: change.capabilities })
    if (app === undefined) throw new SoukError('app_not_found', `There is no mini app ${appid}.`)
    if (change.merchantName !== undefined || change.merchantLogoUrl !== undefined) {
      await createMerchant(tx, { appid, name: app.name }, caller.kind, now)
      await changeMerchant(tx, appid, { name: change.merchantName, logoUrl: change.merchantLogoUrl })
    }
    await audit(tx, { time: now, actor: caller.kind, action: 'app.update', subject: appid, detail: change })
    await announce(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return true
}
