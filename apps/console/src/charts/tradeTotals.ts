import type { Result } from '../api/client.ts'
import { addDays, dayName, midnight } from '../i18n/days.ts'

export type TradeTotals = Result<'tradeTotals'>

/** One day; `time` is its midnight in the chosen time zone, in ms. */
export interface Day {
  time: number
  /** Number of trades per status. */
  counts: Map<number, number>
  /** Paid money per currency, in cents. */
  paid: Map<string, number>
}

/** Returns every day of the range, oldest first, including days without trades. */
export function totalsPerDay({ from, to, rows }: Pick<TradeTotals, 'from' | 'to' | 'rows'>): Day[] {
  const rowsOf = Map.groupBy(rows, (row) => row.day)
  const days: Day[] = []
  for (let time = midnight(from); time < to; time = addDays(time, 1)) {
    const counts = new Map<number, number>()
    const paid = new Map<string, number>()
    for (const { transactionStatus, currency, count, amount } of rowsOf.get(dayName(time)) ?? []) {
      counts.set(transactionStatus, (counts.get(transactionStatus) ?? 0) + count)
      if (transactionStatus === 2) paid.set(currency, (paid.get(currency) ?? 0) + amount)
    }
    days.push({ time, counts, paid })
  }
  return days
}
