import type { ProjectList } from '@souk/contract'
import type { Sql } from '../../../kernel/db/pool.ts'

/**
 * Returns the identifier of the newest row of each list of a project, to notice rows that are added without a
 * notification: creating a trade and logging a request are too frequent for one. Reads one indexed row per mini app and
 * list.
 */
export async function findNewestOfLists(
  sql: Sql,
  projectId: string,
): Promise<Pick<Record<ProjectList, string | null>, 'trades' | 'requests' | 'audit'>> {
  const [newest] = await sql<[Awaited<ReturnType<typeof findNewestOfLists>>]>`
    select
      (select max(trade.id) from apps cross join lateral (
        select ctime || '.' || trade_no as id from all_trades
        where appid = apps.appid order by ctime desc, trade_no desc limit 1
      ) trade where project_id = ${projectId}) as trades,
      (select max(request.id) from apps cross join lateral (
        select time || '.' || request_id as id from request_log
        where appid = apps.appid order by time desc, request_no desc limit 1
      ) request where project_id = ${projectId}) as requests,
      (select max(audit_id)::text from audit_log where project_id = ${projectId}) as audit`
  return newest
}
