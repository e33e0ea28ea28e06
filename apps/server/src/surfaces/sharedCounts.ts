import { second } from '@souk/contract'
import { LRUCache } from 'lru-cache'
import type { FullContext } from '../domain/context.ts'
import { upsertLimitCounts } from '../domain/installation/index.ts'

/** Length of a window in ms. */
export const windowLength = 2 * second
/** Maximum number of keys, more than one process can serve within a window. */
const maxKeys = 20_000
/** Maximum time until the other processes know of a request that is within the slack, ms. */
const shareInterval = second / 10
/** Time that this process counts alone before it asks the database again, ms. */
const aloneFor = second

/** The requests of one key in a window. */
interface Window {
  key: string
  start: number
  /** Requests at this process. */
  own: number
  /** Requests at other processes, as far as they are known. */
  others: number
  /** Requests at this process that the others do not know of. */
  unshared: number
}

/** The position of a request among those of its window, and the end of the window in ms of real time. */
export interface Position {
  position: number
  end: number
}

/**
 * Counts requests per key in windows of two seconds, together with the other processes (ADR 311). Each process counts
 * in its memory, and adds its counts to those of all processes in the database in batches.
 *
 * A request waits for the database only if this process has admitted `slack` requests that the others do not know of.
 * With n processes, at most `(n - 1) * slack` requests more than the limit are admitted, and never fewer than the
 * limit. While the database does not answer, each process counts its own requests.
 */
export class SharedCounts {
  readonly #context: Pick<FullContext, 'sql' | 'clock' | 'log'>
  readonly #patience: number
  readonly #windows = new LRUCache<string, Window>({ max: maxKeys })
  readonly #unshared = new Set<Window>()
  #timer: NodeJS.Timeout | undefined
  #sharing: Promise<void> | undefined
  #next: Promise<void> | undefined
  #isAlone = false
  #askAgainAt = 0

  /** @param patience Maximum time that a request waits for the database before this process counts alone, ms. */
  constructor(context: Pick<FullContext, 'sql' | 'clock' | 'log'>, patience = second / 2) {
    this.#context = context
    this.#patience = patience
  }

  /** Counts a request. Above the limit it is not shared, so that refused requests cost the database nothing. */
  async count(key: string, { limit, slack }: { limit: number; slack: number }): Promise<Position> {
    const window = this.#windowOf(key)
    const end = window.start + windowLength
    const count = window.others + window.own
    if (count >= limit) return { position: count + 1, end }
    const own = ++window.own
    window.unshared++
    this.#unshared.add(window)
    if (this.#mayAsk()) {
      if (window.unshared > slack) await this.#share()
      else if (window.unshared * 2 > slack) void this.#share()
      else this.#timer ??= setTimeout(() => void this.#share(), shareInterval).unref()
    }
    return { position: window.others + own, end: window.start + windowLength }
  }

  /** Stops sharing, when the server closes. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #windowOf(key: string): Window {
    const now = this.#context.clock.real()
    const existing = this.#windows.get(key)
    // A clock that is set back starts a new window too.
    if (existing && now < existing.start + windowLength && now >= existing.start - windowLength) return existing
    // Unshared requests of the previous window no longer matter.
    if (existing) this.#unshared.delete(existing)
    const window = { key, start: now, own: 0, others: 0, unshared: 0 }
    this.#windows.set(key, window)
    return window
  }

  #mayAsk(): boolean {
    const wait = this.#askAgainAt - this.#context.clock.real()
    return !this.#isAlone || wait <= 0 || wait > aloneFor
  }

  /** Adds what was counted before the call to the counts of all processes. Never rejects. */
  #share(): Promise<void> {
    this.#next ??= (this.#sharing ?? Promise.resolve()).then(() => {
      this.#sharing = this.#next
      this.#next = undefined
      return this.#shareNow().finally(() => {
        this.#sharing = undefined
      })
    })
    return this.#next
  }

  async #shareNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const windows = [...this.#unshared]
    if (windows.length === 0 || !this.#mayAsk()) return
    this.#unshared.clear()
    const batch = windows.map((window) => ({ window, key: window.key, count: window.unshared, own: window.own }))
    const { sql, clock } = this.#context
    try {
      const counts = await withPatience(
        upsertLimitCounts(sql, batch, { now: clock.real(), length: windowLength }),
        this.#patience,
      )
      const byKey = new Map(counts.map((each) => [each.key, each]))
      for (const { window, key, count, own } of batch) {
        const shared = byKey.get(key)!
        window.unshared -= count
        // Less than none if the window has started again at another process: positions are still right.
        window.others = shared.count - own
        // Joins the window of the others, which a faster clock may have started in the future.
        window.start = Math.min(shared.start, clock.real())
      }
      this.#setAlone(false)
    } catch (error) {
      for (const window of windows) if (this.#windows.peek(window.key) === window) this.#unshared.add(window)
      this.#askAgainAt = clock.real() + aloneFor
      this.#setAlone(true, error as Error)
    }
  }

  #setAlone(isAlone: boolean, error?: Error): void {
    if (isAlone === this.#isAlone) return
    this.#isAlone = isAlone
    const { log } = this.#context
    if (isAlone) log.warn({ error: error?.message }, 'requests are counted per process: the database does not answer')
    else log.info('requests are counted across processes again')
  }
}

/** @throws Error if the database does not answer in time; its answer is ignored then */
async function withPatience<T>(answer: Promise<T>, patience: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
