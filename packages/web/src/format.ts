import { computed, type Ref } from 'vue'
import { type Locale, locales } from './locales.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const second = ['second', 1000] as const

/** Distance of a moment from now, both ms, in the language of an Intl tag: “3 minutes ago”. */
export function relativeTime(tag: string, time: number, now: number): string {
  const distance = time - now
  const [unit, size] = steps.find(([, size]) => Math.abs(distance) >= size) ?? second
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(Math.round(distance / size), unit)
}

/** Numbers, money and times as a language writes them. Times are ms, amounts are cents. */
export function formatsOf(locale: Ref<Locale>) {
  const tag = computed(() => locales[locale.value].intl)
  return {
    /** For Intl. */
    tag,
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
    /** Distance from now: “3 minutes ago”. */
    relative: (time: number, now: number = Date.now()) => relativeTime(tag.value, time, now),
  }
}
