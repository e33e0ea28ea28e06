import { day } from '@souk/contract'
import type { Result } from '../api/client.ts'

export type TradeTotals = Result<'tradeTotals'>

/** One day; `time` is its local midnight, in ms. */
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
  const last = midnight(to - 1)
  for (let time = midnight(from); time <= last; time = midnight(time + day * 1.5)) {
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

/** Returns the local day of a time in the format of `tradeTotals`. */
export function dayName(time: number): string {
  const date = new Date(time)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
}

/** Returns the local start of a day. A day can have 23 or 25 hours. */
export function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

/** Returns the browser's UTC offset in minutes, for `tradeTotals`. */
export function utcOffset(time = Date.now()): number {
  return -new Date(time).getTimezoneOffset()
}
