import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { second } from '@souk/contract'
import postgres from 'postgres'
import { executeWith, type OnNotify, openInstance, type ParsedOptions, type Statement } from './internals.ts'
import { deadlineOf } from './limits.ts'
import { openSocket, type Place } from './socket.ts'

/** The database cannot be reached, or the connection to it has ended. */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
  readonly code: string

  /** @param code starts with `CONNECTION_` */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export interface ConnectionOptions {
  /** Limit of statements in the session, ms; 0 for none. */
  statementLimit: number
  onNotify?: OnNotify | undefined
}

/** Timeout for the TCP connection, TLS and authentication together. */
export const openTimeout = 5 * second
/** PostgreSQL's code for a write on a host that is or became read-only. */
const readOnlyCode = '25006'
/** Timeout for the database to close its side. */
const closeTimeout = second
/** The message Terminate of PostgreSQL's protocol. */
const terminateMessage = Buffer.from([0x58, 0, 0, 0, 4])

/** Number of connections that this process has opened. */
let opened = 0

/**
 * A connection to PostgreSQL that ends with its socket and is never reopened (ADR 6).
 *
 * Each connection has its own instance of postgres.js for the protocol. The instance does not learn that the socket has
 * ended: it would write to the closed socket, send unsent bytes in the next session, or resolve statements that were
 * never sent. Instead, pending statements are rejected here.
 */
export class Connection {
  /** Called once, before the pending statements reject. */
  onLost: () => void = () => {}
  /** Ascending in the order in which connections are opened. */
  readonly number = ++opened
  #lost: Error | undefined
  #isReadOnly = false
  readonly #statementLimit: number
  readonly #pending = new Set<Statement>()
  readonly #streams = new Set<Readable>()
  readonly #socket: Socket
  readonly #address: string
  readonly #sql: postgres.Sql
  readonly #execute: (statement: Statement) => void

  private constructor(socket: Socket, parsed: ParsedOptions, place: Place, options: ConnectionOptions) {
    this.#socket = socket
    this.#address = addressOf(place)
    this.#statementLimit = options.statementLimit
    const { sql, execute } = openInstance(parsed, place, this.#openSocket(), options.onNotify)
    this.#sql = sql
    this.#execute = execute
    socket.on('error', (cause) => this.#lose(cause))
    for (const end of ['end', 'close']) socket.once(end, () => this.#lose())
    this.limitStatements()
    socket.on('timeout', () => {
      if (this.#pending.size > 0) this.abandon(silence(this.#address))
    })
    if (socket.destroyed) this.#lose()
  }

  /**
   * Connects to a database that accepts writes.
   * @throws DatabaseAwayError
   * @throws PostgresError if the database rejects the connection, for example because of a wrong password
   */
  static async open(
    parsed: ParsedOptions,
    place: Place,
    signal: AbortSignal,
    options: ConnectionOptions,
  ): Promise<Connection> {
    const address = addressOf(place)
    const timeout = silence(address)
    // A separate controller, because the signal passed to a socket destroys it even after it is open.
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal.reason)
    const timer = setTimeout(() => abort.abort(timeout), openTimeout)
    signal.addEventListener('abort', onAbort)
    let opened: Connection | undefined
    try {
      signal.throwIfAborted()
      const connection = new Connection(await openSocket(place, abort.signal), parsed, place, options)
      opened = connection
      const query = connection.#sql<{ readOnly: string }[]>`
        select current_setting('transaction_read_only') as read_only`
      const [row] = await executeWith(query, (statement) => connection.run(statement))
      if (row?.readOnly === 'off') return connection
      throw new DatabaseAwayError('CONNECTION_READ_ONLY', `${address} does not accept writes`)
    } catch (error) {
      opened?.abandon()
      signal.throwIfAborted()
      abort.signal.throwIfAborted()
      if (error instanceof postgres.PostgresError || error instanceof DatabaseAwayError) throw error
      throw new DatabaseAwayError('CONNECTION_FAILED', reasonOf(error), { cause: error })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** A host that became read-only can still answer, so the next statement needs a connection to another host. */
  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  /**
   * Sets the time in ms after which a statement without an answer ends the connection, by the limit of statements: of
   * the session if it is omitted; 0 for none.
   */
  limitStatements(limit = this.#statementLimit): void {
    this.#socket.setTimeout(deadlineOf(limit))
  }

  /**
   * Executes a statement after the previous ones. If the connection is lost, the statement rejects, and may or may not
   * have taken effect. `onSettled` receives the reason if it rejects.
   */
  run(statement: Statement, onSettled: (rejection?: unknown) => void = () => {}): void {
    const settled = (rejection?: unknown) => {
      this.#pending.delete(statement)
      if ((rejection as { code?: unknown } | undefined)?.code === readOnlyCode) this.#isReadOnly = true
      onSettled(rejection)
    }
    statement.then((result) => {
      settled()
      if (result instanceof Readable) this.#track(result)
    }, settled)
    if (this.#lost) {
      statement.reject(this.#lost)
      return
    }
    this.#pending.add(statement)
    this.#execute(statement)
  }

  /** Tracks the stream of a COPY, which is read after its statement has resolved. */
  #track(stream: Readable): void {
    if (this.#lost) stream.destroy(this.#lost)
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
  }

  /** Ends the connection immediately. */
  abandon(reason?: DatabaseAwayError): void {
    this.#lose(undefined, reason)
    this.#socket.destroy()
  }

  /** Ends the session and resolves when the database has closed it and released its locks. */
  async close(): Promise<void> {
    this.#lose()
    if (this.#socket.closed) return
    const timer = setTimeout(() => this.#socket.destroy(), closeTimeout)
    this.#socket.end(terminateMessage)
    await once(this.#socket, 'close').catch(() => {})
    clearTimeout(timer)
  }

  #lose(cause?: Error, reason?: DatabaseAwayError): void {
    if (this.#lost) return
    const ended = `the connection to ${this.#address} ended`
    this.#lost = reason ?? new DatabaseAwayError('CONNECTION_CLOSED', ended, { cause })
    this.onLost()
    for (const statement of this.#pending) statement.reject(this.#lost)
    for (const stream of this.#streams) stream.destroy(this.#lost)
  }

  /** Returns the socket that postgres.js uses. It stays open after the actual socket has ended. */
  #openSocket(): Parameters<typeof openInstance>[2] {
    const socket = this.#socket
    return {
      readyState: 'closed',
      on: (event, listener) => event === 'data' && socket.on('data', listener),
      write: (bytes) => {
        if (!this.#lost) socket.write(bytes)
        return true
      },
      // Back-pressure for COPY.
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      destroy: () => this.abandon(),
    }
  }
}

function silence(address: string): DatabaseAwayError {
  return new DatabaseAwayError('CONNECTION_TIMEOUT', `${address} does not respond`)
}

/** Returns the address for messages, without user and password. */
function addressOf({ host, port, path }: Place): string {
  return path || (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)
}

/** Returns the reason of an error. Node's has no message if several addresses of a host failed. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message: string; errors?: Error[] }
  return message || (errors ?? []).map((each) => each.message).join(', ')
}
