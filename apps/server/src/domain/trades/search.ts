import {
  amountStrWithYuan,
  type consoleOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  type TransactionStatus,
} from '@souk/contract'
import { appidsOf } from '../apps/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { pageOf, readCursor } from '../page.ts'
import { listTotals, listTradeRows } from './search.store.ts'
import { findTradeByTradeNo } from './store.ts'

type Operations = typeof consoleOperations

const DAY = 86_400_000
/** The most days that totals are summed over in one request, and how many unless told. */
const mostDays = 92
const usualDays = 30

/** Trades of a project, newest first. @throws SoukError `app_not_found` */
export async function searchTrades(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchTrades']>,
): Promise<ResultOf<Operations['searchTrades']>> {
  const { projectId, appid, cursor, limit = 50, status, ...filter } = input
  const appids = await appidsOf(context, projectId, appid)
  const [ctime, tradeNo] = readCursor(cursor, ['number', 'id'])
  const found = await listTradeRows(context.sql, appids, {
    ...filter,
    statuses: status as TransactionStatus[] | undefined,
    before: ctime === undefined ? undefined : { ctime, tradeNo },
    limit: limit + 1,
  })
  const { items, next } = pageOf(found, limit, (row) => [row.ctime, row.tradeNo])
  return { items: items.map((row) => ({ ...row, amountStrWithYuan: amountStrWithYuan(row.amount) })), next }
}

/**
 * Number and sum of trades by the day of their creation at the caller's, status and currency.
 * @throws SoukError `app_not_found`, `parameter_invalid` for more than 92 days
 */
export async function tradeTotals(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['tradeTotals']>,
): Promise<ResultOf<Operations['tradeTotals']>> {
  const { projectId, appid, status, currency, utcOffset = 0 } = input
  const appids = await appidsOf(context, projectId, appid)
  const shift = utcOffset * 60_000
  const to = input.to ?? context.clock.now() + 1
  // From a midnight on, so that the first day is a whole one.
  const from = input.from ?? Math.floor((to - 1 + shift) / DAY - usualDays + 1) * DAY - shift
  if (to - from > mostDays * DAY) {
    throw new SoukError('parameter_invalid', `from and to may be ${mostDays} days apart at most.`, {
      data: { parameters: ['from', 'to'] },
    })
  }
  const statuses = status as TransactionStatus[] | undefined
  const rows = await listTotals(context.sql, appids, { from, to, shift, statuses, currency })
  return {
    from,
    to,
    rows: rows.map(({ day, ...row }) => ({ day: new Date(day * DAY).toISOString().slice(0, 10), ...row })),
  }
}

/** Whose trade it is; undefined where there is no such trade. */
export async function appOfTrade(context: Pick<Context, 'sql'>, tradeNo: string): Promise<string | undefined> {
  return (await findTradeByTradeNo(context.sql, tradeNo))?.appid
}
