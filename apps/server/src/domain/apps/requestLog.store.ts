import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql } from '../../kernel/db/pool.ts'

/** One open API request as it was answered. `time` is real time, ms; `duration` is ms. It holds no parameter. */
export type RequestLogEntry = ResultOf<typeof consoleOperations.listRequests>[number]

export async function insertRequests(sql: Sql, entries: readonly RequestLogEntry[]): Promise<void> {
  const column = <K extends keyof RequestLogEntry>(name: K) => entries.map((entry) => entry[name])
  const diagnoses = entries.map(({ diagnosis }) => diagnosis && JSON.stringify(diagnosis))
  await sql`
    insert into request_log (request_id, time, appid, operation, status, code, reason, duration, diagnosis)
    select request_id, time, appid, operation, status, code, reason, duration, diagnosis::jsonb
    from unnest(
      ${column('requestId')}::text[], ${column('time')}::bigint[], ${column('appid')}::text[],
      ${column('operation')}::text[], ${column('status')}::smallint[], ${column('code')}::text[],
      ${column('reason')}::text[], ${column('duration')}::real[], ${diagnoses}::text[]
    ) with ordinality as
      entry (request_id, time, appid, operation, status, code, reason, duration, diagnosis, place)
    order by place`
}

export async function selectRequests(
  sql: Sql,
  { appid, failed, limit }: { appid: string | undefined; failed: boolean; limit: number },
): Promise<RequestLogEntry[]> {
  return sql<RequestLogEntry[]>`
    select request_id as "requestId", time, appid, operation, status, code, reason, duration, diagnosis
    from request_log
    where true
      ${appid === undefined ? sql`` : sql`and appid = ${appid}`}
      ${failed ? sql`and code is not null` : sql``}
    order by request_no desc
    limit ${limit}`
}

/** Deletes some of what is older; whether there may be more. */
export async function deleteRequests(sql: Sql, before: number): Promise<boolean> {
  const most = 10_000
  const { count } = await sql`
    delete from request_log where request_no in (
      select request_no from request_log where time < ${before} order by time limit ${most})`
  return count === most
}
