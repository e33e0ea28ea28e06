/** Figures of a mini app that alert rules watch. Those in `belowIsBad` raise an alert when they fall below. */
export const alertMetrics = [
  'errors',
  'failedLaunches',
  'failedRequests',
  'launchTime',
  'paymentSuccess',
  'failedCallbacks',
  'openings',
  'customEvent',
] as const
export type AlertMetric = (typeof alertMetrics)[number]

/** Metrics whose alert is raised below the threshold; the others are raised above it. */
export const belowIsBad: readonly AlertMetric[] = ['paymentSuccess', 'openings', 'customEvent']

/** Metrics in percent. */
export const alertPercentages: readonly AlertMetric[] = [
  'errors',
  'failedLaunches',
  'failedRequests',
  'paymentSuccess',
  'failedCallbacks',
]

/** Formats a value of a metric with its unit: `25` users, `5%`, `4000 ms`. */
export function formatAlertValue(metric: AlertMetric, value: number): string {
  if (metric === 'launchTime') return `${value} ms`
  return alertPercentages.includes(metric) ? `${value}%` : String(value)
}

/** Lengths of the time over which a metric is computed, in minutes. */
export const alertWindows = [15, 60, 1440] as const

export const maxAlertRules = 20
/** Maximum threshold, in the unit of the metric. */
export const maxAlertThreshold = 1_000_000
/** Maximum number of users or callbacks below which a rule does not apply. */
export const maxAlertMinCount = 1_000_000
/** Maximum time for which a rule can be muted, in minutes: 30 days. */
export const maxAlertMute = 30 * 24 * 60

/** Rules that suit most mini apps. */
export const suggestedAlertRules = [
  { metric: 'errors', threshold: 10, window: 60, minCount: 20 },
  { metric: 'failedLaunches', threshold: 5, window: 15, minCount: 20 },
  { metric: 'failedRequests', threshold: 20, window: 60, minCount: 20 },
  { metric: 'launchTime', threshold: 4000, window: 60, minCount: 20 },
  { metric: 'paymentSuccess', threshold: 60, window: 60, minCount: 10 },
  { metric: 'failedCallbacks', threshold: 20, window: 60, minCount: 5 },
  { metric: 'openings', threshold: 1, window: 60, minCount: 20 },
  { metric: 'customEvent', threshold: 1, window: 60, minCount: 20 },
] as const satisfies readonly {
  metric: AlertMetric
  threshold: number
  window: (typeof alertWindows)[number]
  minCount: number
}[]
