import { setTimeout as wait } from 'node:timers/promises'
import { minute, second } from '@souk/contract'
import type { Logger } from '../log.ts'
import { type Connection, DatabaseAwayError, type OnNotify } from './connection.ts'
import type { Pending } from './statement.ts'

/** Opens a connection; rejects if aborted. */
export type Open = (signal: AbortSignal, onNotify?: OnNotify) => Promise<Connection>

/** Connections of a pool that work, and statements and transactions that wait for one. */
export interface PoolLoad {
  inUse: number
  waiting: number
}

export interface ConnectionsOptions {
  /** Maximum number of connections. */
  max: number
  open: Open
  /** Maximum wait for a connection, ms. */
  waitLimit: number
  /** Called whenever a connection has ended. */
  onClose?: (() => void) | undefined
  log?: Logger | undefined
}

interface Waiter {
  start: (connection: Connection) => void
  reject: (reason: unknown) => void
  /** Time of `performance.now()`. */
  since: number
}

/** Delay after a failed attempt to open a connection, ms. */
const retryDelay = 200
/** Delay after the database had no free connection. It doubles with each further attempt up to the maximum. */
const crowdedDelay = second
const maxCrowdedDelay = 5 * second
/** PostgreSQL's code for "too many connections". */
const crowdedCode = '53300'

/** Time of `performance.now()` when a pool of this process last logged that the database has no free connection. */
let crowdLoggedAt = Number.NEGATIVE_INFINITY
const crowdLogInterval = 10 * minute

/** Logs that the database has no free connection, once for all pools of the process while it lasts. */
export function logCrowd(log: Logger | undefined, error: unknown): boolean {
  const isCrowded = (error as { code?: unknown } | undefined)?.code === crowdedCode
  if (isCrowded && log && performance.now() > crowdLoggedAt + crowdLogInterval) {
    crowdLoggedAt = performance.now()
    log.error(
      { reason: (error as Error).message },
      'the database has no free connection: lower SOUK_DATABASE_CONNECTIONS or raise the limit of PostgreSQL',
    )
  }
  return isCrowded
}

