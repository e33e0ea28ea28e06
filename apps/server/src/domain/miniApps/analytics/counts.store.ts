import { day, hour, minute } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { allEvents } from './store.ts'

/**
 * Maximum number of names of a kind that are counted on their own, per mini app and hour or day: those of most users,
 * so that one user cannot take the places of the others.
 */
const maxNames = 200
/** Weeks after the first one in which returning users are counted. */
export const cohortWeeks = 12
/** Kinds of events whose names are also counted per week. */
const namedKinds = [
  'page',
  'card',
  'request',
  'launchFailure',
  'error',
  'custom',
  'customValue',
  'customSum',
  'customRefused',
]
/** Kinds of events whose number per day is read without names. */
export const totalKinds = ['open', 'card', 'launch', 'launchFailure', 'page', 'error', 'request']
/** Release of counts that concern all releases. */
const noRelease = '00000000-0000-0000-0000-000000000000'

/** Launch times are counted in buckets, each of which ends `step` times later than the previous one. */
const launchBuckets = { first: 50, step: 1.15, count: 68 }

/** Returns the bounds in ms of a bucket of launch times. */
export function launchBucket(place: number): { from: number; to: number } {
  const { first, step } = launchBuckets
  return { from: place === 0 ? 0 : first * step ** (place - 1), to: first * step ** place }
}

/**
 * Locks the progress of counting. Returns the start of the first hour to count, or undefined if another process counts.
 * It is at most `open`, the first hour that can still get events: progress beyond it comes from a clock that was ahead.
 */
export async function lockProgress(tx: Tx, open: number): Promise<number | undefined> {
  const [row] = await tx<{ from: number }[]>`
    select
      least(${open}, greatest(counted_to, coalesce((select min(time) from analytics_events) / ${hour} * ${hour}, ${open})))
        as from
    from analytics_progress for update skip locked`
  return row?.from
}

export async function updateProgress(tx: Tx, countedTo: number): Promise<void> {
  await tx`update analytics_progress set counted_to = ${countedTo}`
}

/** Counts the events of the hours from `from` to `to`. */
export async function upsertHours(tx: Tx, from: number, to: number): Promise<void> {
  const { first, step, count } = launchBuckets
  await tx`
    with found as (
      select appid, kind, time / ${hour} * ${hour} as start, release_id,
        case when kind = 'launch'
          then greatest(0, least(${count - 1}, ceil(ln(greatest(value, 1) / ${first}::float8) / ln(${step}::float8))))::text
          else name end as name,
        count(*) as count, count(distinct user_id) as users, min(time) as first
      from analytics_events where time >= ${from} and time < ${to}
      group by 1, 2, 3, 4, 5
      union all
      ${fieldsOfEvents(tx, from, to)}
    ), counted as (
      ${withoutManyNames(tx)}
      union all
      select appid, ${allEvents}, start, ${noRelease}::uuid, '', sum(count), 0 from found
      where kind not in ('customValue', 'customSum') group by appid, start
    ), outdated as (${deletionOfOthers(tx, 'hour', from, to)})
    insert into analytics_counts as known (appid, span, kind, start, release_id, name, count, users)
    select appid, 'hour', kind, start, release_id, name, count, users from counted
    on conflict (appid, span, kind, start, release_id, name) do update set count = excluded.count, users = excluded.users
    where (known.count, known.users) <> (excluded.count, excluded.users)`
}

/**
 * Selects the fields of custom events: how often each value of an enum and a boolean was reported, under the name
 * `<event>.<field>=<value>`, and the sums of integers, under `<event>.<field>`.
 */
const fieldsOfEvents = (tx: Tx, from: number, to: number) => tx`
  select appid, case when is_number then 'customSum' else 'customValue' end, time / ${hour} * ${hour}, release_id,
    case when is_number then e.name || '.' || field.key else e.name || '.' || field.key || '=' || (field.value #>> '{}') end,
    sum(case when is_number then (field.value #>> '{}')::bigint else 1 end), count(distinct user_id), min(time)
  from analytics_events e cross join lateral jsonb_each(e.fields) as field (key, value)
    cross join lateral (select jsonb_typeof(field.value) = 'number' as is_number) as type
  where time >= ${from} and time < ${to} and kind = 'custom'
  group by is_number, 1, 2, 3, 4, 5`

