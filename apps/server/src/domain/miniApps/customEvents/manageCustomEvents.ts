import { type consoleOperations, findEventsProblem, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { deleteCustomEvent, listCustomEventRows, listRulesOfEvent, upsertCustomEvent } from './store.ts'

type Operations = typeof consoleOperations

export async function listCustomEvents(
  { sql }: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['listCustomEvents']>,
): Promise<ResultOf<Operations['listCustomEvents']>> {
  return listCustomEventRows(sql, appid)
}

/**
 * Declares an event, or replaces its declaration.
 * @throws SoukError `app_not_found`, `custom_event_limit_reached`
 */
export async function putCustomEvent(
  context: Context,
  caller: ConsoleCaller,
  { appid, name, description = '', fields }: ParametersOf<Operations['putCustomEvent']>,
): Promise<ResultOf<Operations['putCustomEvent']>> {
  const declared = { name, description, fields }
  return context.sql.begin(async (tx) => {
    // Serializes changes, so that the limits hold.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    const others = (await listCustomEventRows(tx, appid)).filter((each) => each.name !== name)
    const all = [...others, declared].map((each) => [each.name, { description: each.description, fields: each.fields }])
    const problem = findEventsProblem(Object.fromEntries(all))
    if (problem !== undefined) throw new SoukError('custom_event_limit_reached', `${problem}.`)
    const event = { ...declared, setBy: 'console', version: null, mtime: context.clock.real() } as const
    await upsertCustomEvent(tx, appid, event)
    await audit(context, tx, caller, { action: 'customEvent.put', subject: appid, projectId, detail: declared })
    return event
  })
}

/**
 * Removes an event that no alert rule watches: a rule would raise an alert, and then never again. Its counts stay.
 * @throws SoukError `custom_event_not_found`, `custom_event_in_use`
 */
export async function removeCustomEvent(
  context: Context,
  caller: ConsoleCaller,
  { appid, name }: ParametersOf<Operations['removeCustomEvent']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    // Also changes of alert rules lock the mini app.
    const projectId = await lockApp(tx, appid)
    const rules = await listRulesOfEvent(tx, appid, name)
    if (rules.length > 0) throw new SoukError('custom_event_in_use', inUse(name, rules))
    if (!(await deleteCustomEvent(tx, appid, name))) throw new SoukError('custom_event_not_found')
    await audit(context, tx, caller, { action: 'customEvent.remove', subject: appid, projectId, detail: { name } })
  })
  return true
}

function inUse(name: string, rules: Awaited<ReturnType<typeof listRulesOfEvent>>): string {
  const shown = rules.map(
    ({ ruleId, threshold, window }) => `${ruleId} (below ${threshold} users in ${window} minutes)`,
  )
  return `${name} is watched by ${rules.length === 1 ? 'the alert rule' : 'the alert rules'} ${shown.join(', ')}.`
}
