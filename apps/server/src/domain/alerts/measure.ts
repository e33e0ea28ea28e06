import { type AlertMetric, day, minute } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** A metric over a window. `value` is null if nothing happened that it could be computed from. */
export interface Measured {
  value: number | null
  /** Number that is compared with `minCount` of the rule. */
  count: number
}

/**
 * Measures a metric of a mini app, from single events, payment attempts and callbacks.
 *
 * @param window minutes
 * @param time real time, at which events are stored, and the domain clock, at which payments and callbacks are made; ms
 */
export async function measure(
  sql: Sql | Tx,
  { appid, metric, window }: { appid: string; metric: AlertMetric; window: number },
  time: { real: number; domain: number },
): Promise<Measured> {
  const from = time.real - window * minute
  // Trades of a sandbox whose clock was set back are later than now.
  const isInWindow = sql`ctime > ${time.domain - window * minute} and ctime <= ${time.domain}`
  if (metric === 'paymentSuccess') {
    const [row] = await sql<[{ ended: number; succeeded: number }]>`
      select count(*)::float8 as ended, (count(*) filter (where state = 'succeeded'))::float8 as succeeded
      from payment_attempts
      where appid = ${appid} and state in ('succeeded', 'failed') and ${isInWindow}`
    return { value: share(row.succeeded, row.ended), count: row.ended }
  }
  if (metric === 'failedCallbacks') {
    const [row] = await sql<[{ sent: number; failing: number }]>`
      select count(*)::float8 as sent, (count(*) filter (where state <> 'delivered'))::float8 as failing
      from callbacks
      where appid = ${appid} and attempts > 0 and ${isInWindow}`
    return { value: share(row.failing, row.sent), count: row.sent }
  }
  if (metric === 'openings') {
    const [row] = await sql<[{ now: number; before: number }]>`
      select (count(*) filter (where time > ${from}))::float8 as now,
        (count(*) filter (where time <= ${time.real - day}))::float8 as before
      from analytics_events
      where appid = ${appid} and kind = 'open' and (
        time > ${from} and time <= ${time.real} or time > ${from - day} and time <= ${time.real - day})`
    return { value: row.now, count: row.before }
  }
  const [row] = await sql<[Record<'opens' | 'launches' | 'count', number> & { p95: number | null }]>`
    select (count(*) filter (where kind = 'open'))::float8 as opens,
      (count(*) filter (where kind = 'launch'))::float8 as launches,
      (count(*) filter (where kind = ${kinds[metric]}))::float8 as count,
      percentile_disc(0.95) within group (order by value) filter (where kind = 'launch') as p95
    from analytics_events where appid = ${appid} and time > ${from} and time <= ${time.real}`
  if (metric === 'launchTime') return { value: row.p95, count: row.launches }
  return { value: share(row.count, row.opens), count: row.opens }
}

const kinds = {
  errors: 'error',
  failedLaunches: 'launchFailure',
  failedRequests: 'request',
  launchTime: 'launch',
} as const satisfies Partial<Record<AlertMetric, string>>

/** Returns how many there are per 100, with one digit. */
const share = (count: number, whole: number) => (whole === 0 ? null : Math.round((1000 * count) / whole) / 10)