/** Adds up the hours of the days from `from`, the start of a day, to `to`. */
export async function upsertDays(tx: Tx, from: number, to: number): Promise<void> {
  await tx`
    with found as (
      select appid, kind, start / ${day} * ${day} as start, release_id, name, sum(count) as count, sum(users) as users,
        min(start) as first
      from analytics_counts where span = 'hour' and start >= ${from} and start < ${to}
      group by 1, 2, 3, 4, 5
    ), counted as (${withoutManyNames(tx)}), outdated as (${deletionOfOthers(tx, 'day', from, to)})
    insert into analytics_counts as known (appid, span, kind, start, release_id, name, count, users)
    select appid, 'day', kind, start, release_id, name, count, users from counted
    on conflict (appid, span, kind, start, release_id, name) do update set count = excluded.count, users = excluded.users
    where (known.count, known.users) <> (excluded.count, excluded.users)`
}

/**
 * Adds up days for reading long periods: each day without names, and names per week. Includes all days of the first
 * week, so that days which a process without these counts has counted during an update are added as well.
 */
export async function upsertTotals(tx: Tx, from: number, to: number): Promise<void> {
  const firstWeek = startOfWeek(from)
  await tx`
    insert into analytics_counts as known (appid, span, kind, start, release_id, name, count)
    select appid, 'dayTotal', kind, start, release_id, '', sum(count)
    from analytics_counts where span = 'day' and start >= ${firstWeek} and start < ${to} and kind = any(${totalKinds})
    group by appid, kind, start, release_id
    on conflict (appid, span, kind, start, release_id, name) do update set count = excluded.count
    where known.count <> excluded.count`
  await upsertWeeks(tx, firstWeek, to)
}

/** Adds up the days from `from`, the start of a week, to `to`. */
async function upsertWeeks(tx: Tx, from: number, to: number): Promise<void> {
  await tx`
    with counted as (
      select appid, kind, ((start / ${day} + 3) / 7 * 7 - 3) * ${day}::bigint as start, release_id, name,
        sum(count) as count
      from analytics_counts
      where span = 'day' and start >= ${from} and start < ${to} and kind = any(${namedKinds})
      group by 1, 2, 3, 4, 5
    ), outdated as (${deletionOfOthers(tx, 'week', from, to)})
    insert into analytics_counts as known (appid, span, kind, start, release_id, name, count)
    select appid, 'week', kind, start, release_id, name, count from counted
    on conflict (appid, span, kind, start, release_id, name) do update set count = excluded.count
    where known.count <> excluded.count`
}

/** Selects counts of the names of most users only, of names with as many users the first. */
const withoutManyNames = (tx: Tx) => tx`
  select appid, kind, start, release_id, name, sum(count) as count, sum(users) as users
  from (
    select appid, kind, start, release_id, count, users,
      case when dense_rank() over (
          partition by appid, kind, start order by name = '', users_of_name desc, first_of_name, name) <= ${maxNames}
        then name else '' end as name
    from (
      select *, min(first) over (partition by appid, kind, start, name) as first_of_name,
        sum(users) over (partition by appid, kind, start, name) as users_of_name
      from found
    ) as dated
  ) as ranked
  group by appid, kind, start, release_id, name`

/**
 * Deletes counts of names that are no longer counted on their own. Their events are in those without a name, and would
 * be counted twice.
 */
const deletionOfOthers = (tx: Tx, span: 'hour' | 'day' | 'week', from: number, to: number) => tx`
  delete from analytics_counts known
  where span = ${span} and start >= ${from} and start < ${to} and kind = any(${namedKinds}) and name <> ''
    and exists (
      select from counted c
      where (c.appid, c.kind, c.start, c.name) = (known.appid, known.kind, known.start, '')
    )
    and not exists (
      select from counted c
      where (c.appid, c.kind, c.start, c.release_id, c.name)
        = (known.appid, known.kind, known.start, known.release_id, known.name)
    )`

