import { type consoleOperations, day, type ResultOf, type TransactionStatus } from '@souk/contract'
import type { Rows, Sql } from '../../kernel/db/pool.ts'
import { numberedIn } from '../numberedIn.ts'

type Operations = typeof consoleOperations
export type TradeRow = Omit<ResultOf<Operations['searchTrades']>['items'][number], 'amountStrWithYuan'>
type Total = Omit<ResultOf<Operations['tradeTotals']>['rows'][number], 'day'>

/** A trade as the search of the console shows it. */
export type FoundTrade = ResultOf<Operations['search']>['trades'][number]

/** A filter of trades. All given conditions apply. `before` is the last trade of the previous page. */
export interface TradeFilter {
  statuses?: TransactionStatus[] | undefined
  currency?: string | undefined
  from?: number | undefined
  to?: number | undefined
  /** Prefixes. */
  outTradeNo?: string | undefined
  tradeNo?: string | undefined
  minAmount?: number | undefined
  maxAmount?: number | undefined
  payer?: number | undefined
  before: { ctime: number; tradeNo: string } | undefined
  limit: number
  sandbox: boolean
}

/**
 * Lists trades of these apps, newest first. Reads at most a page per app and status from an index in that order, so the
 * cost of a page does not depend on the number of trades.
 */
export function listTradeRows(
  sql: Sql,
  appids: readonly string[],
  { statuses, before, limit, sandbox, ...filter }: TradeFilter,
): Rows<TradeRow> {
  const { currency, from, to, minAmount, maxAmount, payer } = filter
  const outTradeNo = filter.outTradeNo?.replace(/[\\%_]/g, '\\$&')
  const tradeNo = filter.tradeNo?.toLowerCase()
  return sql<TradeRow[]>`
    select
      replace(t.trade_no::text, '-', '') as "tradeNo", t.appid, t.out_trade_no as "outTradeNo", t.description, t.amount,
      t.currency, t.payer, t.pay_method as "payMethod", t.transaction_status as "transactionStatus",
      t.fail_reason_type as "failReasonType", t.notify_success as "notifySuccess", t.ctime, t.mtime
    from unnest(${appids as string[]}::text[]) as requested (appid)
      ${statuses === undefined ? sql`` : sql`cross join unnest(${statuses}::smallint[]) as wanted (status)`}
      cross join lateral (
        select * from all_trades
        where appid = requested.appid ${numberedIn(sql, 'trade_no', { from, to: before ? before.ctime + 1 : to, sandbox })}
          ${statuses === undefined ? sql`` : sql`and transaction_status = wanted.status`}
          ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
          ${from === undefined ? sql`` : sql`and ctime >= ${from}`}
          ${to === undefined ? sql`` : sql`and ctime < ${to}`}
          ${outTradeNo === undefined ? sql`` : sql`and out_trade_no like ${`${outTradeNo}%`}`}
          ${
            tradeNo === undefined
              ? sql``
              : sql`and trade_no between ${tradeNo.padEnd(32, '0')} and ${tradeNo.padEnd(32, 'f')}`
          }
          ${minAmount === undefined ? sql`` : sql`and amount >= ${minAmount}`}
          ${maxAmount === undefined ? sql`` : sql`and amount <= ${maxAmount}`}
          ${payer === undefined ? sql`` : sql`and payer = ${payer}`}
          ${before === undefined ? sql`` : sql`and (ctime, trade_no) < (${before.ctime}, ${before.tradeNo})`}
        order by ctime desc, trade_no desc
        limit ${limit}
      ) t
    order by t.ctime desc, t.trade_no desc
    limit ${limit}`
}

/**
 * Finds trades with a text anywhere in their numbers among the newest `scanned` of each app, newest first. Reads the
 * newest ones along an index in that order.
 */
export async function findInNewest(
  sql: Sql,
  appids: readonly string[],
  { text, scanned, limit }: { text: string; scanned: number; limit: number },
): Promise<FoundTrade[]> {
  return sql<FoundTrade[]>`
    select
      replace(trade_no::text, '-', '') as "tradeNo", out_trade_no as "outTradeNo", amount, currency,
      transaction_status as "transactionStatus"
    from unnest(${appids as string[]}::text[]) as requested (appid) cross join lateral (
      select trade_no, out_trade_no, amount, currency, transaction_status, ctime from all_trades
      where appid = requested.appid
      order by ctime desc, trade_no desc
      limit ${scanned}
    ) newest
    where position(${text.toLowerCase()} in lower(out_trade_no) || ' ' || replace(trade_no::text, '-', '')) > 0
    order by ctime desc, trade_no desc
    limit ${limit}`
}

/**
 * Lists sums by day, status and currency, oldest day first, capped at 2^53 - 1 cents. `dayNumber` counts days since
 * 1970 in a time zone that is `shift` ms ahead of UTC. The query sums each day separately, because the planner can then
 * avoid sorting: it knows that there are few statuses and currencies.
 */
export async function listTotals(
  sql: Sql,
  appids: readonly string[],
  {
    from,
    to,
    shift,
    statuses,
    currency,
    sandbox,
  }: {
    from: number
    to: number
    shift: number
    statuses: TransactionStatus[] | undefined
    currency: string | undefined
    sandbox: boolean
  },
): Promise<(Total & { dayNumber: number })[]> {
  const dayOf = (time: number) => Math.floor((time + shift) / day)
  return sql<(Total & { dayNumber: number })[]>`
    select day_number as "dayNumber", sums.*
    from generate_series(${dayOf(from)}::bigint, ${dayOf(to - 1)}::bigint) as day_number cross join lateral (
      select
        transaction_status as "transactionStatus", currency, count(*)::integer as count,
        least(sum(amount), 9007199254740991)::bigint as amount
      from all_trades
      where appid = any(${appids as string[]}) ${numberedIn(sql, 'trade_no', { from, to, sandbox })} and ctime >= ${from} and ctime < ${to}
        and ctime >= day_number * ${day}::bigint - ${shift}::bigint
          and ctime < (day_number + 1) * ${day}::bigint - ${shift}::bigint
        ${statuses === undefined ? sql`` : sql`and transaction_status = any(${statuses}::smallint[])`}
        ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
      group by transaction_status, currency
    ) sums
    order by day_number, "transactionStatus", currency`
}
