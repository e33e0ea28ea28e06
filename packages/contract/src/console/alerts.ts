import { Type } from 'typebox'
import {
  alertMetrics,
  alertWindows,
  maxAlertMinCount,
  maxAlertMute,
  maxAlertRules,
  maxAlertThreshold,
} from '../alerts.ts'
import { customEventName } from '../customEvents.ts'
import { operation } from '../operation.ts'
import { roles } from '../roles.ts'
import { Appid, Hex32, Long, Nullable, RealTime } from '../schemas.ts'
import { console } from './surface.ts'

const metricText =
  'errors, failedLaunches and failedRequests in % of users who had one; launchTime that 95% of the users stay below, in ms; ' +
  'paymentSuccess in % of payers; failedCallbacks in % of callbacks that were sent; openings in users who opened it; ' +
  'customEvent in users who reported the event'

/** Fields of a rule: the condition and the recipients. */
const fields = {
  metric: Type.Enum([...alertMetrics], {
    description: metricText,
    'x-allowed': `must be one of ${alertMetrics.join(', ')}`,
  }),
  threshold: Type.Number({
    minimum: 0,
    maximum: maxAlertThreshold,
    description: 'The alert is raised above this value; for paymentSuccess, openings and customEvent below it.',
    'x-allowed': `must be a number from 0 to ${maxAlertThreshold}`,
  }),
  window: Type.Enum([...alertWindows], {
    description: 'Minutes over which the metric is computed.',
    'x-allowed': `must be one of ${alertWindows.join(', ')}`,
  }),
  minCount: Long({
    minimum: 1,
    maximum: maxAlertMinCount,
    description:
      'Without this number of users in the window, the rule does not apply: of payers for paymentSuccess, of callbacks ' +
      'that were sent for failedCallbacks, and for openings and customEvent of users in the same window of the day before.',
    'x-allowed': `must be a number from 1 to ${maxAlertMinCount}`,
  }),
  event: Type.Optional(
    Type.String({
      pattern: customEventName.source,
      description: 'The custom event that customEvent watches; only for this metric.',
      'x-allowed': 'must be the name of a custom event',
    }),
  ),
  roles: Type.Array(Type.Enum([...roles]), {
    maxItems: roles.length,
    uniqueItems: true,
    description: 'Members with these roles get mail.',
    'x-allowed': `must be a list of ${roles.join(', ')}`,
  }),
  accountIds: Type.Array(Hex32({ description: 'An account.' }), {
    maxItems: 50,
    uniqueItems: true,
    description: 'These members get mail, too.',
    'x-allowed': 'must be a list of at most 50 account ids',
  }),
}

const Rule = Type.Object({
  ruleId: Type.String(),
  metric: Type.Enum([...alertMetrics]),
  threshold: Type.Number(),
  window: Type.Enum([...alertWindows]),
  minCount: Type.Integer(),
  event: Nullable(Type.String({ description: 'The custom event; null for other metrics.' })),
  roles: Type.Array(Type.Enum([...roles])),
  accountIds: Type.Array(Type.String()),
  mutedUntil: Nullable(RealTime('The rule is muted until then, ms.')),
  value: Nullable(Type.Number({ description: 'Value of the last check; null without enough data.' })),
  checkedTime: Nullable(RealTime('Time of the last check, ms.')),
  isRaised: Type.Boolean({ description: 'Whether its alert is raised and not yet resolved.' }),
  ctime: RealTime(),
})

const ofRule = { appid: Appid, ruleId: Hex32({ description: 'The rule.' }) }
const example = { metric: 'errors', threshold: 10, window: 60, minCount: 20, roles: ['owner'], accountIds: [] } as const

/** Alert rules of mini apps (ADR 332). */
export const alertOperations = {
  listAlertRules: operation({
    ...console,
    id: 'listAlertRules',
    method: 'GET',
    path: '/console/v1/apps/{appid}/alerts',
    summary: 'List the alert rules of a mini app, and the alerts that they raised',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: Type.Object({
      rules: Type.Array(Rule),
      alerts: Type.Array(
        Type.Object({
          alertId: Type.String(),
          ruleId: Type.String(),
          metric: Type.Enum([...alertMetrics]),
          event: Nullable(Type.String({ description: 'The custom event; null for other metrics.' })),
          value: Type.Number({ description: 'Value when it was raised.' }),
          threshold: Type.Number(),
          raisedTime: RealTime(),
          resolvedTime: Nullable(RealTime()),
        }),
        { description: 'Newest first, at most 50.' },
      ),
    }),
    errors: [],
    redact: [],
  }),
  createAlertRule: operation({
    ...console,
    id: 'createAlertRule',
    method: 'POST',
    path: '/console/v1/apps/{appid}/alerts',
    summary: `Create an alert rule; a mini app can have ${maxAlertRules}`,
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, ...fields }),
    example,
    result: Rule,
    errors: ['alert_rule_limit_reached', 'custom_event_not_found'],
    redact: [],
  }),
  updateAlertRule: operation({
    ...console,
    id: 'updateAlertRule',
    method: 'PATCH',
    path: '/console/v1/apps/{appid}/alerts/{ruleId}',
    summary: 'Change an alert rule; absent fields stay unchanged, and event belongs to metric',
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ ...ofRule, ...Type.Partial(Type.Object(fields)).properties }),
    example,
    result: Rule,
    errors: ['alert_rule_not_found', 'custom_event_not_found'],
    redact: [],
  }),
  muteAlertRule: operation({
    ...console,
    id: 'muteAlertRule',
    method: 'POST',
    path: '/console/v1/apps/{appid}/alerts/{ruleId}/mute',
    summary: 'Mute an alert rule for some time, or unmute it',
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      ...ofRule,
      minutes: Long({
        maximum: maxAlertMute,
        description: '0 unmutes the rule.',
        'x-allowed': `must be an integer from 0 to ${maxAlertMute}`,
      }),
    }),
    example: { minutes: 60 },
    result: Rule,
    errors: ['alert_rule_not_found'],
    redact: [],
  }),
  deleteAlertRule: operation({
    ...console,
    id: 'deleteAlertRule',
    method: 'DELETE',
    path: '/console/v1/apps/{appid}/alerts/{ruleId}',
    summary: 'Delete an alert rule with its alerts',
    access: { action: 'app.manage', by: 'appid' },
    parameters: Type.Object(ofRule),
    result: Type.Boolean(),
    errors: ['alert_rule_not_found'],
    redact: [],
  }),
}
