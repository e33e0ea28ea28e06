import {
  type AlertMetric,
  alertMetrics,
  belowIsBad,
  consoleOperations,
  formatAlertValue,
  maxAlertMute,
  minute,
  type ResultOf,
  type Role,
  roles,
  suggestedAlertRules,
} from '@souk/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatDuration, formatRelative, parseDuration } from '../duration.ts'
import { type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'

const { listAlertRules, createAlertRule, muteAlertRule, deleteAlertRule } = consoleOperations

type Listed = ResultOf<typeof listAlertRules>
type Window = Listed['rules'][number]['window']

/** `souk alerts …`: alert rules of a mini app (ADR 332). */
export function addAlertCommands(program: Command, add: AddCommand): void {
  const alerts = program.command('alerts')
  addListCommand(alerts, add)
  addCreateCommand(alerts, add)
  addMuteCommands(alerts, add)
}

const withApp = (command: Command) => command.requiredOption('--appid <appid>', 'the mini app')

function addListCommand(alerts: Command, add: AddCommand): void {
  add<[], { appid: string }>(alerts, {
    usage: 'list',
    summary: 'list the rules with their current values, and the latest alerts',
    examples: ['alerts list --appid demoapp00000001', 'alerts list --appid demoapp00000001 --json'],
    options: withApp,
    action: async ({ server, style, print, environment }, { appid }) => {
      print(await server.call(listAlertRules, { appid }), ({ rules, alerts }) =>
        rules.length === 0
          ? 'No rules yet. Add one with souk alerts add.'
          : [
              showRules(rules, style, environment.now()),
              ...(alerts.length > 0 ? [showAlerts(alerts, style, environment.now())] : []),
            ].join('\n\n'),
      )
    },
  })
}

interface CreateOptions {
  appid: string
  metric: AlertMetric
  threshold?: number
  window?: Window
  minCount?: number
  event?: string
  role: Role[]
}

function addCreateCommand(alerts: Command, add: AddCommand): void {
  add<[], CreateOptions>(alerts, {
    usage: 'add',
    summary: 'add a rule; omitted options get the defaults that the console suggests',
    examples: [
      'alerts add --appid demoapp00000001 --metric errors',
      'alerts add --appid demoapp00000001 --metric launchTime --threshold 3000 --window 15m --role owner',
      'alerts add --appid demoapp00000001 --metric customEvent --event order',
    ],
    options: (command) =>
      withApp(command)
        .addOption(new Option('--metric <metric>', 'metric to watch').choices(alertMetrics).makeOptionMandatory())
        .option(
          '--threshold <number>',
          `alert above this value, or below it for ${belowIsBad.join(' and ')}`,
          parseThreshold,
        )
        .option('--window <duration>', 'period that the metric covers: 15m, 1h or 1d', parseWindow)
        .option('--event <name>', 'custom event that customEvent watches')
        .option('--min-count <number>', 'minimum number of users, payers or callbacks', parseNumber)
        .addOption(
          new Option('--role <roles...>', 'send mail to members with these roles')
            .choices(roles)
            .default(['owner', 'editor']),
        ),
    action: async ({ server, print }, { appid, metric, threshold, window, minCount, event, role }) => {
      const suggested = suggestedAlertRules.find((rule) => rule.metric === metric)!
      const rule = {
        metric,
        threshold: threshold ?? suggested.threshold,
        window: window ?? suggested.window,
        minCount: minCount ?? suggested.minCount,
        ...(event !== undefined && { event }),
        roles: role,
        accountIds: [],
      }
      print(await server.call(createAlertRule, { appid, ...rule }), (it) => `Added ${it.ruleId}: ${conditionOf(it)}.`)
    },
  })
}

function addMuteCommands(alerts: Command, add: AddCommand): void {
  add<[string], { appid: string; for: number }>(alerts, {
    usage: 'mute <ruleId>',
    summary: 'pause a rule for a while, for example during a migration',
    examples: ['alerts mute 0123456789abcdef0123456789abcdef --appid demoapp00000001 --for 2h'],
    options: (command) =>
      withApp(command).requiredOption('--for <duration>', 'such as 30m, 2h or 7d, at most 30d', parseMute),
    action: async ({ server, print }, { appid, for: duration }, ruleId) => {
      const minutes = Math.ceil(duration / minute)
      print(
        await server.call(muteAlertRule, { appid, ruleId, minutes }),
        () => `Muted ${ruleId} for ${formatDuration(minutes * minute)}.`,
      )
    },
  })

  add<[string], { appid: string }>(alerts, {
    usage: 'unmute <ruleId>',
    summary: 'resume a muted rule',
    examples: ['alerts unmute 0123456789abcdef0123456789abcdef --appid demoapp00000001'],
    options: withApp,
    action: async ({ server, print }, { appid }, ruleId) => {
      print(await server.call(muteAlertRule, { appid, ruleId, minutes: 0 }), () => `${ruleId} is checked again.`)
    },
  })

  add<[string], { appid: string }>(alerts, {
    usage: 'remove <ruleId>',
    summary: 'remove a rule and its alerts',
    examples: ['alerts remove 0123456789abcdef0123456789abcdef --appid demoapp00000001'],
    options: withApp,
    action: async ({ server, print }, { appid }, ruleId) => {
      print(await server.call(deleteAlertRule, { appid, ruleId }), () => `Removed ${ruleId}.`)
    },
  })
}

/** Parses a duration of at most 30 days to ms. */
function parseMute(text: string): number {
  const duration = parseDuration(text)
  if (duration > maxAlertMute * minute) throw new InvalidArgumentError('Use at most 30d.')
  return duration
}

function parseThreshold(text: string): number {
  if (!/^\d{1,7}(?:\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('Use a number, such as 10 or 2.5.')
  return Number(text)
}

const windows: Record<string, Window> = { '15m': 15, '1h': 60, '1d': 1440 }

function parseWindow(text: string): Window {
  if (!Object.hasOwn(windows, text)) throw new InvalidArgumentError(`Use ${Object.keys(windows).join(', ')}.`)
  return windows[text]!
}

function showRules(rules: Listed['rules'], style: Style, now: number): string {
  const stateOf = ({ mutedUntil, isRaised, value }: Listed['rules'][number]) => {
    if (mutedUntil !== null && mutedUntil > now) return `muted, ends ${formatRelative(mutedUntil, now)}`
    return isRaised ? style('red', 'raised') : value === null ? 'not enough data' : style('green', 'ok')
  }
  return table(
    ['RULE', 'RAISED IF', 'NOW', 'STATE', 'CHECKED'],
    rules.map((rule) => [
      ...[rule.ruleId, conditionOf(rule), rule.value === null ? '–' : formatAlertValue(rule.metric, rule.value)],
      ...[stateOf(rule), rule.checkedTime === null ? '–' : formatRelative(rule.checkedTime, now)],
    ]),
    style,
  )
}

function showAlerts(alerts: Listed['alerts'], style: Style, now: number): string {
  return table(
    ['ALERT', 'VALUE', 'RAISED', 'RESOLVED'],
    alerts.map(({ metric, event, value, raisedTime, resolvedTime }) => [
      ...[watched({ metric, event }), formatAlertValue(metric, value), formatRelative(raisedTime, now)],
      resolvedTime === null ? '–' : `after ${formatDuration(resolvedTime - raisedTime)}`,
    ]),
    style,
  )
}

/** Returns the metric, with the custom event that it watches. */
const watched = ({ metric, event }: Pick<Listed['rules'][number], 'metric' | 'event'>) =>
  [metric, event ?? []].flat().join(' ')

/** Returns the condition of a rule, such as `errors > 10 in 1 h, from 20`. */
function conditionOf(
  rule: Pick<Listed['rules'][number], 'metric' | 'event' | 'threshold' | 'window' | 'minCount'>,
): string {
  const { metric, threshold, window, minCount } = rule
  const sign = belowIsBad.includes(metric) ? '<' : '>'
  return `${watched(rule)} ${sign} ${formatAlertValue(metric, threshold)} in ${formatDuration(window * minute)}, from ${minCount}`
}
