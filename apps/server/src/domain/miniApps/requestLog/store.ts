import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { containsText, directionOf, listsOfPage, mergedOrder, scannedRows } from '../../../kernel/db/page.ts'
import { partitionedTables } from '../../../kernel/db/partitions.ts'
import type { Rows, Sql } from '../../../kernel/db/pool.ts'

export const requestLogTable = partitionedTables.request_log

/** An open API request and its result, as listed. `time` is real time in ms; `duration` is in ms. */
export type LoggedRequest = ResultOf<typeof consoleOperations.listRequests>[number]

/** A listed request with its masked parameters and response. */
export type RequestLogEntry = ResultOf<typeof consoleOperations.getRequest>

/** Maximum number of requests shown with a trade. */
const maxOfTrade = 50

export async function insertRequests(sql: Sql, entries: readonly RequestLogEntry[]): Promise<void> {
  const column = <K extends keyof RequestLogEntry>(name: K) => entries.map((entry) => entry[name])
  const json = (name: 'diagnosis' | 'parameters') => entries.map((entry) => entry[name] && JSON.stringify(entry[name]))
  await sql`
    insert into request_log
      (request_id, time, appid, operation, status, code, reason, duration, diagnosis, parameters, response, trade_no,
      client)
    select
      request_id, time, appid, operation, status, code, reason, duration, diagnosis::jsonb, parameters::jsonb, response,
      trade_no, client
    from unnest(
      ${column('requestId')}::text[], ${column('time')}::bigint[], ${column('appid')}::text[],
      ${column('operation')}::text[], ${column('status')}::smallint[], ${column('code')}::text[],
      ${column('reason')}::text[], ${column('duration')}::real[], ${json('diagnosis')}::text[],
      ${json('parameters')}::text[], ${column('response')}::text[], ${column('tradeNo')}::uuid[],
      ${column('client')}::text[]
    ) with ordinality as entry (
      request_id, time, appid, operation, status, code, reason, duration, diagnosis, parameters, response, trade_no,
      client, place)
    order by place`
}

const columns = (sql: Sql) => sql`
  request_id, time, appid, operation, status, code, reason, duration, diagnosis, trade_no, client`

/** A filter for requests. `before` is the last request of the previous page. */
export interface RequestFilter {
  failed?: boolean | undefined
  operation?: string | undefined
  code?: string | undefined
  /** A part of the client, among the newest requests. */
  client?: string | undefined
  /** A part of requestId, tradeNo, reason or client, among the newest requests. */
  text?: string | undefined
  from?: number | undefined
  to?: number | undefined
  /** Order, by default newest first. Other columns sort the newest requests (ADR 337). */
  sort?: RequestSort | undefined
  /** `value` is that of the sorted column. */
  before?: { value: number; requestNo: number } | undefined
  limit: number
  /** Whether the rows are counted, in no order. */
  isTotal?: boolean
}

type RequestSort = NonNullable<ParametersOf<typeof consoleOperations.searchRequests>['sort']>

export type NumberedRequest = LoggedRequest & { requestNo: number }

/** Returns the column that requests are sorted by. */
export function sortedColumn(sort: RequestSort): 'time' | 'duration' | 'status' {
  if (sort.endsWith('time')) return 'time'
  return sort.endsWith('status') ? 'status' : 'duration'
}

/**
 * Returns requests of these apps, or of all. By time it reads at most one page per app along an index. Another order,
 * a client and a text read the newest requests.
 */
export function listRequestRows(
  sql: Sql,
  appids: 'all' | readonly string[],
  { failed, operation, code, client, text, from, to, sort = '-time', before, limit, isTotal = false }: RequestFilter,
): Rows<NumberedRequest> {
  const filter = sql`
    ${failed ? sql`and code is not null` : sql``}
    ${operation === undefined ? sql`` : sql`and operation = ${operation}`}
    ${code === undefined ? sql`` : sql`and code = ${code}`}
    ${from === undefined ? sql`` : sql`and time >= ${from}`}
    ${to === undefined ? sql`` : sql`and time < ${to}`}`
  const { direction, follows } = directionOf(sql, sort)
  const name = sortedColumn(sort)
  const column = sql(name)
  // The number that JavaScript reads, so that a cursor's value equals that of its row.
  const compared = { time: column, duration: sql`duration::text::float8`, status: sql`status::bigint` }[name]
  const after = before && sql`and (${compared}, request_no) ${follows} (${before.value}, ${before.requestNo})`
  const sorted = sql`order by ${column} ${direction}, request_no ${direction}`
  const isAlongIndex = client === undefined && text === undefined && name === 'time'
  const values = sql`request_id, replace(trade_no::text, '-', ''), reason, client`
  const ofApp = appids === 'all' ? sql`true` : sql`appid = list.appid`
  const source = isAlongIndex
    ? sql`request_log where ${ofApp} ${filter}`
    : sql`(
          select * from request_log where ${ofApp} ${filter} order by time desc, request_no desc
          limit ${scannedRows(appids === 'all' ? 1 : appids.length)}
        ) newest
        where ${client === undefined ? sql`true` : containsText(sql, client, sql`client`)}
          and ${text === undefined ? sql`true` : containsText(sql, text, values)}`
  if (appids === 'all') {
    return sql<NumberedRequest[]>`
      select ${columns(sql)}, request_no from ${source} ${after ?? sql``} ${sorted} limit ${limit}`
  }
  const lists = sql`unnest(${appids as string[]}::text[]) as list (appid)`
  const first = sql`select time, request_no from ${source} ${after ?? sql``} ${sorted} limit 1`
  const order = sql`head.time ${direction}, head.request_no ${direction}`
  return sql<NumberedRequest[]>`
    select found.*
    from ${isAlongIndex ? listsOfPage(sql, { lists, count: appids.length, first, order, limit }) : lists} cross join lateral (
      select ${columns(sql)}, request_no from ${source} ${after ?? sql``} ${sorted} limit ${limit}
    ) found
    ${mergedOrder(sql, isTotal, sql`${column} ${direction}, request_no ${direction}`)} limit ${limit}`
}

export async function findRequest(sql: Sql, requestId: string): Promise<RequestLogEntry | undefined> {
  const [row] = await sql<RequestLogEntry[]>`
    select ${columns(sql)}, parameters, response from request_log where request_id = ${requestId}`
  return row
}

/** Returns the first requests of its own mini app that concerned a trade, oldest first. */
export async function listRequestsOfTrade(
  sql: Sql,
  { appid, tradeNo }: { appid: string; tradeNo: string },
): Promise<LoggedRequest[]> {
  return sql<LoggedRequest[]>`
    select ${columns(sql)} from request_log
    where trade_no = ${tradeNo} and appid = ${appid}
    order by time, request_no limit ${maxOfTrade}`
}

/** Deletes older entries of days that have no partition. */
export async function deleteUnpartitioned(sql: Sql, before: number): Promise<void> {
  await sql`delete from request_log_default where time < ${before}`
}
