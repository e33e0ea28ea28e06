import {
  type consoleOperations,
  type ParametersOf,
  type RefundExtent,
  type ResultOf,
  type TransactionStatus,
  transactionStatus,
} from '@souk/contract'
import { beginningWith } from '../../../kernel/db/beginningWith.ts'
import { numberedIn } from '../../../kernel/db/numberedIn.ts'
import {
  containsText,
  directionOf,
  listsOfPage,
  mergedOrder,
  prefixPattern,
  scannedRows,
} from '../../../kernel/db/page.ts'
import type { Part, Rows, Sql } from '../../../kernel/db/pool.ts'
import { isRefund } from './sums.store.ts'

type Operations = typeof consoleOperations
export type TradeRow = Omit<ResultOf<Operations['searchTrades']>['items'][number], 'amountStrWithYuan' | 'appName'>
type TradeSort = NonNullable<ParametersOf<Operations['searchTrades']>['sort']>

/**
 * A filter of trades. All given conditions apply. `before` is the last trade of the previous page, with its value of
 * the sorted column.
 */
export interface TradeFilter {
  statuses?: TransactionStatus[] | undefined
  currency?: string | undefined
  from?: number | undefined
  to?: number | undefined
  /** Prefixes. */
  outTradeNo?: string | undefined
  tradeNo?: string | undefined
  /** A part of tradeNo, outTradeNo or description, or the beginning of a number (ADR 325). */
  text?: string | undefined
  minAmount?: number | undefined
  maxAmount?: number | undefined
  payer?: number | undefined
  refund?: RefundExtent | undefined
  sort: TradeSort
  before: { value: number; tradeNo: string } | undefined
  limit: number
  /** Whether the rows are counted, in no order. */
  isTotal: boolean
  sandbox: boolean
}

/** A part of the trades of one app and status. */
interface TradesPart {
  limit: number
  begin?: string
  also?: Part
  /** Whether they are the newest ones under the filter, whatever the page. */
  isWindow?: boolean
}

/** Number of trades of an app with the beginning of an outTradeNo that are read to sort them. */
const fewTrades = 200

/**
 * Lists trades of these apps. Reads one row per app and status from an index in that order, and a page of those that
 * the page can contain, so that its cost does not depend on the number of trades. The filter `refund` starts from the
 * newest refunded trades instead, and sorts them.
 */
