import { day, minute } from '@souk/contract'
import { formatterOf } from '@souk/web'
import { timeZone } from './timeZone.ts'

/** Returns the UTC offset of the chosen time zone in minutes. */
export function utcOffset(time = Date.now()): number {
  const format = formatterOf(Intl.DateTimeFormat, 'en', { timeZone: timeZone.value, timeZoneName: 'longOffset' })
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Returns the start of a day in the chosen time zone. A day can have 23 or 25 hours. */
export function midnight(time: number): number {
  return timeAt(`${dayName(time)}T00:00`)
}

/** Returns the day of a time in the chosen time zone, YYYY-MM-DD. */
export function dayName(time: number): string {
  return localTime(time).slice(0, 10)
}

/** Writes a time as YYYY-MM-DDThh:mm in the chosen time zone, the format of fields of type datetime-local. */
export function localTime(time: number): string {
  return new Date(time + utcOffset(time) * minute).toISOString().slice(0, 16)
}

/** Reads a time in the chosen time zone, without offset; NaN if it is none. */
export function timeAt(text: string): number {
  const time = Date.parse(`${text}Z`)
  if (Number.isNaN(time)) return time
  // The offset is that of the day before or after a change of the clocks; the second one decides.
  const estimate = time - utcOffset(time) * minute
  return time - utcOffset(estimate) * minute
}

/** Returns the start of the day `count` days later, or earlier if it is negative. */
export function addDays(time: number, count: number): number {
  // At noon, an hour more or less is still the same day.
  return midnight(midnight(time) + (count + 0.5) * day)
}
