import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

type Listed = ResultOf<typeof consoleOperations.listAlertRules>

/** A rule as the console shows it. */
export type Rule = Listed['rules'][number]

/** The fields of a rule that a member can change. */
export type RuleFields = Pick<Rule, 'metric' | 'event' | 'threshold' | 'window' | 'minCount' | 'roles' | 'accountIds'>

const columns = (sql: Sql | Tx) => sql`
  rule_id, metric, event, threshold, window_minutes as window, min_count, roles, account_ids, muted_until, value, checked_time,
  raised as is_raised, ctime`

export async function listRules(sql: Sql, appid: string): Promise<Rule[]> {
  return sql<Rule[]>`select ${columns(sql)} from alert_rules where appid = ${appid} order by rule_id`
}

/** Returns the newest alerts of a mini app. */
export async function listAlerts(sql: Sql, appid: string): Promise<Listed['alerts']> {
  return sql<Listed['alerts']>`
    select alert_id, rule_id, r.metric, r.event, a.value, a.threshold, a.raised_time, a.resolved_time
    from alerts a join alert_rules r using (rule_id)
    where r.appid = ${appid} order by alert_id desc limit 50`
}

export async function countRules(tx: Tx, appid: string): Promise<number> {
  const [row] = await tx<[{ rules: number }]>`
    select count(*)::integer as rules from alert_rules where appid = ${appid}`
  return row.rules
}

export async function insertRule(
  tx: Tx,
  { ruleId, appid, ...rule }: RuleFields & { ruleId: string; appid: string },
  now: number,
): Promise<void> {
  await tx`
    insert into alert_rules
      (rule_id, appid, metric, event, threshold, window_minutes, min_count, roles, account_ids, ctime, mtime)
    values (${ruleId}, ${appid}, ${rule.metric}, ${rule.event}, ${rule.threshold}, ${rule.window}, ${rule.minCount},
      ${rule.roles}::text[], ${rule.accountIds}::uuid[], ${now}, ${now})`
}

/** Locks a rule until the transaction ends. Returns undefined if the mini app has no such rule. */
export async function lockRule(tx: Tx, appid: string, ruleId: string): Promise<Rule | undefined> {
  const [row] = await tx<Rule[]>`
    select ${columns(tx)} from alert_rules where appid = ${appid} and rule_id = ${ruleId} for update`
  return row
}

export async function updateRule(tx: Tx, ruleId: string, rule: RuleFields, now: number): Promise<void> {
  await tx`
    update alert_rules set metric = ${rule.metric}, event = ${rule.event}, threshold = ${rule.threshold}, window_minutes = ${rule.window},
      min_count = ${rule.minCount}, roles = ${rule.roles}::text[], account_ids = ${rule.accountIds}::uuid[],
      value = null, checked_time = null, mtime = ${now}
    where rule_id = ${ruleId}`
}

export async function updateMute(tx: Tx, ruleId: string, mutedUntil: number | null, now: number): Promise<void> {
  await tx`update alert_rules set muted_until = ${mutedUntil}, mtime = ${now} where rule_id = ${ruleId}`
}

export async function deleteRule(tx: Tx, ruleId: string): Promise<void> {
  await tx`delete from alert_rules where rule_id = ${ruleId}`
}

/** A rule that is due for a check. */
export interface DueRule extends RuleFields {
  ruleId: string
  appid: string
  projectId: string
  app: string
  isRaised: boolean
  crossedTime: number | null
}

/** Returns the ids of the rules that are due: those of a day at most each `dayInterval` ms, the others each time. */
export async function listDueRules(sql: Sql, now: number, dayInterval: number): Promise<string[]> {
  const rows = await sql<{ ruleId: string }[]>`
    select rule_id from alert_rules join apps using (appid) join projects using (project_id)
    where apps.enabled and apps.archived_time is null and analytics and coalesce(muted_until, 0) <= ${now}
      and (window_minutes < 1440 or coalesce(checked_time, 0) <= ${now - dayInterval})`
  return rows.map(({ ruleId }) => ruleId)
}

/** Locks a rule for a check. Returns undefined if another process checks it, or it was muted or deleted. */
export async function lockDueRule(tx: Tx, ruleId: string, now: number): Promise<DueRule | undefined> {
  const [row] = await tx<DueRule[]>`
    select rule_id, metric, event, threshold, window_minutes as window, min_count, roles, account_ids, raised as is_raised,
      crossed_time, appid, project_id, a.name as app
    from alert_rules r join apps a using (appid)
    where rule_id = ${ruleId} and coalesce(muted_until, 0) <= ${now}
    for update of r skip locked`
  return row
}

export async function updateCheck(
  tx: Tx,
  ruleId: string,
  { value, isRaised, crossedTime, now }: Pick<Rule, 'value' | 'isRaised'> & { crossedTime: number | null; now: number },
): Promise<void> {
  await tx`
    update alert_rules set value = ${value}, checked_time = ${now}, crossed_time = ${crossedTime}, raised = ${isRaised}
    where rule_id = ${ruleId}`
}

export async function insertAlert(
  tx: Tx,
  { alertId, ruleId, value, threshold }: { alertId: string; ruleId: string; value: number; threshold: number },
  now: number,
): Promise<void> {
  await tx`
    insert into alerts (alert_id, rule_id, value, threshold, raised_time)
    values (${alertId}, ${ruleId}, ${value}, ${threshold}, ${now})`
}

/** Ends the open alert of a rule. Returns its id and when it was raised. */
export async function updateAlertToResolved(
  tx: Tx,
  ruleId: string,
  now: number,
): Promise<{ alertId: string; raisedTime: number } | undefined> {
  const [row] = await tx<{ alertId: string; raisedTime: number }[]>`
    update alerts set resolved_time = ${now} where rule_id = ${ruleId} and resolved_time is null
    returning alert_id, raised_time`
  return row
}

/** Deletes alerts that were resolved before a time. */
export async function deleteAlertsBefore(sql: Sql, time: number): Promise<void> {
  await sql`delete from alerts where resolved_time < ${time}`
}
