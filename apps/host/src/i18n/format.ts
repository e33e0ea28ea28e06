import { locales } from '@souk/web'
import { computed } from 'vue'
import { locale } from './index.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** Numbers, money and times as the chosen language writes them. Times are ms, amounts are cents. */
export function useFormat() {
  const tag = computed(() => locales[locale.value].intl)
  return {
    number: (value: number) => new Intl.NumberFormat(tag.value).format(value),
    money: (cents: number, currency: string) =>
      new Intl.NumberFormat(tag.value, {
        style: 'currency',
        currency,
        // “US$” among Arabic letters falls apart; its code does not.
        currencyDisplay: locale.value === 'ar' ? 'code' : 'symbol',
      }).format(cents / 100),
    dateTime: (time: number) =>
      new Intl.DateTimeFormat(tag.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(time),
    /** Distance from `now`: “3 minutes ago”; less than a minute is “now”. */
    relative: (time: number, now: number) => {
      const distance = time - now
      const [unit, size] = steps.find(([, size]) => Math.abs(distance) >= size) ?? (['second', Infinity] as const)
      return new Intl.RelativeTimeFormat(tag.value, { numeric: 'auto' }).format(Math.round(distance / size), unit)
    },
    /** A span in one unit: “15 min”, “7 days”. */
    span: (value: number, unit: 'minute' | 'hour' | 'day') =>
      new Intl.NumberFormat(tag.value, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
  }
}
