import { transactionStatus } from '@souk/contract'
import { refuseTimeout } from '../../../kernel/db/refuseTimeout.ts'
import type { Context } from '../../context.ts'
import { existsSums, insertSums, listSums, type Period, type Sum, shortestSpan, upsertSums } from './sums.store.ts'

/** Number of changes that are added up by one statement. */
const batchSize = 5000

/**
 * Job: adds up the trades from before sums were kept, once, and adds changes of trades to the sums, so that few are
 * left for {@link sumTrades} to add up.
 */
export async function addUpTrades({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await insertSums(sql)
  while ((await upsertSums(sql, batchSize)) === batchSize);
}

type Filter = Omit<Parameters<typeof listSums>[1], 'kept' | 'sandbox'>

/**
 * Lists sums of trades by project or mini app, period, status and currency. Reads each trade of a quarter of an hour
 * that the periods do not contain as a whole, and each trade of the periods until {@link addUpTrades} has added up
 * those from before sums were kept.
 *
 * @throws SoukError `too_many_trades` if reading them takes too long
 */
export async function sumTrades({ sql, clock, settings }: Context, filter: Filter): Promise<Sum[]> {
  if (filter.periods.length === 0) return []
  const isComplete = await existsSums(sql)
  const [first, last] = [filter.periods[0]!.from, filter.periods.at(-1)!]
  // No trade is newer than now, except in a sandbox, whose clock may have been ahead.
  const isOpen = !settings.sandbox && last.to > clock.now()
  const end = isOpen ? Math.ceil(last.to / shortestSpan) * shortestSpan : last.to
  const periods = [...filter.periods.slice(0, -1), { from: last.from, to: end }]
  const kept = {
    from: Math.ceil(first / shortestSpan) * shortestSpan,
    to: Math.floor(end / shortestSpan) * shortestSpan,
  }
  const canKeep = isComplete && kept.from < kept.to && periods.every(isWhole(first, end))
  const none = { from: end, to: end }
  return refuseTimeout(
    listSums(sql, { ...filter, periods, kept: canKeep ? kept : none, sandbox: settings.sandbox }),
    'too_many_trades',
  )
}

/** Lists sums of paid trades that were created in a period, largest first: see {@link sumTrades}. */
export async function sumSales(
  context: Context,
  { period, ...filter }: { projectIds: readonly string[]; appids?: readonly string[]; period: Period },
): Promise<Pick<Sum, 'projectId' | 'appid' | 'currency' | 'amount'>[]> {
  const sums = await sumTrades(context, {
    appids: undefined,
    ...filter,
    periods: [period],
    statuses: [transactionStatus.succeeded],
    currency: undefined,
  })
  return sums.toSorted((one, other) => other.amount - one.amount)
}

/** Whether a period begins and ends with quarters of an hour, where it meets another one. */
const isWhole =
  (first: number, last: number) =>
  ({ from, to }: Period) =>
    (from === first || from % shortestSpan === 0) && (to === last || to % shortestSpan === 0)
