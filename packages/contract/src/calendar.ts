import { day, minute } from './time.ts'

/** The days of a time zone. Times are in ms since 1970. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat

  /**
   * @param timeZone an IANA name; undefined: the zone of the system
   * @throws RangeError if there is no such zone
   */
  constructor(timeZone: string | undefined) {
    this.#format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  }

  /** Returns the UTC offset in minutes. */
  utcOffset(time: number): number {
    const name = this.#format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  }

  /** Returns the start of a day, which can have 23 or 25 hours. */
  midnight(time: number): number {
    return this.timeAt(`${this.dayName(time)}T00:00`)
  }

  /** Returns the day of a time, YYYY-MM-DD. */
  dayName(time: number): string {
    return this.localTime(time).slice(0, 10)
  }

  /** Writes a time as YYYY-MM-DDThh:mm, the format of fields of type datetime-local. */
  localTime(time: number): string {
    return new Date(time + this.utcOffset(time) * minute).toISOString().slice(0, 16)
  }

  /** Reads a time without offset; NaN if it is none. */
  timeAt(text: string): number {
    const time = Date.parse(`${text}Z`)
    if (Number.isNaN(time)) return time
    // The offset is that of the day before or after a change of the clocks; the second one decides.
    const estimate = time - this.utcOffset(time) * minute
    return time - this.utcOffset(estimate) * minute
  }

  /** Returns the start of the day `count` days later, or earlier if it is negative. */
  addDays(time: number, count: number): number {
    // At noon, an hour more or less is still the same day.
    return this.midnight(this.midnight(time) + (count + 0.5) * day)
  }
}
