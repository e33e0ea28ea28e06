/** Values and labels of picker columns. */

export type DateFields = 'year' | 'month' | 'day'

/** A time or date as numbers, largest unit first: [hour, minute] or [year, month, day]. */
export type Parts = number[]

export function parseTime(text: string | undefined): Parts | undefined {
  const found = /^(\d{1,2}):(\d{1,2})$/.exec(text?.trim() ?? '')
  return found ? [Number(found[1]), Number(found[2])] : undefined
}

/** Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, with hyphens or slashes. */
export function parseDate(text: string | undefined): Parts | undefined {
  const found = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(text?.trim() ?? '')
  return found?.slice(1).flatMap((part) => (part === undefined ? [] : [Number(part)]))
}

export function timeText(parts: Parts): string {
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

export function dateText(parts: Parts): string {
  return parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-')
}

/** Returns the range of the next part, given the parts before it. */
type Limits = (before: Parts) => [number, number]

const timeLimits: Limits = (before) => (before.length === 0 ? [0, 23] : [0, 59])
const dateLimits: Limits = (before) => {
  const [year, month] = before
  if (year === undefined) return [1, 9999]
  if (month === undefined) return [1, 12]
  const after = new Date(0)
  after.setUTCFullYear(year, month, 0)
  return [1, after.getUTCDate()]
}

export interface Choices {
  /** The requested parts, clamped to the allowed range. */
  parts: Parts
  /** Allowed numbers of each part. */
  columns: number[][]
}

/** Returns the allowed numbers between two points, inclusive, part by part. */
function choices(requested: Parts, low: Parts, high: Parts, limits: Limits, count: number): Choices {
  const parts: Parts = []
  const columns: number[][] = []
  let [isLowest, isHighest] = [true, true]
  for (let at = 0; at < count; at++) {
    let [least, most] = limits(parts)
    if (isLowest) least = Math.max(least, low[at] ?? least)
    if (isHighest) most = Math.max(least, Math.min(most, high[at] ?? most))
    const part = Math.min(Math.max(requested[at] ?? least, least), most)
    columns.push(Array.from({ length: most - least + 1 }, (_, step) => least + step))
    parts.push(part)
    isLowest &&= part === low[at]
    isHighest &&= part === high[at]
  }
  return { parts, columns }
}

export function timeChoices(requested: Parts, start?: string, end?: string): Choices {
  return choices(requested, parseTime(start) ?? [0, 0], parseTime(end) ?? [23, 59], timeLimits, 2)
}

/** Returns the allowed dates; without `start` and `end`, 100 years before and after `now`. */
export function dateChoices(requested: Parts, now: Parts, fields: DateFields, start?: string, end?: string): Choices {
  const count = { year: 1, month: 2, day: 3 }[fields] ?? 3
  const low = parseDate(start) ?? [now[0]! - 100]
  const high = parseDate(end) ?? [now[0]! + 100]
  return choices(requested, low, high, dateLimits, count)
}

/** Returns the label of a choice: the choice itself or, with `range-key`, one of its fields. */
export function captionOf(choice: unknown, rangeKey: string | undefined): string {
  if (rangeKey && typeof choice === 'object' && choice)
    return String((choice as Record<string, unknown>)[rangeKey] ?? '')
  return String(choice ?? '')
}
