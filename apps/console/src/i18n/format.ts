import { type Locale, locales } from '@souk/web'
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'

const currencyDigits = 100
const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** A span is told in the largest of these of which it has one and a half. */
const spans: readonly (readonly ['day' | 'hour' | 'minute' | 'second' | 'millisecond', number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]
const milliseconds = ['millisecond', 1] as const

/** Distance of a moment from now, in the language of an Intl tag: “3 minutes ago”. */
export function relativeTime(tag: string, time: number, now: number): string {
  const distance = time - now
  const [unit, size] = steps.find(([, size]) => Math.abs(distance) >= size) ?? (['second', 1000] as const)
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(Math.round(distance / size), unit)
}

/** Numbers, money and times as the chosen language writes them. Times are ms, amounts are cents. */
export function useFormat() {
  const { locale } = useI18n({ useScope: 'global' })
  const tag = computed(() => locales[locale.value as Locale].intl)

  return {
    number: (value: number) => new Intl.NumberFormat(tag.value).format(value),
    compact: (value: number) =>
      new Intl.NumberFormat(tag.value, { notation: 'compact', maximumFractionDigits: 1 }).format(value),
    percent: (value: number) =>
      new Intl.NumberFormat(tag.value, { style: 'percent', maximumFractionDigits: 1 }).format(value),
    money: (cents: number, currency: string) =>
      new Intl.NumberFormat(tag.value, {
        style: 'currency',
        currency,
        // “US$” among Arabic letters falls apart; its code does not.
        currencyDisplay: locale.value === 'ar' ? 'code' : 'symbol',
      }).format(cents / currencyDigits),
    date: (time: number) => new Intl.DateTimeFormat(tag.value, { dateStyle: 'medium' }).format(time),
    day: (time: number) => new Intl.DateTimeFormat(tag.value, { month: 'short', day: 'numeric' }).format(time),
    dateTime: (time: number) =>
      new Intl.DateTimeFormat(tag.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(time),
    /** Distance from now: “3 minutes ago”. */
    relative: (time: number, now: number = Date.now()) => relativeTime(tag.value, time, now),
    /** A span: “1.2 s”, “340 ms”, “25 h”. */
    duration: (ms: number) => {
      const [unit, size] = spans.find(([, size]) => ms >= (size > 1000 ? size * 1.5 : size)) ?? milliseconds
      return new Intl.NumberFormat(tag.value, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: unit === 'millisecond' ? 0 : 1,
      }).format(ms / size)
    },
    list: (items: readonly string[]) => new Intl.ListFormat(tag.value, { type: 'conjunction' }).format(items),
  }
}
