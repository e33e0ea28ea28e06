import { day, minute, second } from '@souk/contract'
import { isDatabaseError } from '../../../kernel/db/databaseError.ts'
import { dropPartitionsBefore } from '../../../kernel/db/partitions.ts'
import type { Context } from '../../context.ts'
import type { EntryWithoutBodies, RequestBodies } from './redactBodies.ts'
import { deleteUnpartitioned, insertRequests, type RequestLogEntry, requestLogTable } from './store.ts'
import { UnauthenticatedSample } from './unauthenticatedSample.ts'

export type { RequestLogEntry }

const noBodies: RequestBodies = { parameters: null, response: null, tradeNo: null }

const batchSize = 500
/** Delay between batches, in ms. */
const writeInterval = 200
/** Delay after a failed write. */
const retryInterval = second
const maxBuffered = 10_000
/** Entries beyond this are buffered without parameters and responses, which use most of the memory. */
const maxBufferedWithBodies = 1000
/** Logging every success would cost more than the requests themselves. */
const maxSuccessesPerSecond = 100
/** Interval of the summaries of requests without a valid sign. */
const samplePeriod = minute

/**
 * Writes the request log asynchronously, one statement per batch. Logs all failed requests with a valid sign, a sample
 * of the others, the first hundred successful ones per second, and those with a remark; `souk_requests_total` counts
 * all. While the database is slow or unavailable, entries are buffered up to a limit, then dropped and counted.
 * Buffered entries are lost if the process is killed, which is acceptable for a diagnostic log.
 */
export class RequestLog {
  readonly #context: Pick<Context, 'sql' | 'log' | 'metrics'>
  #buffer: RequestLogEntry[] = []
  #writing: Promise<boolean> | undefined
  #timer: NodeJS.Timeout | undefined
  #failing = false
  #closed = false
  readonly #successes = { second: 0, count: 0 }
  readonly #unauthenticated = new UnauthenticatedSample()
  #summaryTimer: NodeJS.Timeout | undefined

  constructor(context: Pick<Context, 'sql' | 'log' | 'metrics'>) {
    this.#context = context
  }

  /**
   * Adds an entry to the buffer, except for a plain success above the limit per second. `bodies` is called only for
   * an entry that is added. Never throws.
   */
  record(entry: EntryWithoutBodies, bodies: () => RequestBodies = () => noBodies): void {
    if (entry.code === null && entry.reason === null && this.#isTooFrequent(entry.time)) return
    this.#add({ ...entry, ...(this.#buffer.length < maxBufferedWithBodies ? bodies() : noBodies) })
  }

  /**
   * Adds the entry of a request without a valid sign, or counts it for a summary. Returns false in the second case.
   * Never throws.
   */
  recordUnauthenticated(entry: EntryWithoutBodies, address: string): boolean {
    // Ends the period even if no further request arrives.
    this.#summaryTimer ??= setTimeout(() => this.#addSummaries(), samplePeriod).unref()
    const isLogged = this.#unauthenticated.admit(entry, address)
    if (isLogged) this.#add({ ...entry, ...noBodies })
    return isLogged
  }

  #addSummaries(): void {
    clearTimeout(this.#summaryTimer)
    this.#summaryTimer = undefined
    for (const summary of this.#unauthenticated.takeSummaries()) this.#add({ ...summary, ...noBodies })
  }

  #add(entry: RequestLogEntry): void {
    if (this.#closed || this.#buffer.length >= maxBuffered) {
      this.#drop(1)
      return
    }
    this.#buffer.push(entry)
    if (this.#buffer.length >= batchSize && !this.#failing) void this.#write()
    else this.#schedule()
  }

  #isTooFrequent(time: number): boolean {
    const currentSecond = Math.floor(time / second)
    const successes = this.#successes
    if (successes.second !== currentSecond) Object.assign(successes, { second: currentSecond, count: 0 })
    return ++successes.count > maxSuccessesPerSecond
  }

  /** Writes all buffered entries. Resolves when they are written or the database has rejected them. */
  async flush(): Promise<void> {
    // A write in progress may not include the latest entries.
    await this.#writing
    while (this.#buffer.length > 0 && (await this.#write()));
  }

  /** Stops recording and writes the buffer once. Drops the entries that the database rejects. */
  async close(): Promise<void> {
    this.#addSummaries()
    this.#closed = true
    await this.flush()
    clearTimeout(this.#timer)
    this.#drop(this.#buffer.splice(0).length)
  }

  #schedule(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void this.#write()
      },
      this.#failing ? retryInterval : writeInterval,
    )
    // `close` writes the buffer, so that the timer need not keep the process alive.
    this.#timer.unref()
  }

  /** Writes a batch, or waits for the one in progress. Returns false if it failed and stays in the buffer. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined
      if (this.#buffer.length >= batchSize && !this.#failing) void this.#write()
      else if (this.#buffer.length > 0) this.#schedule()
    })
    return this.#writing
  }

  async #writeBatch(): Promise<boolean> {
    // Entries stay in the buffer until they are written, so that they count towards its limit.
    const batch = this.#buffer.slice(0, batchSize)
    if (batch.length === 0) return true
    try {
      await this.#insert(batch)
    } catch (error) {
      if (!this.#failing) this.#context.log.warn({ reason: String(error) }, 'cannot write the request log; retrying')
      this.#failing = true
      return false
    }
    this.#failing = false
    this.#buffer.splice(0, batch.length)
    return true
  }

  /** Inserts entries. Bisects a batch that contains invalid values, so that only the invalid entries are dropped. */
  async #insert(entries: RequestLogEntry[]): Promise<void> {
    try {
      await insertRequests(this.#context.sql, entries)
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
    if (count > 0) this.#context.metrics.requestLogDropped.inc(count)
  }
}

/** Returns whether the error is of SQLSTATE class 22 (data exception): the values are invalid. */
function isDataException(error: unknown): boolean {
  return isDatabaseError(error) && error.code.startsWith('22')
}

/** Job: drops the days that are older than the retention. An entry is kept at most a day longer. */
export async function pruneRequestLog({ sql, clock, retention }: Context<'retention'>): Promise<void> {
  const before = clock.real() - retention.requestLog * day
  await dropPartitionsBefore(sql, requestLogTable, before)
  await deleteUnpartitioned(sql, before)
}
