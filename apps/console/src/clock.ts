import type { DomainTime, RealTime } from '@souk/contract'
import { computed, shallowRef } from 'vue'

/** A move of the sandbox clock: since the real time `time`, it is `offset` ms ahead of real time. */
interface ClockMove {
  time: number
  offset: number
}

/** The sandbox clock. Code that moves it must set it. */
export const sandboxClock = shallowRef<{ offset: number; moves: readonly ClockMove[] }>({ offset: 0, moves: [] })

/** Offset of the sandbox clock from real time, in ms. */
export const clockOffset = computed(() => sandboxClock.value.offset)

/**
 * Returns the current domain time of trades, callbacks and messages, which a sandbox can move. Accounts and logs use
 * real time.
 */
export function domainNow(): DomainTime {
  return Date.now() + clockOffset.value
}

/** Returns the real time of a domain time in a sandbox whose clock was moved; undefined elsewhere. */
export function realTimeOf(time: DomainTime): RealTime | undefined {
  const { moves } = sandboxClock.value
  return moves.length === 0 ? undefined : realTimeAt(time, moves, Date.now())
}

/**
 * Returns the real time, ms, of a time of the domain clock. A time that the clock has shown more than once, because it
 * was reset, is the last of them. A time that it jumped over is when it jumped, which is when due jobs ran. A time that
 * it has not reached yet is when it will, unless it is moved again.
 *
 * @param moves all moves, oldest first
 * @param now real time, ms
 */
export function realTimeAt(time: number, moves: readonly ClockMove[], now: number): number {
  const segments = [{ time: Number.NEGATIVE_INFINITY, offset: 0 }, ...moves]
  const shown = segments.findLast(({ time: start, offset }, index) => {
    const end = segments[index + 1]?.time ?? now
    return time - offset >= start && time - offset <= end
  })
  if (shown) return time - shown.offset
  const { offset } = segments.at(-1)!
  return time > now + offset ? time - offset : moves.find((move) => move.time + move.offset > time)!.time
}
