import { type consoleOperations, day, type ResultOf } from '@souk/contract'
import type { Sql } from '../../../kernel/db/pool.ts'
import { cohortWeeks, firstDayOf, startOfWeek, totalKinds, weekOf } from './counts.store.ts'

type Result = ResultOf<(typeof consoleOperations)['getAnalytics']>

/** Counts of a mini app from `before`, compared at `from`, up to `to`; all are ms. */
export interface CountRange {
  appid: string
  span: 'hour' | 'day'
  releaseId: string | undefined
  before: number
  from: number
  to: number
}

export interface CountOfPeriod {
  start: number
  count: number
}

const inRange = (sql: Sql, { appid, releaseId, before, to }: CountRange, span: string) => sql`
  appid = ${appid} and span = ${span} and start >= ${before} and start < ${to}
  ${releaseId === undefined ? sql`` : sql`and release_id = ${releaseId}`}`

/** Selects counts that need no names. */
const inTotals = (sql: Sql, range: CountRange) => inRange(sql, range, range.span === 'day' ? 'dayTotal' : 'hour')

/**
 * Selects counts per name for both periods of a range: whole weeks from the counts per week, and the days before and
 * after them from those per day. A year has a fifth of the rows then.
 */
function namedCounts(sql: Sql, range: CountRange, kinds: readonly string[]) {
  const { appid, span, releaseId, before, from, to } = range
  const parts = span === 'hour' ? [{ span, first: before, end: to }] : [...partsOf(before, from), ...partsOf(from, to)]
  return sql`
    select kind, name, start, count
    from unnest(
        ${parts.map((part) => part.span)}::text[],
        ${parts.map((part) => part.first)}::bigint[],
        ${parts.map((part) => part.end)}::bigint[]
      ) as part (span, first, "end")
      cross join lateral (
        select kind, name, start, count from analytics_counts
        where appid = ${appid} and span = part.span and kind = any(${kinds}) and start >= part.first
          and start < part."end"
          ${releaseId === undefined ? sql`` : sql`and release_id = ${releaseId}`}
      ) as found`
}

/** Splits a period of at least a week, in whole days, into whole weeks and the days before and after them. */
function partsOf(from: number, to: number) {
  const firstWeek = startOfWeek(from + 6 * day)
  const endOfWeeks = startOfWeek(to)
  return [
    { span: 'day', first: from, end: firstWeek },
    { span: 'week', first: firstWeek, end: endOfWeeks },
    { span: 'day', first: endOfWeeks, end: to },
  ]
}

/** Returns whether the project of a mini app collects events. */
export async function existsCollection(sql: Sql, appid: string): Promise<boolean> {
  const [row] = await sql<[{ analytics: boolean }]>`
    select analytics from apps join projects using (project_id) where appid = ${appid}`
  return row.analytics
}

/** Returns the number of events of each kind per hour or day. */
export async function listCounts(sql: Sql, range: CountRange): Promise<(CountOfPeriod & { kind: string })[]> {
  return sql<(CountOfPeriod & { kind: string })[]>`
    select start, kind, sum(count)::float8 as count from analytics_counts
    where ${inTotals(sql, range)} and kind = any(${totalKinds}) group by start, kind`
}

/** Returns the number of launches per hour or day and bucket of launch times. */
export async function listLaunchTimes(sql: Sql, range: CountRange): Promise<(CountOfPeriod & { bucket: number })[]> {
  return sql<(CountOfPeriod & { bucket: number })[]>`
    select start, name::integer as bucket, sum(count)::float8 as count from analytics_counts
    where ${inRange(sql, range, range.span)} and kind = 'launch' group by start, name`
}

/** Returns the most frequent pages, pages of cards, failed requests and failures of launches. */
export async function listNames(
  sql: Sql,
  range: CountRange,
  most: number,
): Promise<{ kind: string; name: string; count: number; previous: number }[]> {
  return sql<{ kind: string; name: string; count: number; previous: number }[]>`
    select kind, name, count, previous from (
      select *, row_number() over (partition by kind order by count desc, name) as place from (
        select kind, name,
          coalesce(sum(count) filter (where start >= ${range.from}), 0)::float8 as count,
          coalesce(sum(count) filter (where start < ${range.from}), 0)::float8 as previous
        from (${namedCounts(sql, range, ['page', 'card', 'request', 'launchFailure'])}) as counts
        group by kind, name
      ) as found where count > 0
    ) as ranked where place <= ${most} order by kind, place`
}

/**
 * Returns the counts of custom events, of their fields and of refused ones, most frequent first. Of each kind at most
 * `most`, so that sums of integers, which are large, and refused names do not displace the others.
 */
