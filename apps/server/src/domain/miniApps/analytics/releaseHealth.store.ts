import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql } from '../../../kernel/db/pool.ts'

type Health = ResultOf<(typeof consoleOperations)['listReleaseHealth']>[number]

/**
 * Lists the newest releases of a project with their failures, and those of the mini app in `compared` ms before their
 * publication. `now` is real time, and `publishedAfter` is on the domain clock.
 */
export async function listHealth(
  sql: Sql,
  projectId: string,
  { now, publishedAfter, compared, limit }: { now: number; publishedAfter: number; compared: number; limit: number },
): Promise<Health[]> {
  return sql<Health[]>`
    select r.appid, a.name, r.release_id, r.version, r.platform, r.published_time, since.counts as since,
      before.counts as before
    from releases r join apps a using (appid)
      -- Releases have the time of the domain clock, which a sandbox can move, and counts have real time.
      cross join lateral (select least(r.published_time, ${now}) as time) as published
      cross join lateral (
        select ${counts(sql)} from analytics_counts
        where appid = r.appid and span = 'hour' and kind = any(${kinds}) and release_id = r.release_id
      ) as since
      cross join lateral (
        select ${counts(sql)} from analytics_counts
        where appid = r.appid and span = 'hour' and kind = any(${kinds})
          and release_id <> r.release_id
          and start >= published.time - ${compared}::bigint and start < published.time
      ) as before
    where a.project_id = ${projectId} and a.enabled and a.archived_time is null and r.current and r.published_time >= ${publishedAfter}
    order by r.published_time desc, r.release_id limit ${limit}`
}

const kinds = ['open', 'launchFailure', 'error']

const counts = (sql: Sql) => sql`
  json_build_object(
    'opens', coalesce(sum(count) filter (where kind = 'open'), 0),
    'launchFailures', coalesce(sum(count) filter (where kind = 'launchFailure'), 0),
    'errors', coalesce(sum(count) filter (where kind = 'error'), 0)
  ) as counts`
