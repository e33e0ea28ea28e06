import { type consoleOperations, day, hour, type ResultOf } from '@souk/contract'
import type { Part, Sql } from '../../../kernel/db/pool.ts'
import { isFailing } from '../../money/index.ts'

type Incidents = ResultOf<(typeof consoleOperations)['listIncidents']>
type Figures = Omit<ResultOf<(typeof consoleOperations)['listAppFigures']>[number], 'sales'>

const isLive = (sql: Sql) => sql`a.archived_time is null and a.deleted_time is null`

/** The numbers of decisions that a project waits for, and its mini apps whose callbacks are not acknowledged. */
interface Attention {
  projectId: string
  appids: string[]
  reviews: number
  changes: number
}

/** Lists these projects if something is wrong or waits in them. Reads at most `limit` incidents of a kind. */
export async function listAttention(
  sql: Sql,
  projectIds: 'all' | readonly string[],
  limit: number,
): Promise<Attention[]> {
  const isShown =
    projectIds === 'all' ? isLive(sql) : sql`a.project_id = any(${projectIds as string[]}::uuid[]) and ${isLive(sql)}`
  return sql<Attention[]>`
    select project_id, coalesce(array_agg(distinct appid) filter (where kind = 'receiver'), '{}') as appids,
      (count(*) filter (where kind = 'review'))::integer as reviews,
      (count(*) filter (where kind = 'change'))::integer as changes
    from (
      (
        select 'receiver' as kind, a.project_id, a.appid from callback_receivers r join apps a using (appid)
        where ${isShown} order by r.failing_since desc, a.appid, r.host limit ${limit}
      ) union all (
        select 'review', a.project_id, a.appid
        from release_reviews v join releases r using (release_id) join apps a on a.appid = r.appid
        where ${isShown} and v.state in ('submitted', 'inReview') and r.stage = 'review'
        order by v.ctime, v.review_id limit ${limit}
      ) union all (
        select 'change', a.project_id, a.appid from change_requests c join apps a using (appid)
        where ${isShown} and c.state = 'pending' order by c.ctime, c.change_id limit ${limit}
      )
    ) found
    group by project_id`
}

/** Lists the mini apps whose last requests had a wrong signature, newest first. Reads at most `maxRequests` of each. */
export async function listWrongSigns(
  sql: Sql,
  projectId: string,
  { from, maxRequests, limit }: { from: number; maxRequests: number; limit: number },
): Promise<Incidents['wrongSigns']> {
  return sql<Incidents['wrongSigns']>`
    select a.appid, a.name, found.*
    from apps a cross join lateral (
      select count(*)::integer as requests, (array_agg(request_id order by time desc, request_no desc))[1] as request_id,
        max(time) as time
      from (
        select request_id, time, request_no from request_log
        where appid = a.appid and code = 'sign_mismatch' and time >= ${from}
        order by time desc, request_no desc limit ${maxRequests}
      ) newest
    ) found
    where a.project_id = ${projectId} and ${isLive(sql)} and found.requests > 0
    order by found.time desc, a.appid limit ${limit}`
}

/** A release that users get, with its failures and those of the releases before it. */
export interface ReleaseHealth extends ReleaseIncident {
  opensBefore: number
  failuresBefore: number
}

type ReleaseIncident = Incidents['releases'][number]

/**
 * Lists the newest published releases and canaries of a project with their failures in the last `counted` ms, and those
 * of other releases in `compared` ms before. `now` is real time, and `publishedAfter` is on the domain clock.
 */
