import { type DomainTime, day, hour, minute, type RealTime } from '@souk/contract'
import { formatsOf, formatTime, formatterOf } from '@souk/web'
import { clockOffset, domainNow } from '../clock.ts'
import { dayName } from './days.ts'
import { locale, useCommon } from './index.ts'
import { timeZone } from './timeZone.ts'

/** Units of durations. A duration is shown in the largest unit that it is at least 1.5 of. */
const spans: readonly (readonly ['day' | 'hour' | 'minute' | 'second' | 'millisecond', number])[] = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', 1000],
]
const milliseconds = ['millisecond', 1] as const

/** Returns formatters for the current language. Times are in ms, amounts in cents. */
export function useFormat() {
  const { tag, ...formats } = formatsOf(locale, timeZone)

  const numbers = (options: Intl.NumberFormatOptions) => formatterOf(Intl.NumberFormat, tag.value, options)
  const times = (options: Intl.DateTimeFormatOptions) =>
    formatterOf(Intl.DateTimeFormat, tag.value, { timeZone: timeZone.value, ...options })

  const moment = (time: number, now: number) =>
    formatTime(times({ timeStyle: 'short', ...(dayName(time) === dayName(now) ? {} : { dateStyle: 'medium' }) }), time)
  const common = useCommon()
  const mark = (text: string, marked = true) =>
    marked && clockOffset.value !== 0 ? common('environment.byClock', { time: text }) : text

  return {
    ...formats,
    tag,
    compact: (value: number) => numbers({ notation: 'compact', maximumFractionDigits: 1 }).format(value),
    /** Formats a relative change with its sign: “+12%”. */
    change: (value: number) =>
      numbers({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(value),
    signed: (value: number) => numbers({ maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value),
    percent: (value: number) => numbers({ style: 'percent', maximumFractionDigits: 1 }).format(value),
    /** Formats a time with the name of its zone. */
    exactTime: (time: number) =>
      formatTime(
        times({
          year: 'numeric',
          month: 'short',
          day: 'numeric',
          hour: 'numeric',
          minute: '2-digit',
          second: '2-digit',
          timeZoneName: 'short',
        }),
        time,
      ),
    dateTime: (time: RealTime) => formats.dateTime(time),
    /** Formats a time of the domain clock, for a sentence; if a sandbox moved it, it says so. */
    domainTime: (time: DomainTime, marked = true) => mark(formats.dateTime(time), marked),
    /** Formats a near time of the domain clock like `moment`, or the present if it has passed. */
    domainMoment(time: DomainTime) {
      const now = domainNow()
      return mark(moment(Math.max(time, now), now))
    },
    relative: formats.relative as {
      (time: RealTime, now?: RealTime): string
      (time: DomainTime, now: DomainTime): string
    },
    date: (time: number) => times({ dateStyle: 'medium' }).format(time),
    /** Formats a near time: “14:05”, with the date on another day. */
    moment,
    /** Formats a day that begins at midnight UTC, as those of analytics do. */
    utcDay: (time: number) => times({ month: 'short', day: 'numeric', timeZone: 'UTC' }).format(time),
    day: (time: number) => times({ month: 'short', day: 'numeric' }).format(time),
    /** Formats a duration: “1.2 s”, “340 ms”, “25 h”. */
    duration: (ms: number) => {
      const [unit, size] = spans.find(([, size]) => ms >= (size > 1000 ? size * 1.5 : size)) ?? milliseconds
      return numbers({
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: unit === 'millisecond' ? 0 : 1,
      }).format(ms / size)
    },
    /** Returns the name of the language of a message, such as “Arabic (Saudi Arabia)”. */
    language: (message: string) => {
      try {
        return (
          formatterOf(Intl.DisplayNames, tag.value, { type: 'language' }).of(message.replaceAll('_', '-')) ?? message
        )
      } catch {
        return message
      }
    },
    list: (items: readonly string[]) => formatterOf(Intl.ListFormat, tag.value, { type: 'conjunction' }).format(items),
  }
}
