import type { consoleOperations, ResultOf } from '@souk/contract'
import { partitionedTables } from '../../kernel/db/partitions.ts'
import type { Sql } from '../../kernel/db/pool.ts'

export const requestLogTable = partitionedTables.request_log

/** An open API request and its result, without parameters. `time` is real time in ms; `duration` is in ms. */
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

const columns = (sql: Sql) => sql`
  request_id as "requestId", time, appid, operation, status, code, reason, duration, diagnosis`

/** A filter for requests. `before` is the last request of the previous page. */
export interface RequestFilter {
  failed: boolean
  operation?: string | undefined
  code?: string | undefined
  from?: number | undefined
  to?: number | undefined
  before?: { time: number; requestNo: number } | undefined
  limit: number
}

export type NumberedRequest = RequestLogEntry & { requestNo: number }

/** Returns requests of these apps, or of all, newest first. Reads at most one page per app along an index. */
export async function listRequestRows(
  sql: Sql,
  appids: 'all' | readonly string[],
  { failed, operation, code, from, to, before, limit }: RequestFilter,
): Promise<NumberedRequest[]> {
  const filter = sql`
    ${failed ? sql`and code is not null` : sql``}
    ${operation === undefined ? sql`` : sql`and operation = ${operation}`}
    ${code === undefined ? sql`` : sql`and code = ${code}`}
    ${from === undefined ? sql`` : sql`and time >= ${from}`}
    ${to === undefined ? sql`` : sql`and time < ${to}`}
    ${before === undefined ? sql`` : sql`and (time, request_no) < (${before.time}, ${before.requestNo})`}
    order by time desc, request_no desc limit ${limit}`
  if (appids === 'all') {
    return sql<NumberedRequest[]>`
      select ${columns(sql)}, request_no as "requestNo" from request_log where true ${filter}`
  }
  return sql<NumberedRequest[]>`
    select found.*
    from unnest(${appids as string[]}::text[]) as own (appid) cross join lateral (
      select ${columns(sql)}, request_no as "requestNo" from request_log where appid = own.appid ${filter}
    ) found
    order by time desc, "requestNo" desc limit ${limit}`
}

export async function findRequest(sql: Sql, requestId: string): Promise<RequestLogEntry | undefined> {
  const [row] = await sql<RequestLogEntry[]>`select ${columns(sql)} from request_log where request_id = ${requestId}`
  return row
}

/** Deletes older entries of days that have no partition. */
export async function deleteUnpartitioned(sql: Sql, before: number): Promise<void> {
  await sql`delete from request_log_default where time < ${before}`
}