/** Counts the users of the days since `from`. */
export async function upsertUsers(tx: Tx, from: number): Promise<void> {
  await tx`
    insert into analytics_days as known (appid, day, users, new_users, week_users, month_users)
    select appid, d.day, count(*), count(*) filter (where u.first_day = d.day), 0, 0
    from analytics_user_days d join analytics_users u using (appid, user_id)
    where d.day >= ${from}
    group by appid, d.day
    on conflict (appid, day) do update set users = excluded.users, new_users = excluded.new_users
    where (known.users, known.new_users) <> (excluded.users, excluded.new_users)`
}

/** Limit of a statement about the users of a month, ms. With 50,000 users a day it takes five seconds. */
const loyaltyLimit = 10 * minute

/**
 * Counts the users of the last 7 and 30 days, also of mini apps that were not opened today, and those of earlier weeks
 * who came back in this one or the last.
 */
export async function upsertLoyalty(sql: Sql, today: number): Promise<void> {
  const inOwnTransaction = (count: (tx: Tx) => Promise<unknown>) => sql.begin(count, { statementLimit: loyaltyLimit })
  await inOwnTransaction(
    (tx) => tx`
    insert into analytics_days as known (appid, day, users, new_users, week_users, month_users)
    select appid, last.day, 0, 0, count(distinct user_id) filter (where d.day > last.day - 7), count(distinct user_id)
    from (values (${today}::integer), (${today - 1}::integer)) as last (day)
      join analytics_user_days d on d.day <= last.day and d.day > last.day - 30
    group by appid, last.day
    on conflict (appid, day) do update set week_users = excluded.week_users, month_users = excluded.month_users
    where (known.week_users, known.month_users) <> (excluded.week_users, excluded.month_users)`,
  )
  const week = weekOf(today)
  await inOwnTransaction(
    (tx) => tx`
    insert into analytics_cohorts as known (appid, week, age, users)
    select appid, (u.first_day + 3) / 7, (d.day + 3) / 7 - (u.first_day + 3) / 7, count(distinct user_id)
    from analytics_user_days d join analytics_users u using (appid, user_id)
    where d.day >= ${firstDayOf(week - 1)} and u.first_day >= ${firstDayOf(week - 1 - cohortWeeks)}
    group by 1, 2, 3
    on conflict (appid, week, age) do update set users = excluded.users where known.users <> excluded.users`,
  )
}

/** Returns the week of a day, both since 1970. Weeks start on Monday, and 1970-01-01 was a Thursday. */
export function weekOf(dayNumber: number): number {
  return Math.floor((dayNumber + 3) / 7)
}

/** Returns the first day of a week. */
export function firstDayOf(week: number): number {
  return week * 7 - 3
}

/** Returns the start of the week of a time; both are ms. */
export function startOfWeek(time: number): number {
  return firstDayOf(weekOf(Math.floor(time / day))) * day
}

/** Deletes events of days that have no partition. */
export async function deleteUnpartitionedEvents(sql: Sql, before: number): Promise<void> {
  await sql`delete from analytics_events_default where time < ${before}`
}

export async function deleteOld(
  sql: Sql,
  { hoursBefore, daysBefore }: { hoursBefore: number; daysBefore: number },
): Promise<void> {
  const firstDay = Math.floor(daysBefore / day)
  await sql`delete from analytics_counts where span = 'hour' and start < ${Math.max(hoursBefore, daysBefore)}`
  await deleteOldDays(sql, daysBefore)
  await sql`delete from analytics_user_days where day < ${Math.floor(Math.max(hoursBefore, daysBefore) / day)}`
  await sql`delete from analytics_users where last_day < ${firstDay}`
  await sql`delete from analytics_days where day < ${firstDay}`
  await sql`delete from analytics_cohorts where week < ${weekOf(firstDay)}`
  await sql`delete from analytics_trades where day < ${firstDay}`
  await sql`delete from opened_trades where time < ${hoursBefore}`
  await sql`delete from analytics_errors where last_time < ${daysBefore}`
}

/** Deletes counts of days before a time. The week of that time keeps the counts of its other days. */
async function deleteOldDays(sql: Sql, before: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`delete from analytics_counts where span = 'dayTotal' and start < ${before}`
    const { count } = await tx`delete from analytics_counts where span = 'day' and start < ${before}`
    if (count === 0) return
    await tx`delete from analytics_counts where span = 'week' and start < ${before}`
    const week = startOfWeek(before)
    await upsertWeeks(tx, week, week + 7 * day)
  })
}
