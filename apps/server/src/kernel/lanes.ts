import { SoukError } from '@souk/contract'

interface LanesOptions {
  /** What runs here, in the plural, for messages. */
  work: string
  /** Maximum number that runs at the same time, at most one of each lane. */
  concurrency: number
  /** Maximum number of a caller, running and waiting. */
  perCaller: number
  /** Maximum number in a lane, running and waiting. */
  perLane: number
}

/** Whose work it is. */
interface Owner {
  /** Lanes are served in turn: the project, so that no project waits for the queue of another. */
  lane: string
  caller: string
  /** Aborted when the client has left. Work that waits is dropped then. */
  signal: AbortSignal
}

/** A place in a lane, until `leave` is called. */
export interface Place {
  /** Runs work when it is the lane's turn. @throws the reason of the owner's signal if that is aborted before */
  run<T>(work: () => Promise<T>): Promise<T>
  leave(): void
}

/** Seconds after which a refused caller may try again. */
const retryAfter = 5

/**
 * Runs expensive work of many projects: the lanes take turns, and each is first in, first out. Callers and lanes that
 * have too much in progress are refused, so that nobody fills the queue.
 */
export class Lanes {
  readonly #options: LanesOptions
  /** Starts of waiting work by lane, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #running = new Set<string>()
  readonly #callers = new Map<string, number>()
  readonly #lanes = new Map<string, number>()

  constructor(options: LanesOptions) {
    this.#options = options
  }

  /** Takes a place before work is prepared, for example before its body is read. @throws SoukError `rate_limited` */
  enter({ lane, caller, signal }: Owner): Place {
    const { work, perCaller, perLane } = this.#options
    const own = this.#callers.get(caller) ?? 0
    if (own >= perCaller) throw refused(`${own} of your ${work} are in progress`)
    const inLane = this.#lanes.get(lane) ?? 0
    if (inLane >= perLane) throw refused(`${inLane} ${work} of the project are in progress`)
    count(this.#callers, caller, 1)
    count(this.#lanes, lane, 1)
    let isHere = true
    return {
      run: async (start) => {
        await this.#turn(lane, signal)
        try {
          return await start()
        } finally {
          this.#running.delete(lane)
          this.#moveBehindOthers(lane)
          this.#startNext()
        }
      },
      leave: () => {
        if (!isHere) return
        isHere = false
        count(this.#callers, caller, -1)
        count(this.#lanes, lane, -1)
      },
    }
  }

  /** Takes a place, runs work in its turn and leaves. @throws SoukError `rate_limited` */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const place = this.enter(owner)
    try {
      return await place.run(work)
    } finally {
      place.leave()
    }
  }

  /** Resolves when the lane may run its next work. */
  #turn(lane: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(lane) ?? []
    this.#waiting.set(lane, waiting)
    const drop = () => {
      waiting.splice(waiting.indexOf(start), 1)
      if (waiting.length === 0) this.#waiting.delete(lane)
      reject(signal.reason)
    }
    const start = () => {
      signal.removeEventListener('abort', drop)
      resolve()
    }
    signal.addEventListener('abort', drop, { once: true })
    waiting.push(start)
    this.#startNext()
    return promise
  }

  #startNext(): void {
    for (const [lane, waiting] of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return
      if (this.#running.has(lane)) continue
      const start = waiting.shift()!
      if (waiting.length === 0) this.#waiting.delete(lane)
      this.#running.add(lane)
      start()
    }
  }

  #moveBehindOthers(lane: string): void {
    const waiting = this.#waiting.get(lane)
    if (waiting === undefined) return
    this.#waiting.delete(lane)
    this.#waiting.set(lane, waiting)
  }
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

function refused(reason: string): SoukError {
  return new SoukError('rate_limited', `${reason}; try again when one has ended.`, { data: { retryAfter } })
}
