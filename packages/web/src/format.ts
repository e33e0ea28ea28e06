import { day, hour, minute, second } from '@souk/contract/time'
import { computed, type Ref } from 'vue'
import { formatterOf } from './formatterOf.ts'
import { type Locale, locales } from './locales.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * day],
  ['month', (365 / 12) * day],
  ['week', 7 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
]
const smallestStep = ['second', second] as const

/** Formats a time relative to `now` (both in ms) for a language tag: “3 minutes ago”. */
export function relativeTime(tag: string, time: number, now: number): string {
  const difference = time - now
  const span = Math.abs(difference)
  // A span that rounds up to a unit is in that unit: 59.6 minutes are an hour, not 60 minutes.
  const found = steps.find(([, size], index) => {
    const [, smaller] = steps[index + 1] ?? smallestStep
    return Math.max(span, Math.round(span / smaller) * smaller) >= size
  })
  const [unit, size] = found ?? smallestStep
  return formatterOf(Intl.RelativeTimeFormat, tag, { numeric: 'auto' }).format(Math.round(difference / size), unit)
}

/** Formats a time so that no line breaks before its “am” or “م”. Intl does this itself in English only. */
export function formatTime(format: Intl.DateTimeFormat, time: number): string {
  const parts = format.formatToParts(time)
  const isBeforePeriod = (index: number) => parts[index + 1]?.type === 'dayPeriod'
  return parts.map(({ value }, index) => (isBeforePeriod(index) ? value.replaceAll(' ', '\u00a0') : value)).join('')
}

/**
 * Creates formatters for numbers, money and times in a language. Times are in ms, amounts in cents. Times are in the
 * system's zone without `timeZone`.
 */
export function formatsOf(locale: Ref<Locale>, timeZone?: Ref<string | undefined>) {
  const tag = computed(() => locales[locale.value].intl)
  return {
    /** Language tag for Intl. */
    tag,
    number: (value: number) => formatterOf(Intl.NumberFormat, tag.value, {}).format(value),
    money: (cents: number, currency: string) =>
      formatterOf(Intl.NumberFormat, tag.value, {
        style: 'currency',
        currency,
        // “US$” is reordered within Arabic text; the currency code is not.
        currencyDisplay: locale.value === 'ar' ? 'code' : 'symbol',
      }).format(cents / 100),
    dateTime: (time: number) =>
      formatTime(
        formatterOf(Intl.DateTimeFormat, tag.value, {
          dateStyle: 'medium',
          timeStyle: 'medium',
          timeZone: timeZone?.value,
        }),
        time,
      ),
    /** Relative time: “3 minutes ago”. */
    relative: (time: number, now: number = Date.now()) => relativeTime(tag.value, time, now),
  }
}
