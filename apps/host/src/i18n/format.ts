import { minute } from '@souk/contract'
import { formatsOf, formatterOf } from '@souk/web'
import { locale } from './index.ts'

/** Formats numbers, money and times in the current language. Times are in ms, amounts in cents. */
export function useFormat() {
  const { tag, ...formats } = formatsOf(locale)
  return {
    ...formats,
    /** Relative time: “3 minutes ago”; “now” if less than a minute. */
    relative: (time: number, now: number) => formats.relative(Math.abs(time - now) < minute ? now : time, now),
    /** Duration in one unit: “15 min”, “7 days”. */
    span: (value: number, unit: 'minute' | 'hour' | 'day') =>
      formatterOf(Intl.NumberFormat, tag.value, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
  }
}
