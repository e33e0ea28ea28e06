import type { consoleOperations, ResultOf, TransactionStatus } from '@souk/contract'
import type { Sql } from '../../kernel/db/pool.ts'

type Operations = typeof consoleOperations
export type TradeRow = Omit<ResultOf<Operations['searchTrades']>['items'][number], 'amountStrWithYuan'>
type Total = Omit<ResultOf<Operations['tradeTotals']>['rows'][number], 'day'>

/** What trades are picked by: everything that is given has to hold. `before` is the last one of the page before. */
export interface TradeFilter {
  statuses?: TransactionStatus[] | undefined
  currency?: string | undefined
  from?: number | undefined
  to?: number | undefined
  /** How the numbers begin. */
  outTradeNo?: string | undefined
  tradeNo?: string | undefined
  minAmount?: number | undefined
  maxAmount?: number | undefined
  payer?: number | undefined
  before: { ctime: number; tradeNo: string } | undefined
  limit: number
}

/**
 * Trades of these apps, newest first. For each app, and each status that is asked for, they are read along an index that
 * has the order already, and at most a page of them: a page costs the same whatever the number of trades.
 */
export async function listTradeRows(
  sql: Sql,
  appids: readonly string[],
  { statuses, before, limit, ...filter }: TradeFilter,
): Promise<TradeRow[]> {
  const { currency, from, to, minAmount, maxAmount, payer } = filter
  const outTradeNo = filter.outTradeNo?.replace(/[\\%_]/g, '\\$&')
  const tradeNo = filter.tradeNo?.toLowerCase()
  return sql<TradeRow[]>`
    select
      replace(t.trade_no::text, '-', '') as "tradeNo", t.appid, t.out_trade_no as "outTradeNo", t.description, t.amount,
      t.currency, t.payer, t.pay_method as "payMethod", t.transaction_status as "transactionStatus",
      t.fail_reason_type as "failReasonType", t.notify_success as "notifySuccess", t.ctime, t.mtime
    from unnest(${appids as string[]}::text[]) as own (appid)
      ${statuses === undefined ? sql`` : sql`cross join unnest(${statuses}::smallint[]) as wanted (status)`}
      cross join lateral (
        select * from trades
        where appid = own.appid
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
 * Sums by day, status and currency, oldest day first, as far as numbers go (2^53 - 1 cents); `day` counts from 1970 at
 * where midnight is `shift` ms ahead. Day by day, because the planner knows that statuses and currencies are few and sums
 * them without sorting; of days it would not know it.
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
  }: {
    from: number
    to: number
    shift: number
    statuses: TransactionStatus[] | undefined
    currency: string | undefined
  },
): Promise<(Total & { day: number })[]> {
  const dayOf = (time: number) => Math.floor((time + shift) / 86_400_000)
  return sql<(Total & { day: number })[]>`
    select day, sums.*
    from generate_series(${dayOf(from)}::bigint, ${dayOf(to - 1)}::bigint) as day cross join lateral (
      select
        transaction_status as "transactionStatus", currency, count(*)::integer as count,
        least(sum(amount), 9007199254740991)::bigint as amount
      from trades
      where appid = any(${appids as string[]}) and ctime >= ${from} and ctime < ${to}
        and ctime >= day * 86400000 - ${shift}::bigint and ctime < (day + 1) * 86400000 - ${shift}::bigint
        ${statuses === undefined ? sql`` : sql`and transaction_status = any(${statuses}::smallint[])`}
        ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
      group by transaction_status, currency
    ) sums
    order by day, "transactionStatus", currency`
}
