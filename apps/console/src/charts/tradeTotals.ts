import { day } from '@souk/contract'
import type { Result } from '../api/client.ts'

export type TradeTotals = Result<'tradeTotals'>

/** Number of trades per status on one day; `time` is its local midnight, in ms. */
export interface Day {
  time: number
  counts: Map<number, number>
}

/** Returns every day of the range, oldest first, including days without trades. */
export function countsPerDay({ from, to, rows }: Pick<TradeTotals, 'from' | 'to' | 'rows'>): Day[] {
  const found = new Map<string, Map<number, number>>()
  for (const { day: name, transactionStatus, count } of rows) {
    const counts = found.get(name) ?? new Map<number, number>()
    counts.set(transactionStatus, (counts.get(transactionStatus) ?? 0) + count)
    found.set(name, counts)
  }
  const days: Day[] = []
  const last = midnight(to - 1)
  for (let time = midnight(from); time <= last; time = midnight(time + day * 1.5)) {
    days.push({ time, counts: found.get(dayName(time)) ?? new Map() })
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
