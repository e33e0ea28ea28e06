import postgres from 'postgres'
import type { Context } from '../context.ts'
import { deleteRequests, insertRequests, type RequestLogEntry } from './store.ts'

export type { RequestLogEntry }

const BATCH = 500
const INTERVAL_MS = 200
/** While the database refuses. */
const RETRY_MS = 1_000
const MOST_WAITING = 10_000
/** Nobody reads more, and a row for each of thousands a second would cost more than the requests themselves. */
const MOST_SUCCESSES_PER_SECOND = 100
const RETENTION_MS = 7 * 86_400_000

/**
 * Writes the log of requests behind the requests' back: in batches, one statement each. Every refusal is in it, and of
 * the requests that succeed the first hundred of each second and those with a remark; `souk_requests_total` counts them
 * all. While the database is away or slow, entries wait in a bounded buffer; beyond it they are dropped and counted.
 * Entries that wait are lost when the process is killed: the log is for people, nothing is decided by it.
 */
export class RequestLog {
  readonly #to: Pick<Context, 'sql' | 'log' | 'metrics'>
  #waiting: RequestLogEntry[] = []
  #writing: Promise<boolean> | undefined
  #timer: NodeJS.Timeout | undefined
  #failing = false
  #closed = false
  readonly #successes = { second: 0, count: 0 }

  constructor(to: Pick<Context, 'sql' | 'log' | 'metrics'>) {
    this.#to = to
  }

  /** Takes an entry. Neither waits nor throws. */
  record(entry: RequestLogEntry): void {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) {
      this.#drop(1)
      return
    }
    if (entry.code === null && entry.reason === null && this.#isTooFrequent(entry.time)) return
    this.#waiting.push(entry)
    if (this.#waiting.length >= BATCH && !this.#failing) void this.#write()
    else this.#schedule()
  }

  #isTooFrequent(time: number): boolean {
    const second = Math.floor(time / 1000)
    const successes = this.#successes
    if (successes.second !== second) Object.assign(successes, { second, count: 0 })
    return ++successes.count > MOST_SUCCESSES_PER_SECOND
  }

  /** Writes what has been recorded so far; returns when it is written, or when the database has refused it. */
  async flush(): Promise<void> {
    // What is under way may have been taken before the last entries came.
    await this.#writing
    while (this.#waiting.length > 0 && (await this.#write()));
  }

  /** Takes no more entries and writes what it has, trying once: what the database refuses now is dropped. */
  async close(): Promise<void> {
    this.#closed = true
    await this.flush()
    clearTimeout(this.#timer)
    this.#drop(this.#waiting.splice(0).length)
  }

  #schedule(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void this.#write()
      },
      this.#failing ? RETRY_MS : INTERVAL_MS,
    )
    // `close` writes what waits; a process that is done must not linger for it.
    this.#timer.unref()
  }

  /** One batch, or the one under way. False when the database has refused it and it waits again. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined
      if (this.#waiting.length >= BATCH && !this.#failing) void this.#write()
      else if (this.#waiting.length > 0) this.#schedule()
    })
    return this.#writing
  }

  async #writeBatch(): Promise<boolean> {
    // They stay in the buffer until they are written, so that they count towards its bound.
    const batch = this.#waiting.slice(0, BATCH)
    if (batch.length === 0) return true
    try {
      await this.#insert(batch)
    } catch (error) {
      if (!this.#failing) this.#to.log.warn({ reason: String(error) }, 'the request log waits for the database')
      this.#failing = true
      return false
    }
    this.#failing = false
    this.#waiting.splice(0, batch.length)
    return true
  }

  /** An entry whose values the database cannot hold must not hold up the others: halving finds it. */
  async #insert(entries: RequestLogEntry[]): Promise<void> {
    try {
      await insertRequests(this.#to.sql, entries)
    } catch (error) {
      if (!isDataException(error)) throw error
      if (entries.length === 1) {
        this.#drop(1)
        return
      }
      const middle = entries.length >> 1
      await this.#insert(entries.slice(0, middle))
      await this.#insert(entries.slice(middle))
    }
  }

  #drop(count: number): void {
    if (count > 0) this.#to.metrics.requestLogDropped.inc(count)
  }
}

/** SQLSTATE class 22: the values are at fault, not the database. */
function isDataException(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code.startsWith('22')
}

/** Deletes what is older than a week. A job. */
export async function pruneRequestLog(context: Context): Promise<void> {
  const before = context.clock.real() - RETENTION_MS
  while (await deleteRequests(context.sql, before));
}
