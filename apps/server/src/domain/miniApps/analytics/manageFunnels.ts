import { type consoleOperations, customEventLimits, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { listDeclarations } from '../customEvents/index.ts'
import { deleteFunnelRow, insertFunnel, listFunnels } from './funnels.store.ts'

type Operations = typeof consoleOperations

/**
 * Creates a funnel. The days of which events are stored are counted, too.
 * @throws SoukError `app_not_found`, `custom_event_not_found`, `funnel_limit_reached`
 */
export async function createFunnel(
  context: Context,
  caller: ConsoleCaller,
  { appid, name, steps }: ParametersOf<Operations['createFunnel']>,
): Promise<ResultOf<Operations['createFunnel']>> {
  return context.sql.begin(async (tx) => {
    // Serializes creations, so that the limit holds.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    const declared = await listDeclarations(tx, appid)
    const unknown = steps.find((step) => !Object.hasOwn(declared, step))
    if (unknown !== undefined) throw new SoukError('custom_event_not_found', `${unknown} is not declared.`)
    if ((await listFunnels(tx, appid)).length >= customEventLimits.funnels) {
      throw new SoukError('funnel_limit_reached', `The limit is ${customEventLimits.funnels}; delete unused funnels.`)
    }
    const funnel = { funnelId: newId(), name, steps, ctime: context.clock.real() }
    await insertFunnel(tx, appid, funnel)
    const detail = { funnelId: funnel.funnelId, name, steps }
    await audit(context, tx, caller, { action: 'funnel.create', subject: appid, projectId, detail })
    return funnel
  })
}

/** @throws SoukError `funnel_not_found` */
export async function deleteFunnel(
  context: Context,
  caller: ConsoleCaller,
  { appid, funnelId }: ParametersOf<Operations['deleteFunnel']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    if (!(await deleteFunnelRow(tx, appid, funnelId))) throw new SoukError('funnel_not_found')
    await audit(context, tx, caller, { action: 'funnel.delete', subject: appid, projectId, detail: { funnelId } })
  })
  return true
}
