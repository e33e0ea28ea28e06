/**
 * Time, in milliseconds since the Unix epoch. `now` is the clock of the domain: codes, tokens, expiries, schedules. A
 * sandbox may move it ahead of real time. `real` is the wall clock: the request window and the log.
 */
export interface Clock {
  now(): number
  real(): number
}

/** A clock that runs `offset` ms ahead of the wall clock. */
export class OffsetClock implements Clock {
  offset = 0
  real(): number {
    return Date.now()
  }
  now(): number {
    return Date.now() + this.offset
  }
}
