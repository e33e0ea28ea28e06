import { minute, second } from '@souk/contract'
import { LRUCache } from 'lru-cache'

/** Maximum deliveries of a queue in this process until they are recorded. Waiting costs a socket, not a thread. */
const maxInFlight = 256
/** Share of receivers that have not responded promptly before. The rest is reserved for those that have. */
const maxUnproven = maxInFlight / 2
/** Concurrent requests to one receiver: at first, at most, and at most if it is slow. */
const firstWindow = 2
const maxWindow = 64
const maxSlowWindow = 16
/** A prompt receiver gets no more while it has more than this, so that one claim serves many deliveries. */
const enough = maxWindow / 2
/** Response time that makes a receiver slow, and how long its last response counts, in ms. */
const slowAfter = second
const rememberedFor = minute
const maxReceivers = 10_000

interface Window {
  size: number
  isPrompt: boolean
}

interface Flight {
  start: number
}

/** A delivery that is counted. */
export interface Delivery {
  /** Counts it no longer at its receiver, which may get another message before this one is recorded. */
  acknowledged(): void
  /** Counts it no longer at all. */
  ended(): void
}

/**
 * Divides the deliveries that a process makes at a time between receivers, so that slow ones do not hold up others. A
 * receiver starts with few, gets more with each response, and half as many when it does not respond.
 */
export class Windows {
  readonly #windows = new LRUCache<string, Window>({ max: maxReceivers, ttl: rememberedFor })
  readonly #inFlight = new Map<string, Set<Flight>>()
  #total = 0

  /** Counts a delivery. */
  start(receiver: string): Delivery {
    const flights = this.#inFlight.get(receiver) ?? new Set()
    this.#inFlight.set(receiver, flights)
    const flight = { start: performance.now() }
    flights.add(flight)
    this.#total++
    const acknowledged = () => {
      if (flights.delete(flight) && flights.size === 0) this.#inFlight.delete(receiver)
    }
    return {
      acknowledged,
      ended: () => {
        acknowledged()
        this.#total--
      },
    }
  }

  /** Adapts the number of concurrent deliveries to a response; `duration` in ms, null without one. */
  observe(receiver: string, duration: number | null): void {
    const { size } = this.#windows.get(receiver) ?? { size: firstWindow }
    const isPrompt = duration !== null && duration < slowAfter
    const next = duration === null ? size / 2 : Math.min(size + 1, isPrompt ? maxWindow : maxSlowWindow)
    this.#windows.set(receiver, { size: Math.max(1, Math.floor(next)), isPrompt })
  }

  /**
   * Returns how many deliveries may start, by receiver. Those with first attempts come before those with retries only,
   * and each gets one before another gets a second.
   */
  allocate(ready: ReadonlyMap<string, boolean>): Map<string, number> {
    const rooms = new Map<string, number>()
    let free = maxInFlight - this.#total
    let unproven = maxUnproven - this.#countUnproven()
    for (const firstAttempts of [true, false]) {
      let open = [...ready.keys()].filter((receiver) => ready.get(receiver) === firstAttempts)
      while (open.length > 0 && free > 0) {
        open = open.filter((receiver) => {
          const room = rooms.get(receiver) ?? 0
          const isPrompt = this.#isPrompt(receiver)
          if (free === 0 || (!isPrompt && unproven <= 0) || room >= this.#roomOf(receiver, isPrompt)) return false
          rooms.set(receiver, room + 1)
          free--
          if (!isPrompt) unproven--
          return true
        })
      }
    }
    return rooms
  }

  #roomOf(receiver: string, isPrompt: boolean): number {
    const { size } = this.#windows.get(receiver) ?? { size: firstWindow }
    const count = this.#countOf(receiver)
    if (isPrompt && count > enough) return 0
    return Math.min(size, this.#isStuck(receiver) ? maxSlowWindow : maxWindow) - count
  }

  #countOf(receiver: string): number {
    return this.#inFlight.get(receiver)?.size ?? 0
  }

  #countUnproven(): number {
    let count = 0
    for (const [receiver, { size }] of this.#inFlight) if (!this.#isPrompt(receiver)) count += size
    return count
  }

  #isPrompt(receiver: string): boolean {
    return this.#windows.get(receiver)?.isPrompt === true && !this.#isStuck(receiver)
  }

  /** Returns whether a delivery has been waiting for a slow response. */
  #isStuck(receiver: string): boolean {
    const [oldest] = this.#inFlight.get(receiver) ?? []
    return oldest !== undefined && performance.now() - oldest.start >= slowAfter
  }
}
