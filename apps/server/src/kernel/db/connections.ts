import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { type Connection, DatabaseAwayError } from './connection.ts'
import type { OnNotify, Statement } from './internals.ts'

/** Opens a connection; rejects if aborted. */
export type Open = (signal: AbortSignal, onNotify?: OnNotify) => Promise<Connection>

interface Waiter {
  start: (connection: Connection) => void
  reject: (reason: unknown) => void
}

/** Delay after a failed attempt to open a connection, ms. */
const retryDelay = 200

/**
 * A pool of at most `max` connections, which are opened on demand. Each runs one statement or one transaction at a
 * time; others wait in order.
 */
export class Connections {
  readonly #max: number
  readonly #open: Open
  readonly #onClose: (() => void) | undefined
  readonly #all = new Set<Connection>()
  readonly #opening = new Set<AbortController>()
  readonly #idle: Connection[] = []
  readonly #waiting: Waiter[] = []
  #retryAt = 0
  /** Number of statements and transactions that wait or run. */
  #tasks = 0
  #onDone = () => {}
  #ending: Promise<void> | undefined

  constructor(max: number, open: Open, onClose?: () => void) {
    this.#max = max
    this.#open = open
    this.#onClose = onClose
  }

  /** Executes a statement, which settles itself. */
  run(statement: Statement): void {
    const start = (connection: Connection) =>
      connection.run(statement, (rejection) => {
        // postgres.js could not serialize or parse a value: the database's response may still arrive.
        if (rejection !== undefined && !(rejection instanceof postgres.PostgresError)) connection.abandon()
        this.#release(connection)
      })
    this.#acquire({ start, reject: (reason) => statement.reject(reason) })
  }

  /** Runs `work` with a connection of its own. */
  async lease<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await new Promise<Connection>((start, reject) => this.#acquire({ start, reject }))
    try {
      return await work(connection)
    } finally {
      this.#release(connection)
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
    this.#rejectAll(endedError())
    for (const abort of this.#opening) abort.abort()
    const busy = [...this.#all].filter((connection) => !this.#idle.includes(connection))
    for (const connection of busy) connection.abandon()
    await Promise.all([...this.#all].map((connection) => connection.close()))
  }

  #acquire(waiter: Waiter): void {
    if (this.#ending) {
      waiter.reject(endedError())
      return
    }
    this.#tasks++
    const connection = this.#idle.pop()
    if (connection) {
      waiter.start(connection)
      return
    }
    this.#waiting.push(waiter)
    this.#openMore()
  }

  #release(connection: Connection): void {
    if (--this.#tasks === 0) this.#onDone()
    if (!connection.isLost) this.#offer(connection)
  }

  #offer(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next) next.start(connection)
    else this.#idle.push(connection)
  }

  #openMore(): void {
    const wanted = this.#waiting.length > this.#opening.size
    if (wanted && this.#all.size + this.#opening.size < this.#max) void this.#openOne()
  }

  async #openOne(): Promise<void> {
    const abort = new AbortController()
    this.#opening.add(abort)
    try {
      const delay = this.#retryAt - performance.now()
      if (delay > 0) await wait(delay, undefined, { signal: abort.signal })
      const connection = await this.#open(abort.signal)
      this.#opening.delete(abort)
      this.#all.add(connection)
      connection.onLost = () => this.#remove(connection)
      if (connection.isLost) this.#remove(connection)
      else this.#offer(connection)
    } catch (reason) {
      this.#opening.delete(abort)
      this.#retryAt = performance.now() + retryDelay
      // Otherwise another connection serves those who wait.
      if (this.#all.size + this.#opening.size === 0) this.#rejectAll(reason)
    }
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#onClose?.()
    this.#openMore()
  }

  #rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) {
      this.#tasks--
      reject(reason)
    }
    if (this.#tasks === 0) this.#onDone()
  }
}

function endedError(): DatabaseAwayError {
  return new DatabaseAwayError('CONNECTION_ENDED', 'the connection pool has been closed')
}