export async function listHealth(
  sql: Sql,
  projectId: string,
  times: { now: number; publishedAfter: number; counted: number; compared: number; limit: number },
): Promise<ReleaseHealth[]> {
  const { now, publishedAfter, counted, compared, limit } = times
  const columns = sql`a.appid, a.name, r.release_id, r.version, r.platform`
  const isShown = sql`a.project_id = ${projectId} and a.enabled and ${isLive(sql)}`
  const counts = sql`
    coalesce(sum(count) filter (where kind = 'open'), 0)::bigint as opens,
    coalesce(sum(count) filter (where kind <> 'open'), 0)::bigint as failures
    from analytics_counts
    where appid = r.appid and span = 'hour' and kind in ('open', 'launchFailure', 'error')`
  return sql<ReleaseHealth[]>`
    select
      r.appid, r.name, r.release_id, r.version, r.platform, r.canary, r.published_time, r.canary_time,
      own.opens, own.failures, before.opens as opens_before, before.failures as failures_before
    from (
      select ${columns}, false as canary, r.published_time, null::bigint as canary_time, r.published_time as since
      from apps a join releases r using (appid)
      where ${isShown} and r.current and r.published_time >= ${publishedAfter}
      union all
      select ${columns}, true, null, c.ctime, c.ctime
      from apps a join canaries c using (appid) join releases r using (release_id)
      where ${isShown} and c.state = 'running'
      order by since desc, release_id limit ${limit}
    ) r
      -- Publications have the time of the domain clock, which a sandbox can move; canaries and counts have real time.
      cross join lateral (select least(r.published_time, r.canary_time, ${now}) as time) as published
      cross join lateral (
        select ${counts} and release_id = r.release_id and start > ${now - counted - hour}
      ) as own
      cross join lateral (
        select ${counts} and release_id <> r.release_id
          and start >= published.time - ${compared}::bigint and start < published.time
      ) as before
    order by r.since desc, r.release_id`
}

/** Returns how many releases and changes of a project wait for a decision, and since when. */
export async function findWaiting(sql: Sql, projectId: string): Promise<Pick<Incidents, 'reviews' | 'changes'>> {
  const waiting = sql`
    case when count(*) > 0 then json_build_object('count', count(*), 'since', min(waiting.ctime)) end`
  const [row] = await sql<[Pick<Incidents, 'reviews' | 'changes'>]>`
    select
      (
        select ${waiting} from apps a join releases r using (appid) cross join lateral (
          select v.ctime from release_reviews v
          where v.release_id = r.release_id and v.state in ('submitted', 'inReview')
        ) waiting
        where a.project_id = ${projectId} and ${isLive(sql)} and r.stage = 'review'
      ) as reviews,
      (
        select ${waiting} from apps a cross join lateral (
          select c.ctime from change_requests c where c.appid = a.appid and c.state = 'pending'
        ) waiting
        where a.project_id = ${projectId} and ${isLive(sql)}
      ) as changes`
  return row
}

/** Counts callbacks that are retried and unanswered messages of a project, each up to `max`. */
export async function findProjectCounters(
  sql: Sql,
  projectId: string,
  max: number,
): Promise<{ callbacks: number; feedback: number }> {
  const sum = (rows: Part) => sql`(
    select least(coalesce(sum(count), 0), ${max})::integer from apps a cross join lateral (
      select count(*) as count from (${rows}) counted
    ) found where a.project_id = ${projectId} and ${isLive(sql)}
  )`
  const [row] = await sql<[{ callbacks: number; feedback: number }]>`
    select ${sum(sql`select from callbacks where appid = a.appid and ${isFailing(sql)} limit ${max}`)} as callbacks,
      ${sum(sql`
        select from feedback where appid = a.appid and state = 'open' and kind <> 'report' limit ${max}`)} as feedback`
  return row
}

export async function countOpenReports(sql: Sql, max: number): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::integer as count
    from (select from feedback where state = 'open' and kind = 'report' limit ${max}) open_reports`
  return count
}

/** Lists the newest mini apps of a project. `from` and `to` are on the domain clock, which is `ahead` of real time. */
export async function listFigures(
  sql: Sql,
  projectId: string,
  range: { from: number; to: number; ahead: number; limit: number },
): Promise<Figures[]> {
  const { from, to, ahead, limit } = range
  return sql<Figures[]>`
    select a.appid, a.name, a.icon_url, a.enabled, published.live, used.opens, used.errors
    from (
      select * from apps a where project_id = ${projectId} and ${isLive(sql)} order by ctime desc, appid limit ${limit}
    ) a
      cross join lateral (
        select coalesce(json_agg(json_build_object('platform', platform, 'version', version) order by platform), '[]')
          as live
        from releases where appid = a.appid and current
      ) published
      cross join lateral (
        select coalesce(sum(count) filter (where kind = 'open'), 0)::bigint as opens,
          coalesce(sum(count) filter (where kind <> 'open'), 0)::bigint as errors
        from analytics_counts
        where appid = a.appid and span = 'day' and kind in ('open', 'launchFailure', 'error')
          and start > ${from - ahead - day} and start < ${to - ahead}
      ) used
    order by a.ctime desc, a.appid`
}
