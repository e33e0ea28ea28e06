import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { notify } from '../../kernel/outbox.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { requireAdministrator } from '../projects/index.ts'
import { createMerchant } from './ensureMerchant.ts'
import { updateAppRow, updateMerchant } from './store.ts'

type Operation = typeof consoleOperations.updateApp
type Input = ParametersOf<Operation>

/**
 * Changes the settings of a mini app and its merchant, which is created if necessary. Omitted settings stay as they
 * are; null removes a URL.
 *
 * @throws SoukError `app_not_found`, `parameter_missing` without any setting, `parameter_invalid` (a default language
 *   that is not among `languages`, an invalid callback host), `permission_denied` (callbackHosts)
 */
export async function updateApp(context: Context, caller: ConsoleCaller, input: Input): Promise<ResultOf<Operation>> {
  const { appid, ...change } = input
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  if (given.length === 0) throw new SoukError('parameter_missing', 'Give at least one setting to change.')
  if (change.callbackHosts) checkCallbackHosts(context, caller, change.callbackHosts)

  await context.sql.begin(async (tx) => {
    const { merchantName, merchantLogoUrl, ...appChange } = change
    const app = await updateAppRow(tx, appid, appChange)
    if (app === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
    if ((change.language || change.languages) && !app.languages.includes(app.language)) {
      throw new SoukError('parameter_invalid', `The default language, ${app.language}, must be one of languages.`, {
        data: { parameters: ['language', 'languages'] },
      })
    }
    if (merchantName !== undefined || merchantLogoUrl !== undefined) {
      await createMerchant(context, tx, { appid, name: app.name, projectId: app.projectId }, caller)
      await updateMerchant(tx, appid, { name: merchantName, logoUrl: merchantLogoUrl })
    }
    const detail = Object.fromEntries(given)
    await audit(context, tx, caller, { action: 'app.update', subject: appid, projectId: app.projectId, detail })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return true
}

/** Only operators, not developers, may open a private network to callbacks (ADR 20). */
function checkCallbackHosts(context: Context, caller: ConsoleCaller, hosts: readonly string[]): void {
  requireAdministrator(caller, 'Only administrators may set callbackHosts.')
  const faults = hosts.map((entry) => context.egress.explainInvalidEntry(entry)).filter((fault) => fault !== null)
  if (faults.length > 0) {
    throw new SoukError('parameter_invalid', `callbackHosts: ${faults.join(' ')}`, {
      data: { parameters: ['callbackHosts'] },
    })
  }
}
