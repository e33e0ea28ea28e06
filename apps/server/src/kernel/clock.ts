import { second } from '@souk/contract'

/** Difference to the database's clock above which the clock of a process, or of the database, counts as wrong, ms. */
export const maxClockDifference = 30 * second

/**
 * Time in milliseconds since the Unix epoch. `now` is the domain clock, for codes, tokens, expiry and schedules; a
 * sandbox can move it ahead of real time. `real` is the wall clock, for the timestamp window of requests and for logs.
 */
export interface Clock {
  now(): number
  real(): number
  /** How far the wall clock was ahead of the database's clock when they were last compared, in ms. */
  readonly difference: number
  /**
   * Returns true while the wall clock and the database's clock differ by more than `maxClockDifference`. Nothing that
   * depends on time may start then. The clock of a sandbox that was moved is not wrong.
   */
  isWrong(): boolean
}

/**
 * A clock that runs `offset` ms ahead of the database's clock, which is `skew` ms ahead of the wall clock. Once the two
 * agree, it does not follow either of them when it is set: until they agree again, it continues from there.
 */
export class OffsetClock implements Clock {
  offset = 0
  skew = 0
  difference = 0
  #differs = false
  /** The last time at which the clocks agreed, by the wall clock and by `performance.now()`, which nobody sets. */
  #agreed: { wall: number; steady: number } | undefined

  real(): number {
    const wall = Date.now()
    return this.#isExpected(wall) ? wall : this.#expected()
  }

  now(): number {
    return this.real() + this.skew + this.offset
  }

  isWrong(): boolean {
    return this.#differs || !this.#isExpected(Date.now())
  }

  /** Compares the clock with a time of the database's clock, in ms, that is exact to `uncertainty` ms. */
  compare(databaseTime: number, uncertainty: number): void {
    const wall = Date.now()
    const ahead = wall - databaseTime
    this.difference = Math.abs(ahead) > uncertainty ? ahead : 0
    this.#differs = Math.abs(ahead) - uncertainty > maxClockDifference
    if (!this.#differs) this.#agreed = { wall, steady: performance.now() }
    // Until it has agreed once, only the database's clock is known to others.
    else if (this.#agreed) return
    const skew = Math.round(-ahead)
    if (Math.abs(skew - this.skew) > uncertainty) this.skew = skew
  }

  /** Returns false if the wall clock was set since the clocks agreed, or the machine was suspended. */
  #isExpected(wall: number): boolean {
    return this.#agreed === undefined || Math.abs(wall - this.#expected()) <= maxClockDifference
  }

  #expected(): number {
    const { wall, steady } = this.#agreed!
    return wall + Math.round(performance.now() - steady)
  }
}

/** Returns what is wrong with a wrong clock, and what to do. */
export function explainWrongClock({ difference }: Clock): string {
  const seconds = Math.round(Math.abs(difference) / second).toLocaleString('en')
  const found =
    difference === 0
      ? 'The clock of this process was set, or its machine was suspended.'
      : `The clock of this process is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the clock of the database.`
  return `${found} Synchronize the clocks of both machines (NTP).`
}
