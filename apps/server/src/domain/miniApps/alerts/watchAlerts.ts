import { belowIsBad, day, formatAlertValue, minute } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { Context } from '../../context.ts'
import { recordEvent, sendToRecipients } from '../../messages/index.ts'
import { findMeasured } from './measure.store.ts'
import {
  type DueRule,
  deleteAlertsBefore,
  insertAlert,
  listDueRules,
  lockDueRule,
  updateAlertToResolved,
  updateCheck,
} from './store.ts'

/** Time between checks of rules with a window of a day, which read many events. */
const dayInterval = 15 * minute
/** An alert is resolved when its metric has been back for this time, so that a value at the threshold is one alert. */
const calmTime = 15 * minute
/** Retention of resolved alerts, ms. */
const retention = 90 * day

/** Recurring job: checks alert rules, and raises and resolves their alerts. */
export async function watchAlerts(context: Context<'mailer' | 'stopping' | 'vault'>): Promise<void> {
  const now = context.clock.real()
  for (const ruleId of await listDueRules(context.sql, now, dayInterval)) {
    if (context.stopping.aborted) return
    await context.sql
      .begin((tx) => check(context, tx, ruleId))
      .catch((error: unknown) => context.log.error({ err: error, ruleId }, 'cannot check an alert rule'))
  }
  await deleteAlertsBefore(context.sql, now - retention)
}

async function check(context: Context<'mailer' | 'vault'>, tx: Tx, ruleId: string): Promise<void> {
  const { clock } = context
  const now = clock.real()
  const rule = await lockDueRule(tx, ruleId, now)
  if (!rule) return
  const { value, count } = await findMeasured(tx, rule, { real: now, domain: clock.now() })
  const measured = count >= rule.minCount ? value : null
  const isCrossed = measured !== null && isBeyond(rule, measured)
  const crossedTime = isCrossed ? now : rule.crossedTime
  const isCalm = !isCrossed && now - (crossedTime ?? 0) >= calmTime
  const isRaised = isCrossed || (rule.isRaised && !isCalm)
  await updateCheck(tx, ruleId, { value: measured, isRaised, crossedTime, now })
  if (isRaised && !rule.isRaised) await raise(context, tx, rule, measured!, now)
  if (!isRaised && rule.isRaised) await resolve(context, tx, rule, measured, now)
}

function isBeyond({ metric, threshold }: Pick<DueRule, 'metric' | 'threshold'>, value: number): boolean {
  return belowIsBad.includes(metric) ? value < threshold : value > threshold
}

async function raise(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  rule: DueRule,
  value: number,
  now: number,
): Promise<void> {
  const alertId = newId()
  const { ruleId, appid, metric, event, threshold, window } = rule
  await insertAlert(tx, { alertId, ruleId, value, threshold }, now)
  const data = { appid, alertId, ruleId, metric, event, value, threshold, window, raisedTime: now }
  await recordEvent(context, tx, { type: 'alert.raised', data })
  await notifyRecipients(context, tx, rule, 'alertRaised', value)
  context.log.warn({ appid, ruleId, metric, event, value, threshold }, 'an alert was raised')
}

async function resolve(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  rule: DueRule,
  value: number | null,
  now: number,
): Promise<void> {
  const { ruleId, appid, metric, event, threshold, window } = rule
  const alert = await updateAlertToResolved(tx, ruleId, now)
  if (!alert) return
  const data = { appid, ...alert, ruleId, metric, event, value, threshold, window, resolvedTime: now }
  await recordEvent(context, tx, { type: 'alert.resolved', data })
  await notifyRecipients(context, tx, rule, 'alertResolved', value)
}

async function notifyRecipients(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  { projectId, appid, app, metric, event, threshold, roles, accountIds }: DueRule,
  kind: 'alertRaised' | 'alertResolved',
  value: number | null,
): Promise<void> {
  const measured = value === null ? null : formatAlertValue(metric, value)
  const values = {
    app,
    appid,
    projectId,
    alertMetric: metric,
    value: event === null || measured === null ? measured : `${event}: ${measured}`,
    threshold: formatAlertValue(metric, threshold),
  }
  await sendToRecipients(context, tx, { projectId, roles, accountIds }, { kind, values })
}
