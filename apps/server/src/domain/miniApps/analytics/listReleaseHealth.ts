import { type consoleOperations, day, type ParametersOf, type ResultOf } from '@souk/contract'
import type { Sql } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'

type Operation = (typeof consoleOperations)['listReleaseHealth']

/** Days after its publication in which a release is listed, and days before it that it is compared with. */
const listedDays = 30
const comparedDays = 7
const maxReleases = 20

/** Lists the newest releases of a project with their failures, and those of the mini app before their publication. */
export async function listReleaseHealth(
  { sql, clock }: Context,
  _caller: ConsoleCaller,
  { projectId }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const after = clock.now() - listedDays * day
  return sql<ResultOf<Operation>>`
    select r.appid, a.name, r.release_id, r.version, r.platform,
      r.published_time, since.counts as since, before.counts as before
    from releases r join apps a using (appid)
      -- Releases have the time of the domain clock, which a sandbox can move, and counts have real time.
      cross join lateral (select least(r.published_time, ${clock.real()}) as time) as published
      cross join lateral (
        select ${counts(sql)} from analytics_counts
        where appid = r.appid and span = 'hour' and kind = any(${kinds}) and release_id = r.release_id
      ) as since
      cross join lateral (
        select ${counts(sql)} from analytics_counts
        where appid = r.appid and span = 'hour' and kind = any(${kinds})
          and release_id <> r.release_id
          and start >= published.time - ${comparedDays * day}::bigint and start < published.time
      ) as before
    where a.project_id = ${projectId} and a.enabled and a.archived_time is null and r.current and r.published_time >= ${after}
    order by r.published_time desc, r.release_id limit ${maxReleases}`
}

const kinds = ['open', 'launchFailure', 'error']

const counts = (sql: Sql) => sql`
  json_build_object(
    'opens', coalesce(sum(count) filter (where kind = 'open'), 0),
    'launchFailures', coalesce(sum(count) filter (where kind = 'launchFailure'), 0),
    'errors', coalesce(sum(count) filter (where kind = 'error'), 0)
  ) as counts`
