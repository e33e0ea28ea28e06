import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** What happened in a release of a mini app. */
export interface ReleaseCounts {
  opens: number
  launches: number
  launchFailures: number
  errors: number
}

/**
 * Counts the events of each release of a mini app from `from` to `to`, ms of real time, at most a week ago. Includes
 * events that have just been reported. Releases without events are absent.
 */
export async function countByRelease(
  sql: Sql | Tx,
  { appid, from, to }: { appid: string; from: number; to: number },
): Promise<Map<string, ReleaseCounts>> {
  const rows = await sql<(ReleaseCounts & { releaseId: string })[]>`
    select replace(release_id::text, '-', '') as "releaseId",
      count(*) filter (where kind = 'open')::float8 as opens,
      count(*) filter (where kind = 'launch')::float8 as launches,
      count(*) filter (where kind = 'launchFailure')::float8 as "launchFailures",
      count(*) filter (where kind = 'error')::float8 as errors
    from analytics_events where appid = ${appid} and time >= ${from} and time < ${to}
    group by release_id`
  return new Map(rows.map(({ releaseId, ...counts }) => [releaseId, counts]))
}
