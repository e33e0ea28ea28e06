import {
  amountStrWithYuan,
  Calendar,
  type consoleOperations,
  day,
  type ParametersOf,
  type ResultOf,
  SoukError,
  type TransactionStatus,
  transactionStatus,
} from '@souk/contract'
import { pageOf, readCursor, totalOf } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsEverOf, listAppNames } from '../../miniApps/index.ts'
import { tradeNotFound } from './notFound.ts'
import { isSucceeded, listNetAmounts, listTradeRows, type TradeFilter } from './search.store.ts'
import { findTradeByTradeNo } from './store.ts'
import type { Period } from './sums.store.ts'
import { sumTrades } from './sums.ts'

type Operations = typeof consoleOperations

/** Number of days whose trades are searched first. */
const recentDays = 31

/** Maximum and default number of days in one request for totals. */
const maxDays = 92
const defaultDays = 30

/** Lists trades of a project. @throws SoukError `app_not_found` */
export async function searchTrades(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchTrades']>,
): Promise<ResultOf<Operations['searchTrades']>> {
  const { projectId, appid, cursor, limit = 50, total, status, sort = '-ctime', ...filter } = input
  const appids = await appidsEverOf(context, projectId, appid)
  const [value, tradeNo] = readCursor(cursor, ['number', 'id'])
  const { sandbox } = context.settings
  const statuses = status as TransactionStatus[] | undefined
  const list = (
    page: Pick<TradeFilter, 'from' | 'before' | 'limit'> & Partial<Pick<TradeFilter, 'sort' | 'isTotal'>>,
  ) => listTradeRows(context.sql, appids, { ...filter, statuses, sort, sandbox, isTotal: false, ...page })
  const before = value === undefined ? undefined : { value, tradeNo }
  const find = (from: number | undefined) => list({ from, before, limit: limit + 1 })
  const counting = totalOf(
    context.sql,
    total,
    (most) => {
      const page = { from: filter.from, before: undefined, limit: most, sort: '-ctime', isTotal: true } as const
      return listNetAmounts(context.sql, list(page))
    },
    isSucceeded(context.sql),
  )
  // Most pages are full of recent trades, and the database then plans and reads few partitions. In a sandbox, whose
  // clock moves, the time of a trade says nothing about its partition.
  const newest = value ?? filter.to ?? context.clock.now()
  const findPage = async () => {
    const isNewestFirst =
      sort === '-ctime' && filter.from === undefined && filter.text === undefined && filter.refund === undefined
    const recent = isNewestFirst && !sandbox ? await find(newest - recentDays * day) : []
    return recent.length > limit ? recent : find(filter.from)
  }
  const [found, counted] = await Promise.all([findPage(), counting])
  const { items, next } = pageOf(found, limit, (row) => [sort.endsWith('amount') ? row.amount : row.ctime, row.tradeNo])
  const names = await listAppNames(context.sql, [...new Set(items.map((row) => row.appid))])
  const rows = items.map((row) => ({
    ...row,
    appName: names.get(row.appid)!,
    amountStrWithYuan: amountStrWithYuan(row.amount),
  }))
  return { items: rows, next, ...counted }
}

/**
 * Returns the number and sum of trades by day of creation in a time zone, status and currency.
 * @throws SoukError `app_not_found`, `too_many_trades`, `parameter_invalid` for an unknown time zone and more than 92
 * days
 */
export async function tradeTotals(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['tradeTotals']>,
): Promise<ResultOf<Operations['tradeTotals']>> {
  const { projectId, appid, status, currency, timeZone } = input
  const calendar = calendarOf(timeZone)
  if (appid !== undefined) await appidsEverOf(context, projectId, appid)
  const to = input.to ?? context.clock.now() + 1
  // Start at midnight, so that the first day is complete.
  const from = input.from ?? calendar.addDays(to - 1, 1 - defaultDays)
  if (to - from > maxDays * day) {
    throw new SoukError('parameter_invalid', `from and to may be at most ${maxDays} days apart.`, {
      data: { parameters: ['from', 'to'] },
    })
  }
  const days = daysBetween(calendar, from, to)
  const sums = await sumTrades(context, {
    projectIds: [projectId],
    appids: appid === undefined ? undefined : [appid],
    periods: days,
    statuses: (status as TransactionStatus[] | undefined) ?? Object.values(transactionStatus),
    currency,
  })
  const rows = sums.map(({ place, transactionStatus, currency, count, amount, refundedAmount }) => ({
    day: days[place]!.name,
    transactionStatus,
    currency,
    count,
    amount: amount - refundedAmount,
    refundedAmount,
  }))
  return { from, to, rows }
}

function calendarOf(timeZone = 'UTC'): Calendar {
  try {
    return new Calendar(timeZone)
  } catch {
    throw new SoukError('parameter_invalid', 'timeZone must be the name of a time zone, such as Asia/Riyadh.', {
      data: { parameters: ['timeZone'] },
    })
  }
}

/** A day or a part of it. */
interface Day extends Period {
  /** YYYY-MM-DD */
  name: string
}

/** Lists the days from `from` until before `to`, oldest first. The first and the last can be a part of a day. */
function daysBetween(calendar: Calendar, from: number, to: number): Day[] {
  const days: Day[] = []
  let start = from
  while (start < to) {
    const end = Math.min(calendar.addDays(start, 1), to)
    days.push({ name: calendar.dayName(start), from: start, to: end })
    start = end
  }
  return days
}

/** Returns the appid of a trade. @throws SoukError `trade_archived` */
export async function appOfTrade(context: Pick<Context, 'sql'>, tradeNo: string): Promise<string | undefined> {
  const found = await findTradeByTradeNo(context.sql, tradeNo)
  if (found) return found.appid
  const error = await tradeNotFound(context, tradeNo)
  if (error.code === 'trade_archived') throw error
  return undefined
}
