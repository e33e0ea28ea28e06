import { type AlertMetric, day, minute } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A metric over a window. `value` is null if nothing happened that it could be computed from. */
export interface Measured {
  value: number | null
  /** Number that is compared with `minCount` of the rule. */
  count: number
}

/**
 * Measures a metric of a mini app, from single events, payment attempts and callbacks. Each user counts once, so that
 * one device cannot raise or prevent an alert, however much it reports.
 *
 * @param window minutes
 * @param time real time, at which events are stored, and the domain clock, at which payments and callbacks are made; ms
 */
export async function findMeasured(
  sql: Sql | Tx,
  { appid, metric, event, window }: { appid: string; metric: AlertMetric; event: string | null; window: number },
  time: { real: number; domain: number },
): Promise<Measured> {
  const from = time.real - window * minute
  // Trades of a sandbox whose clock was set back are later than now.
  const isInWindow = sql`ctime > ${time.domain - window * minute} and ctime <= ${time.domain}`
  if (metric === 'paymentSuccess') {
    const [row] = await sql<[{ payers: number; successful: number }]>`
      select count(*)::float8 as payers, (count(*) filter (where succeeded))::float8 as successful
      from (
        select payer, bool_or(state = 'succeeded') as succeeded
        from (
          select trade_no, state from payment_attempts
          where appid = ${appid} and state in ('succeeded', 'failed') and ${isInWindow}
        ) as attempt join all_trades t on t.appid = ${appid} and t.trade_no = attempt.trade_no
        group by payer
      ) as each_payer`
    return { value: share(row.successful, row.payers), count: row.payers }
  }
  if (metric === 'failedCallbacks') {
    const [row] = await sql<[{ sent: number; failing: number }]>`
      select count(*)::float8 as sent, (count(*) filter (where state <> 'delivered'))::float8 as failing
      from callbacks
      where appid = ${appid} and attempts > 0 and ${isInWindow}`
    return { value: share(row.failing, row.sent), count: row.sent }
  }
  if (metric === 'openings' || metric === 'customEvent') {
    const isCounted = metric === 'openings' ? sql`kind = 'open'` : sql`kind = 'custom' and name = ${event}`
    const [row] = await sql<[{ now: number; before: number }]>`
      select (count(distinct user_id) filter (where time > ${from}))::float8 as now,
        (count(distinct user_id) filter (where time <= ${time.real - day}))::float8 as before
      from analytics_events
      where appid = ${appid} and ${isCounted} and (
        time > ${from} and time <= ${time.real} or time > ${from - day} and time <= ${time.real - day})`
    return { value: row.now, count: row.before }
  }
  const isInEvents = sql`appid = ${appid} and time > ${from} and time <= ${time.real}`
  if (metric === 'launchTime') {
    const [row] = await sql<[{ users: number; p95: number | null }]>`
      select count(*)::float8 as users, percentile_disc(0.95) within group (order by time) as p95
      from (
        select percentile_disc(0.5) within group (order by value) as time
        from analytics_events where ${isInEvents} and kind = 'launch' group by user_id
      ) as each_user`
    return { value: row.p95, count: row.users }
  }
  const [row] = await sql<[{ users: number; affected: number }]>`
    select count(*)::float8 as users, (count(*) filter (where affected))::float8 as affected
    from (
      select bool_or(kind = ${kinds[metric]}) as affected
      from analytics_events where ${isInEvents} and kind in ('open', ${kinds[metric]}) group by user_id
    ) as each_user`
  return { value: share(row.affected, row.users), count: row.users }
}

const kinds = {
  errors: 'error',
  failedLaunches: 'launchFailure',
  failedRequests: 'request',
} as const satisfies Partial<Record<AlertMetric, string>>

/** Returns the percentage with one digit. */
const share = (count: number, whole: number) => (whole === 0 ? null : Math.round((1000 * count) / whole) / 10)
