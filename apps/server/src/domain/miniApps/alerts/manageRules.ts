import {
  type consoleOperations,
  maxAlertRules,
  minute,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { listDeclarations } from '../customEvents/index.ts'
import {
  countRules,
  deleteRule,
  insertRule,
  listAlerts,
  listRules,
  lockRule,
  type Rule,
  type RuleFields,
  updateMute,
  updateRule,
} from './store.ts'

type Operations = typeof consoleOperations

export async function listAlertRules(
  { sql }: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['listAlertRules']>,
): Promise<ResultOf<Operations['listAlertRules']>> {
  const [rules, alerts] = await Promise.all([listRules(sql, appid), listAlerts(sql, appid)])
  return { rules, alerts }
}

/** @throws SoukError `alert_rule_limit_reached`, `custom_event_not_found`, `parameter_invalid` */
export async function createAlertRule(
  context: Context,
  caller: ConsoleCaller,
  { appid, ...given }: ParametersOf<Operations['createAlertRule']>,
): Promise<Rule> {
  const ruleId = newId()
  const rule = { ...given, event: given.event ?? null }
  return context.sql.begin(async (tx) => {
    // Serializes creations, so that the limit holds.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    if ((await countRules(tx, appid)) >= maxAlertRules) {
      throw new SoukError('alert_rule_limit_reached', `The limit is ${maxAlertRules}; delete unused rules.`)
    }
    await checkEvent(tx, appid, rule)
    await insertRule(tx, { ruleId, appid, ...rule }, context.clock.real())
    const detail = { ruleId, ...rule }
    await audit(context, tx, caller, { action: 'alertRule.create', subject: appid, projectId, detail })
    return (await lockRule(tx, appid, ruleId))!
  })
}

/**
 * Changes a rule. Absent fields stay unchanged, except the event of another metric.
 * @throws SoukError `alert_rule_not_found`, `custom_event_not_found`, `parameter_invalid`
 */
export async function updateAlertRule(
  context: Context,
  caller: ConsoleCaller,
  { appid, ruleId, ...rule }: ParametersOf<Operations['updateAlertRule']>,
): Promise<Rule> {
  return change(context, caller, { appid, ruleId }, 'alertRule.update', async (tx, before) => {
    const isSameMetric = (rule.metric ?? before.metric) === before.metric
    const changed = { ...fieldsOf(before), ...(!isSameMetric && { event: null }), ...rule }
    await checkEvent(tx, appid, changed)
    await updateRule(tx, ruleId, changed, context.clock.real())
    return { ...rule, before: fieldsOf(before) }
  })
}

/**
 * Mutes a rule for some minutes, or not at all for 0.
 * @throws SoukError `alert_rule_not_found`
 */
export async function muteAlertRule(
  context: Context,
  caller: ConsoleCaller,
  { appid, ruleId, minutes }: ParametersOf<Operations['muteAlertRule']>,
): Promise<Rule> {
  return change(context, caller, { appid, ruleId }, 'alertRule.mute', async (tx, { metric }) => {
    const now = context.clock.real()
    await updateMute(tx, ruleId, minutes === 0 ? null : now + minutes * minute, now)
    return { metric, minutes }
  })
}

/** @throws SoukError `alert_rule_not_found` */
export async function deleteAlertRule(
  context: Context,
  caller: ConsoleCaller,
  { appid, ruleId }: ParametersOf<Operations['deleteAlertRule']>,
): Promise<true> {
  await change(context, caller, { appid, ruleId }, 'alertRule.delete', async (tx, rule) => {
    await deleteRule(tx, ruleId)
    return fieldsOf(rule)
  })
  return true
}

/** Changes a rule in a transaction and records it. `run` returns the details for the audit log. */
async function change(
  context: Context,
  caller: ConsoleCaller,
  { appid, ruleId }: { appid: string; ruleId: string },
  action: `alertRule.${'update' | 'mute' | 'delete'}`,
  run: (tx: Tx, rule: Rule) => Promise<object>,
): Promise<Rule> {
  return context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const rule = await lockRule(tx, appid, ruleId)
    if (!rule) throw new SoukError('alert_rule_not_found')
    const detail = { ruleId, ...(await run(tx, rule)) }
    await audit(context, tx, caller, { action, subject: appid, projectId, detail })
    return (await lockRule(tx, appid, ruleId)) ?? rule
  })
}

/** @throws SoukError `parameter_invalid`, `custom_event_not_found` */
async function checkEvent(
  tx: Tx,
  appid: string,
  { metric, event }: Pick<RuleFields, 'metric' | 'event'>,
): Promise<void> {
  if ((metric === 'customEvent') !== (event !== null)) {
    const text = 'event must be the name of a custom event for the metric customEvent, and absent for others.'
    throw new SoukError('parameter_invalid', text, { data: { parameters: ['event'] } })
  }
  if (event !== null && !Object.hasOwn(await listDeclarations(tx, appid), event)) {
    throw new SoukError('custom_event_not_found', `${event} is not declared.`)
  }
}

function fieldsOf({ metric, event, threshold, window, minCount, roles, accountIds }: RuleFields): RuleFields {
  return { metric, event, threshold, window, minCount, roles, accountIds }
}
