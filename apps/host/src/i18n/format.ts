import { formatsOf } from '@souk/web'
import { locale } from './index.ts'

const minute = 60_000

/** Numbers, money and times as the chosen language writes them. Times are ms, amounts are cents. */
export function useFormat() {
  const { tag, ...formats } = formatsOf(locale)
  return {
    ...formats,
    /** Distance from `now`: “3 minutes ago”; less than a minute is “now”. */
    relative: (time: number, now: number) => formats.relative(Math.abs(time - now) < minute ? now : time, now),
    /** A span in one unit: “15 min”, “7 days”. */
    span: (value: number, unit: 'minute' | 'hour' | 'day') =>
      new Intl.NumberFormat(tag.value, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
  }
}