/**
 * A pool of at most `max` connections, which are opened on demand. Each runs one statement or one transaction at a
 * time; others wait, those that came first are served first. A quarter of the connections is for statements only, so
 * that a statement that a transaction awaits never waits for that transaction.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #maxLeases: number
  readonly #all = new Set<Connection>()
  readonly #opening = new Set<AbortController>()
  readonly #idle: Connection[] = []
  readonly #waitingStatements: Waiter[] = []
  readonly #waitingLeases: Waiter[] = []
  #leases = 0
  #retryAt = 0
  #crowded = 0
  /** Number of statements and transactions that wait or run. */
  #tasks = 0
  #waitTimer: NodeJS.Timeout | undefined
  #onDone = () => {}
  #ending: Promise<void> | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#maxLeases = Math.max(1, options.max - Math.ceil(options.max / 4))
  }

  /** Executes a statement. */
  run(pending: Pending): void {
    const start = (connection: Connection) => connection.run(pending, () => this.#release(connection))
    if (!this.#admit(pending)) return
    const connection = this.#idle.pop()
    if (connection) start(connection)
    else this.#wait(this.#waitingStatements, { start, reject: (reason) => pending.reject(reason) })
  }

  /** Runs `work` on a separate connection. */
  async lease<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await new Promise<Connection>((resolve, reject) => {
      if (!this.#admit({ reject })) return
      const start = (leased: Connection) => {
        this.#leases++
        resolve(leased)
      }
      const idle = this.#leases < this.#maxLeases ? this.#idle.pop() : undefined
      if (idle) start(idle)
      else this.#wait(this.#waitingLeases, { start, reject })
    })
    try {
      return await work(connection)
    } finally {
      this.#leases--
      this.#release(connection)
    }
  }

  load(): PoolLoad {
    return {
      inUse: this.#all.size - this.#idle.length,
      waiting: this.#waitingStatements.length + this.#waitingLeases.length,
    }
  }

  /** Closes all connections once all statements and transactions are done, or after `timeout` seconds. */
  end(timeout?: number): Promise<void> {
    this.#ending ??= this.#end(timeout)
    return this.#ending
  }

  async #end(timeout: number | undefined): Promise<void> {
    if (this.#tasks > 0) {
      await new Promise<void>((resolve) => {
        const timer = timeout === undefined ? undefined : setTimeout(resolve, timeout * 1000)
        this.#onDone = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#rejectWaiters(endedError())
    for (const abort of this.#opening) abort.abort()
    const busy = [...this.#all].filter((connection) => !this.#idle.includes(connection))
    for (const connection of busy) connection.abandon()
    await Promise.all([...this.#all].map((connection) => connection.close()))
  }

  /** Counts a task and returns true. After the end, rejects it. */
  #admit(task: { reject: (reason: unknown) => void }): boolean {
    if (this.#ending) task.reject(endedError())
    else this.#tasks++
    return this.#ending === undefined
  }

  #wait(queue: Waiter[], waiter: Omit<Waiter, 'since'>): void {
    queue.push({ ...waiter, since: performance.now() })
    this.#limitWait(this.#options.waitLimit)
    this.#openMore()
  }

  #limitWait(delay: number): void {
    this.#waitTimer ??= setTimeout(() => this.#rejectLate(), delay).unref()
  }

  /** Rejects those who have waited for the whole limit. */
  #rejectLate(): void {
    this.#waitTimer = undefined
    const { waitLimit } = this.#options
    const late = performance.now() - waitLimit
    const reason = new DatabaseAwayError('CONNECTION_WAIT', `no connection became free within ${waitLimit / second} s`)
    this.#rejectWaiters(reason, late)
    const oldest = this.#oldestQueue()?.[0]
    if (oldest) this.#limitWait(Math.max(1, oldest.since - late))
  }

  #release(connection: Connection): void {
    if (--this.#tasks === 0) this.#onDone()
    if (connection.isReadOnly) connection.abandon()
    if (connection.isLost) this.#serve()
    else this.#offer(connection)
  }

  #offer(connection: Connection): void {
    // The newest first, since the last one is used next: a server at rest uses the few oldest ones, with warm caches.
    const older = this.#idle.findIndex(({ number }) => number < connection.number)
    this.#idle.splice(older === -1 ? this.#idle.length : older, 0, connection)
    this.#serve()
  }

  /** Starts those who wait, as long as there are idle connections. */
  #serve(): void {
    while (this.#idle.length > 0) {
      const waiter = this.#servableQueue()?.shift()
      if (!waiter) break
      waiter.start(this.#idle.pop()!)
    }
    this.#openMore()
  }

  /** Returns the queue with the waiter that came first, if any. */
  #oldestQueue(): Waiter[] | undefined {
    const [statement] = this.#waitingStatements
    const [lease] = this.#waitingLeases
    if (!statement) return lease && this.#waitingLeases
    return lease && lease.since < statement.since ? this.#waitingLeases : this.#waitingStatements
  }

  #servableQueue(): Waiter[] | undefined {
    if (this.#leases < this.#maxLeases) return this.#oldestQueue()
    return this.#waitingStatements.length > 0 ? this.#waitingStatements : undefined
  }

  #openMore(): void {
    const leases = Math.min(this.#waitingLeases.length, this.#maxLeases - this.#leases)
    const isWanted = this.#waitingStatements.length + leases > this.#opening.size
    if (isWanted && this.#all.size + this.#opening.size < this.#options.max) void this.#openOne()
  }

  async #openOne(): Promise<void> {
    const abort = new AbortController()
    this.#opening.add(abort)
    try {
      const delay = this.#retryAt - performance.now()
      if (delay > 0) await wait(delay, undefined, { signal: abort.signal })
      const connection = await this.#options.open(abort.signal)
      this.#opening.delete(abort)
      this.#crowded = 0
      this.#all.add(connection)
      connection.onLost = () => this.#remove(connection)
      if (connection.isLost) this.#remove(connection)
      else this.#offer(connection)
    } catch (reason) {
      this.#opening.delete(abort)
      this.#retryAt = performance.now() + this.#delayAfter(reason)
      // Otherwise another connection serves those who wait.
      if (this.#all.size + this.#opening.size === 0) this.#rejectWaiters(reason)
    }
  }

  #delayAfter(failure: unknown): number {
    if (!logCrowd(this.#options.log, failure)) return retryDelay
    // Simultaneous attempts count as one.
    if (performance.now() > this.#retryAt) this.#crowded++
    return Math.min(crowdedDelay * 2 ** (this.#crowded - 1), maxCrowdedDelay)
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#options.onClose?.()
    this.#openMore()
  }

  /** Rejects all waiters, or those that came before a time of `performance.now()`. */
  #rejectWaiters(reason: unknown, before = Number.POSITIVE_INFINITY): void {
    for (const queue of [this.#waitingStatements, this.#waitingLeases]) {
      const firstRecent = queue.findIndex(({ since }) => since > before)
      for (const { reject } of queue.splice(0, firstRecent === -1 ? queue.length : firstRecent)) {
        this.#tasks--
        reject(reason)
      }
    }
    if (this.#tasks === 0) this.#onDone()
  }
}

function endedError(): DatabaseAwayError {
  return new DatabaseAwayError('CONNECTION_ENDED', 'the connection pool has been closed')
}