export async function listCustomNames(
  sql: Sql,
  range: CountRange,
  most: number,
): Promise<{ kind: string; name: string; count: number; previous: number }[]> {
  const kinds = ['custom', 'customValue', 'customSum', 'customRefused']
  return sql<{ kind: string; name: string; count: number; previous: number }[]>`
    select kind, name, count, previous from (
      select *, row_number() over (partition by kind order by count desc, previous desc, name) as place from (
        select kind, name,
          coalesce(sum(count) filter (where start >= ${range.from}), 0)::float8 as count,
          coalesce(sum(count) filter (where start < ${range.from}), 0)::float8 as previous
        from (${namedCounts(sql, range, kinds)}) as counts
        group by kind, name
      ) as found
    ) as ranked where place <= ${most} order by kind, place`
}

/** Returns the number of reports of a custom event per hour or day. */
export async function listCountsOfCustomEvent(sql: Sql, range: CountRange, name: string): Promise<CountOfPeriod[]> {
  return sql<CountOfPeriod[]>`
    select start, sum(count)::float8 as count from analytics_counts
    where ${inRange(sql, range, range.span)} and kind = 'custom' and name = ${name} group by start`
}

/** Returns the most frequent groups of errors. */
export async function listErrors(sql: Sql, range: CountRange, most: number): Promise<Result['errors']> {
  return sql<Result['errors']>`
    select e.fingerprint, e.message, e.stack, e.page, e.release_id, r.version,
      e.first_time, e.last_time, found.count, found.previous
    from (
      select name as fingerprint,
        coalesce(sum(count) filter (where start >= ${range.from}), 0)::float8 as count,
        coalesce(sum(count) filter (where start < ${range.from}), 0)::float8 as previous
      from (${namedCounts(sql, range, ['error'])}) as counts
      group by name
    ) as found
      join analytics_errors e on e.appid = ${range.appid} and e.fingerprint = found.fingerprint
      left join releases r on r.release_id = e.release_id
    where count > 0
    order by count desc, e.fingerprint limit ${most}`
}

/** Returns the number of openings, failed launches and errors of every release since `from`. */
export async function listReleaseCounts(sql: Sql, range: CountRange): Promise<Result['releases']> {
  return sql<Result['releases']>`
    select found.release_id, r.version, r.platform, opens, launch_failures, errors
    from (
      select release_id,
        coalesce(sum(count) filter (where kind = 'open'), 0)::float8 as opens,
        coalesce(sum(count) filter (where kind = 'launchFailure'), 0)::float8 as launch_failures,
        coalesce(sum(count) filter (where kind = 'error'), 0)::float8 as errors
      from analytics_counts
      where ${inTotals(sql, { ...range, before: range.from, releaseId: undefined })}
        and kind = any(${['open', 'launchFailure', 'error']})
      group by release_id
    ) as found left join releases r using (release_id)
    order by opens desc, found.release_id limit 20`
}

/** The users of a day; `start` is in ms. */
export interface UserDay {
  start: number
  users: number
  newUsers: number
  weekUsers: number
  monthUsers: number
}

export async function listUserDays(
  sql: Sql,
  appid: string,
  { from, to }: { from: number; to: number },
): Promise<UserDay[]> {
  return sql<UserDay[]>`
    select day * ${day}::bigint as start, users, new_users, week_users, month_users
    from analytics_days
    where appid = ${appid} and day >= ${Math.floor(from / day)} and day * ${day}::bigint < ${to} order by day`
}

/** Returns the users of the last weeks, and how many of them came back in each week since. */
export async function listCohorts(sql: Sql, appid: string, now: number): Promise<Result['cohorts']> {
  const thisWeek = weekOf(Math.floor(now / day))
  const rows = await sql<{ week: number; age: number; users: number }[]>`
    select week, age, users from analytics_cohorts
    where appid = ${appid} and week > ${thisWeek - cohortWeeks} order by week, age`
  return [...Map.groupBy(rows, ({ week }) => week)].map(([week, found]) => ({
    week: firstDayOf(week) * day,
    users: Array.from({ length: thisWeek - week + 1 }, (_, age) => found.find((each) => each.age === age)?.users ?? 0),
  }))
}

/** Trades created on a day, and the money of the paid ones in cents; `start` is in ms. */
export type TradeDay = Result['money'][number] & { created: number; opened: number; tried: number }

export async function listTradeDays(
  sql: Sql,
  appid: string,
  { from, to }: { from: number; to: number },
): Promise<TradeDay[]> {
  return sql<TradeDay[]>`
    select day * ${day}::bigint as start, currency, created, opened, tried, paid, amount::float8 as amount
    from analytics_trades
    where appid = ${appid} and day >= ${from / day} and day < ${to / day} order by day, currency`
}
