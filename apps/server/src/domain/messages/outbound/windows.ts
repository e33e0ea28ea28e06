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
/**
 * Deliveries to a prompt receiver that are claimed in advance, as a multiple of its concurrent requests, and of all
 * receivers together. It gets more when no more than its concurrent requests wait, so that claims are large.
 */
const aheadFactor = 3
const maxAhead = 512
/** Response time that makes a receiver slow, and how long its last response counts, in ms. */
const slowAfter = second
const rememberedFor = minute
const maxReceivers = 10_000

interface Window {
  size: number
  isPrompt: boolean
}

interface Request {
  start: number
}

/** The deliveries to a receiver: the number of those that wait, and the others, oldest first. */
interface Flights {
  waiting: number
  requests: Set<Request>
}

/** A delivery that is counted. */
export interface Delivery {
  /** Counts it as a request. */
  started(): void
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
  readonly #flights = new Map<string, Flights>()
  #inFlight = 0
  #waiting = 0

  /** Counts a delivery that has been claimed, and waits. */
  add(receiver: string): Delivery {
    const flights = this.#flights.get(receiver) ?? { waiting: 0, requests: new Set() }
    this.#flights.set(receiver, flights)
    flights.waiting++
    this.#waiting++
    let request: Request | undefined
    const leave = () => {
      flights.waiting--
      this.#waiting--
    }
    const forgetIdle = () => {
      if (flights.waiting === 0 && flights.requests.size === 0) this.#flights.delete(receiver)
    }
    const acknowledged = () => {
      if (request && flights.requests.delete(request)) forgetIdle()
    }
    return {
      started: () => {
        leave()
        request = { start: performance.now() }
        flights.requests.add(request)
        this.#inFlight++
      },
      acknowledged,
      ended: () => {
        acknowledged()
        if (request) {
          this.#inFlight--
        } else {
          leave()
          forgetIdle()
        }
      },
    }
  }

  /** Returns whether a request to a receiver may start. */
  mayStart(receiver: string): boolean {
    return (this.#flights.get(receiver)?.requests.size ?? 0) < this.#sizeOf(receiver)
  }

  /** Adapts the number of concurrent requests to a response; `duration` in ms, null without one. */
  observe(receiver: string, duration: number | null): void {
    const { size } = this.#windows.get(receiver) ?? { size: firstWindow }
    const isPrompt = duration !== null && duration < slowAfter
    const next = duration === null ? size / 2 : Math.min(size + 1, isPrompt ? maxWindow : maxSlowWindow)
    this.#windows.set(receiver, { size: Math.max(1, Math.floor(next)), isPrompt })
  }

  /**
   * Returns how many deliveries may be claimed, by receiver. Those with first attempts come before those with retries
   * only, and each gets one before another gets a second. Then prompt receivers get some in advance.
   */
  allocate(ready: ReadonlyMap<string, boolean>): Map<string, number> {
    const rooms = new Map<string, number>()
    let free = maxInFlight - this.#inFlight
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
    this.#allocateAhead(ready, rooms)
    return rooms
  }

  #allocateAhead(ready: ReadonlyMap<string, boolean>, rooms: Map<string, number>): void {
    let ahead = maxAhead - this.#waiting
    for (const receiver of ready.keys()) {
      if (!this.#isPrompt(receiver) || this.#hasEnough(receiver)) continue
      const room = Math.min(ahead, aheadFactor * this.#sizeOf(receiver) - this.#waitingOf(receiver))
      if (room <= 0) continue
      rooms.set(receiver, (rooms.get(receiver) ?? 0) + room)
      ahead -= room
    }
  }

  #roomOf(receiver: string, isPrompt: boolean): number {
    if (isPrompt && this.#hasEnough(receiver)) return 0
    const requests = this.#flights.get(receiver)?.requests.size ?? 0
    return this.#sizeOf(receiver) - requests - this.#waitingOf(receiver)
  }

  #hasEnough(receiver: string): boolean {
    return this.#waitingOf(receiver) > this.#sizeOf(receiver)
  }

  #waitingOf(receiver: string): number {
    return this.#flights.get(receiver)?.waiting ?? 0
  }

  /** Returns how many concurrent requests a receiver gets. */
  #sizeOf(receiver: string): number {
    const { size } = this.#windows.get(receiver) ?? { size: firstWindow }
    return Math.min(size, this.#isStuck(receiver) ? maxSlowWindow : maxWindow)
  }

  #countUnproven(): number {
    let count = 0
    for (const [receiver, { requests }] of this.#flights) if (!this.#isPrompt(receiver)) count += requests.size
    return count
  }

  #isPrompt(receiver: string): boolean {
    return this.#windows.get(receiver)?.isPrompt === true && !this.#isStuck(receiver)
  }

  /** Returns whether a request has been waiting for a slow response. */
  #isStuck(receiver: string): boolean {
    const [oldest] = this.#flights.get(receiver)?.requests ?? []
    return oldest !== undefined && performance.now() - oldest.start >= slowAfter
  }
}
