import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { type Connection, DatabaseAwayError, type Hear, type Statement } from './connection.ts'

/** Opens a connection, unless it is aborted before. */
export type Open = (signal: AbortSignal, hear?: Hear) => Promise<Connection>

interface Waiting {
  start: (connection: Connection) => void
  refuse: (reason: unknown) => void
}

/** After a connection could not be opened no other is tried for so long, ms. */
const PAUSE_MS = 200

/** So many connections at most, opened when needed. Each is at one statement or one transaction at a time; the others wait in line. */
export class Connections {
  readonly #max: number
  readonly #open: Open
  readonly #onClose: (() => void) | undefined
  readonly #all = new Set<Connection>()
  readonly #opening = new Set<AbortController>()
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting[] = []
  #pauseUntil = 0
  /** Statements and transactions, waiting or under way. */
  #tasks = 0
  #onDone = () => {}
  #ending: Promise<void> | undefined

  constructor(max: number, open: Open, onClose?: () => void) {
    this.#max = max
    this.#open = open
    this.#onClose = onClose
  }

  /** Has a statement carried out; it rejects by itself. */
  run(statement: Statement): void {
    const start = (connection: Connection) =>
      connection.run(statement, (rejection) => {
        // Rejected by postgres.js itself, for a value that it cannot write or read: the answer may be still to come.
        if (rejection !== undefined && !(rejection instanceof postgres.PostgresError)) connection.abandon()
        this.#give(connection)
      })
    this.#take({ start, refuse: (reason) => statement.reject(reason) })
  }

  /** Lends a connection for as long as `work` takes. */
  async lease<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await new Promise<Connection>((start, refuse) => this.#take({ start, refuse }))
    try {
      return await work(connection)
    } finally {
      this.#give(connection)
    }
  }

  /** Closes everything when what waits and is under way is done, or cuts it off after `timeout` s. */
  end(timeout?: number): Promise<void> {
    this.#ending ??= this.#end(timeout)
    return this.#ending
  }

  async #end(timeout: number | undefined): Promise<void> {
    if (this.#tasks > 0) {
      await new Promise<void>((resolve) => {
        const late = timeout === undefined ? undefined : setTimeout(resolve, timeout * 1000)
        this.#onDone = () => {
          clearTimeout(late)
          resolve()
        }
      })
    }
    this.#refuseAll(endedError())
    for (const abort of this.#opening) abort.abort()
    const busy = [...this.#all].filter((connection) => !this.#idle.includes(connection))
    for (const connection of busy) connection.abandon()
    await Promise.all([...this.#all].map((connection) => connection.close()))
  }

  #take(waiting: Waiting): void {
    if (this.#ending) {
      waiting.refuse(endedError())
      return
    }
    this.#tasks++
    const connection = this.#idle.pop()
    if (connection) {
      waiting.start(connection)
      return
    }
    this.#waiting.push(waiting)
    this.#openMore()
  }

  #give(connection: Connection): void {
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
      const pause = this.#pauseUntil - performance.now()
      if (pause > 0) await wait(pause, undefined, { signal: abort.signal })
      const connection = await this.#open(abort.signal)
      this.#opening.delete(abort)
      this.#all.add(connection)
      connection.onLost = () => this.#forget(connection)
      if (connection.isLost) this.#forget(connection)
      else this.#offer(connection)
    } catch (reason) {
      this.#opening.delete(abort)
      this.#pauseUntil = performance.now() + PAUSE_MS
      // As long as there are others, these take their turn.
      if (this.#all.size + this.#opening.size === 0) this.#refuseAll(reason)
    }
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#onClose?.()
    this.#openMore()
  }

  #refuseAll(reason: unknown): void {
    for (const { refuse } of this.#waiting.splice(0)) {
      this.#tasks--
      refuse(reason)
    }
    if (this.#tasks === 0) this.#onDone()
  }
}

function endedError(): DatabaseAwayError {
  return new DatabaseAwayError('CONNECTION_ENDED', 'the pool of connections was closed')
}
