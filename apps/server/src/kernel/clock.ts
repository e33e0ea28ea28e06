/**
 * Time in milliseconds since the Unix epoch. `now` is the domain clock, for codes, tokens, expiry and schedules; a
 * sandbox can move it ahead of real time. `real` is the wall clock, for the timestamp window of requests and for logs.
 */
export interface Clock {
  now(): number
  real(): number
}

/** A clock that runs `offset` ms ahead of the database's clock, which is `skew` ms ahead of the wall clock. */
export class OffsetClock implements Clock {
  offset = 0
  skew = 0
  real(): number {
    return Date.now()
  }
  now(): number {
    return Date.now() + this.skew + this.offset
  }
}
