import { type consoleOperations, type ResultOf, searchedRows } from '@souk/contract'
import { beginningWith } from '../../../kernel/db/beginningWith.ts'
import { containsText } from '../../../kernel/db/page.ts'
import type { Part, Sql } from '../../../kernel/db/pool.ts'

type Found = ResultOf<(typeof consoleOperations)['search']>

/** Search for a kind of things. `projects` selects the ids of its projects; those of `current` come first. */
export interface Search {
  projects: Part
  current: string | undefined
  text: string
  limit: number
}

/** Number of mini apps whose trades are searched by a part: those of the current project, then the newest ones. */
const searchedApps = 200

const isCurrent = (sql: Sql, current: string | undefined) => sql`(p.project_id = ${current ?? null}::uuid) is true`
const inProject = (sql: Sql) => sql`p.project_id, p.name as project_name`

export async function listProjects(sql: Sql, { projects, text, limit }: Search): Promise<Found['projects']> {
  return sql<Found['projects']>`
    select ${inProject(sql)} from projects p
    where p.project_id in (${projects}) and ${containsText(sql, text, sql`p.name`)}
    order by p.archived_time desc nulls first, p.name, p.project_id limit ${limit}`
}

/** Lists mini apps by a part of their appid, or of their name in any language. */
export async function listApps(sql: Sql, { projects, current, text, limit }: Search): Promise<Found['apps']> {
  const values = sql`a.appid, a.name, (select string_agg(value, E'\\n') from jsonb_each_text(a.names))`
  return sql<Found['apps']>`
    select a.appid, a.name, ${inProject(sql)}
    from apps a join projects p using (project_id)
    where a.project_id in (${projects}) and a.deleted_time is null and ${containsText(sql, text, values)}
    order by ${isCurrent(sql, current)} desc, a.archived_time desc nulls first, a.ctime desc, a.appid limit ${limit}`
}

/**
 * Lists trades by the beginning of their outTradeNo or tradeNo, or by a part of them or of their description among the
 * newest. If there are more mini apps than `searchedApps`, trades of the others are found by complete numbers.
 */
export async function listTrades(sql: Sql, { projects, current, text, limit }: Search): Promise<Found['trades']> {
  const columns = sql`trade_no, out_trade_no, transaction_status, amount, currency, ctime`
  const values = sql`out_trade_no, replace(trade_no::text, '-', ''), description`
  const trades = (condition: Part) => sql`
    (select ${columns} from all_trades where appid = near.appid and ${condition} order by ctime desc limit ${limit})`
  const begun = beginningWith(sql, text, {
    from: sql`all_trades`,
    where: sql`appid = near.appid`,
    column: sql`out_trade_no`,
    few: searchedRows / searchedApps,
    rest: sql``,
    order: sql`order by ctime desc`,
    limit,
  })
  const number = text.toLowerCase()
  const isNumber = /^[0-9a-f]{1,32}$/.test(number)
  const numbered = sql`trade_no between ${number.padEnd(32, '0')}::uuid and ${number.padEnd(32, 'f')}::uuid`
  return sql<Found['trades']>`
    with readable as materialized (
      select a.appid, p.project_id, p.name as project_name, ${isCurrent(sql, current)} as here,
        row_number() over (order by ${isCurrent(sql, current)} desc, a.ctime desc, a.appid) as place
      from apps a join projects p using (project_id)
      where a.project_id in (${projects})
    ), near as materialized (
      select *, ${searchedRows} / count(*) over () as rows from readable where place <= ${searchedApps}
    ), others as materialized (
      select * from readable where place > ${searchedApps}
    )
    select trade_no, out_trade_no, transaction_status, amount, currency, project_id, project_name from (
      select here, project_id, project_name, t.* from near cross join lateral (
        (select ${columns} from (${begun}) begun)
        union (
          select ${columns} from (
            select * from all_trades where appid = near.appid order by ctime desc, trade_no desc limit near.rows
          ) newest
          where ${containsText(sql, text, values)} order by ctime desc limit ${limit}
        )
        ${isNumber ? sql`union ${trades(numbered)}` : sql``}
      ) t
      union all
      select here, project_id, project_name, t.* from others join merchants using (appid) cross join lateral (
        select trade_no from out_trade_nos
        where merchant_id = merchants.merchant_id and out_trade_no = ${text} limit 1
      ) claimed cross join lateral (select ${columns} from all_trades where trade_no = claimed.trade_no) t
      ${
        number.length < 32 || !isNumber
          ? sql``
          : sql`
            union all
            select here, project_id, project_name, ${columns} from others join all_trades using (appid)
            where trade_no = ${number}::uuid`
      }
    ) found
    order by here desc, ctime desc, trade_no desc limit ${limit}`
}

/** Lists callbacks by their notifyId or the tradeNo. */
export async function listCallbacks(sql: Sql, search: Search & { id: string }): Promise<Found['callbacks']> {
  const { projects, id, limit } = search
  return sql<Found['callbacks']>`
    select c.notify_id, c.fields ->> 'outTradeNo' as out_trade_no, c.ctime, ${inProject(sql)}
    from (
      select appid, notify_id, fields, ctime from callbacks where notify_id = ${id}
      union all
      select c.appid, c.notify_id, c.fields, c.ctime
      from all_trades t join callbacks c on c.appid = t.appid and c.trade_no = t.trade_no
      where t.trade_no = ${id}
    ) c join apps a using (appid) join projects p using (project_id)
    where p.project_id in (${projects})
    order by c.ctime desc limit ${limit}`
}

/** Lists requests by their ID. */
export async function listRequests(sql: Sql, search: Search & { id: string }): Promise<Found['requests']> {
  const { projects, id, limit } = search
  return sql<Found['requests']>`
    select r.request_id, r.operation, r.time, ${inProject(sql)}
    from request_log r join apps a using (appid) join projects p using (project_id)
    where r.request_id = ${id} and p.project_id in (${projects})
    order by r.time desc limit ${limit}`
}