export function listTradeRows(
  sql: Sql,
  appids: readonly string[],
  { statuses, sort, before, limit, isTotal, sandbox, ...filter }: TradeFilter,
): Rows<TradeRow> {
  const { currency, from, to, minAmount, maxAmount, payer, refund, outTradeNo, tradeNo, text } = filter
  const { direction, follows } = directionOf(sql, sort)
  const column = sort.endsWith('amount') ? sql`amount` : sql`ctime`
  const after =
    before === undefined ? sql`` : sql`and (${column}, trade_no) ${follows} (${before.value}, ${before.tradeNo})`
  const sorted = sql`order by ${column} ${direction}, trade_no ${direction}`
  /** Period of the trades that follow, which limits the partitions that are read. */
  const rest = {
    from: before && sort === 'ctime' ? before.value : from,
    to: before && sort === '-ctime' ? before.value + 1 : to,
  }
  const comparison = refund === 'full' ? sql`>=` : sql`<`
  const refunded = sql`(
    select trade.* from (
      select trade_no, sum(amount) as amount from refunds
      where appid = list.appid ${numberedIn(sql, 'trade_no', { from, to, sandbox })} and ${isRefund(sql)}
      group by trade_no order by trade_no desc limit ${scannedRows(appids.length)}
    ) refund join all_trades trade on trade.appid = list.appid and trade.trade_no = refund.trade_no
    where refund.amount ${comparison} trade.amount
  ) refunded`
  const source = refund === undefined ? sql`all_trades` : refunded
  const startsWith = (part: string | undefined) =>
    part === undefined ? sql`` : sql`and out_trade_no like ${prefixPattern(part)}`
  /** Selects trades of one app and status, whose outTradeNo begins with `begin`. */
  const trades = ({ limit, begin, also = sql``, isWindow = false }: TradesPart) => {
    const order = isWindow ? sql`order by ctime desc, trade_no desc` : sorted
    const conditions = sql`
      ${numberedIn(sql, 'trade_no', { ...(isWindow ? { from, to } : rest), sandbox })}
      ${statuses === undefined ? sql`` : sql`and transaction_status = list.status`}
      ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
      ${from === undefined ? sql`` : sql`and ctime >= ${from}`}
      ${to === undefined ? sql`` : sql`and ctime < ${to}`}
      ${startsWith(outTradeNo)} ${startsWith(begin)}
      ${tradeNo === undefined ? sql`` : numberStartsWith(tradeNo)}
      ${minAmount === undefined ? sql`` : sql`and amount >= ${minAmount}`}
      ${maxAmount === undefined ? sql`` : sql`and amount <= ${maxAmount}`}
      ${payer === undefined ? sql`` : sql`and payer = ${payer}`}
      ${isWindow ? sql`` : after} ${also}`
    const prefix = begin ?? outTradeNo
    if (prefix === undefined || refund !== undefined)
      return sql`select * from ${source} where appid = list.appid ${conditions} ${order} limit ${limit}`
    const few = Math.max(fewTrades, scannedRows(appids.length))
    const list = { from: source, where: sql`appid = list.appid`, column: sql`out_trade_no`, few }
    return beginningWith(sql, prefix, { ...list, rest: conditions, order, limit })
  }
  const numberStartsWith = (part: string) =>
    sql`and trade_no between ${part.toLowerCase().padEnd(32, '0')}::uuid and ${part.toLowerCase().padEnd(32, 'f')}::uuid`
  const values = sql`out_trade_no, replace(trade_no::text, '-', ''), description`
  // The window is the same for all pages, so that each page follows the previous one.
  const matching = (part: string) => sql`
    (
      select * from (${trades({ limit: scannedRows(appids.length), isWindow: true })}) newest
      where ${containsText(sql, part, values)} ${after} ${sorted} limit ${limit}
    )
    union (${trades({ limit, begin: part })})
    ${/^[0-9a-f]{1,32}$/i.test(part) ? sql`union (${trades({ limit, also: numberStartsWith(part) })})` : sql``}`
  const ofApps = sql`unnest(${appids as string[]}::text[])`
  const lists =
    statuses === undefined
      ? sql`${ofApps} as list (appid)`
      : sql`(select * from ${ofApps} as appid cross join unnest(${statuses}::smallint[]) as status) as list (appid, status)`
  const count = appids.length * (statuses?.length ?? 1)
  const first = trades({ limit: 1 })
  const order = sql`head.${column} ${direction}, head.trade_no ${direction}`
  return sql<TradeRow[]>`
    select
      t.trade_no, t.appid, t.out_trade_no, t.description, t.amount, t.currency, t.payer, t.pay_method,
      t.transaction_status, t.fail_reason_type, t.notify_success, t.ctime, t.mtime,
      (select nickname from users where uid = t.payer) as payer_name,
      (
        select coalesce(sum(amount), 0)::bigint from refunds
        where appid = t.appid and trade_no = t.trade_no and ${isRefund(sql)}
      ) as refunded_amount
    from ${text === undefined && refund === undefined ? listsOfPage(sql, { lists, count, first, order, limit }) : lists}
      cross join lateral (
        ${text === undefined ? trades({ limit }) : sql`select * from (${matching(text)}) matched where true ${after} ${sorted} limit ${limit}`}
      ) t
    ${mergedOrder(sql, isTotal, sql`t.${column} ${direction}, t.trade_no ${direction}`)}
    limit ${limit}`
}

/** Lists the columns of listed trades that their total needs, with the amount less refunds. */
export function listNetAmounts(sql: Sql, rows: Rows<TradeRow>): Rows<Pick<TradeRow, 'amount' | 'currency'>> {
  return sql<Pick<TradeRow, 'amount' | 'currency'>[]>`
    select amount - refunded_amount as amount, currency, transaction_status from (${rows}) gross`
}

/** Builds the condition for trades that are paid. */
export const isSucceeded = (sql: Sql) => sql`transaction_status = ${transactionStatus.succeeded}`
