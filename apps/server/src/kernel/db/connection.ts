import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import postgres from 'postgres'
import { openSocket, type Place } from './socket.ts'

/** A statement of postgres.js, with what its types do not show: who carries it out, and the way to give it up. */
export interface Statement extends Promise<unknown> {
  handler: (statement: Statement) => void
  reject: (reason: unknown) => void
}

/** What postgres.js made of a URL and options; its types leave some of it out. */
export type Parsed = postgres.ParsedOptions<{ bigint: number }> & { sslnegotiation?: unknown }

/** The database cannot be reached, or is not reached any longer. */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
  readonly code: string

  /** @param code begins with `CONNECTION_` */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** For the TCP connection, TLS and the password together. */
const OPENING_MS = 10_000
/** For the database to take leave. */
const LEAVING_MS = 1_000
/** "Terminate" in PostgreSQL's protocol. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])

/**
 * One connection to PostgreSQL, which ends when its socket does and is never opened again (ADR 6).
 *
 * postgres.js writes and reads the protocol, in an instance of its own that has one connection and does not learn that this
 * one has ended: it would go on to use the socket it no longer has, carry what it had not sent yet into the next session, or
 * count a statement as done that was never sent. What is under way at the end is rejected from here.
 */
export class Connection {
  /** Called once, before the statements that were under way reject. */
  onLost: () => void = () => {}
  #lost: Error | undefined
  readonly #underWay = new Set<Statement>()
  readonly #streams = new Set<Readable>()
  readonly #socket: Socket
  readonly #where: string
  readonly #library: postgres.Sql
  readonly #handOver: (statement: Statement) => void

  private constructor(socket: Socket, parsed: Parsed, place: Place, hear: Hear | undefined) {
    this.#socket = socket
    this.#where = nameOf(place)
    const own = { host: [place.host], port: [place.port], parameters: {}, onnotify: hear }
    this.#library = postgres({ ...parsed, ...SINGLE, ...own, socket: () => this.#ownSocket() } as object)
    this.#handOver = (this.#library`` as unknown as Statement).handler
    socket.on('error', (cause) => this.#lose(cause))
    for (const end of ['end', 'close']) socket.once(end, () => this.#lose())
    if (socket.destroyed) this.#lose()
  }

  /**
   * Connects to a database that takes writes.
   * @throws DatabaseAwayError; PostgresError when the database refuses, as with a wrong password or while it starts.
   */
  static async open(parsed: Parsed, place: Place, signal: AbortSignal, hear?: Hear): Promise<Connection> {
    const where = nameOf(place)
    const late = new DatabaseAwayError('CONNECTION_TIMEOUT', `${where} does not answer`)
    // One of its own: the signal that a socket was opened with destroys it also later.
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal.reason)
    const timer = setTimeout(() => abort.abort(late), OPENING_MS)
    signal.addEventListener('abort', onAbort)
    let opened: Connection | undefined
    try {
      signal.throwIfAborted()
      const connection = new Connection(await openSocket(place, abort.signal), parsed, place, hear)
      opened = connection
      const question = connection.#library<{ readOnly: string }[]>`
        select current_setting('transaction_read_only') as "readOnly"`
      const [answer] = await directed(question, (statement) => connection.run(statement))
      if (answer?.readOnly === 'off') return connection
      throw new DatabaseAwayError('CONNECTION_READ_ONLY', `${where} takes no writes`)
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

  /**
   * Carries a statement out, after those before it. It rejects when the connection is lost: whether it took effect is unknown.
   * `onSettled` is told why it rejected, if it did.
   */
  run(statement: Statement, onSettled: (rejection?: unknown) => void = () => {}): void {
    const settled = (rejection?: unknown) => {
      this.#underWay.delete(statement)
      onSettled(rejection)
    }
    statement.then((result) => {
      settled()
      if (result instanceof Readable) this.#follow(result)
    }, settled)
    if (this.#lost) {
      statement.reject(this.#lost)
      return
    }
    this.#underWay.add(statement)
    this.#handOver(statement)
  }

  /** A copy out is answered by a stream, which is still to come when its statement has resolved. */
  #follow(stream: Readable): void {
    if (this.#lost) stream.destroy(this.#lost)
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
  }

  /** Ends the connection whatever is under way. */
  abandon(): void {
    this.#lose()
    this.#socket.destroy()
  }

  /** Ends the connection in order, and resolves when the database has let go of it and of the locks it held. */
  async close(): Promise<void> {
    this.#lose()
    if (this.#socket.closed) return
    const impatience = setTimeout(() => this.#socket.destroy(), LEAVING_MS)
    this.#socket.end(TERMINATE)
    await once(this.#socket, 'close').catch(() => {})
    clearTimeout(impatience)
  }

  #lose(cause?: Error): void {
    if (this.#lost) return
    this.#lost = new DatabaseAwayError('CONNECTION_CLOSED', `the connection to ${this.#where} ended`, { cause })
    this.onLost()
    for (const statement of this.#underWay) statement.reject(this.#lost)
    for (const stream of this.#streams) stream.destroy(this.#lost)
  }

  /** What postgres.js takes for its socket: it is open for ever. */
  #ownSocket(): object {
    const socket = this.#socket
    return {
      readyState: 'closed',
      on: (event: string, hear: (bytes: Buffer) => void) => event === 'data' && socket.on('data', hear),
      write: (bytes: Buffer) => {
        if (!this.#lost) socket.write(bytes)
        return true
      },
      // A copy out goes no faster than its reader takes it.
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      destroy: () => this.abandon(),
    }
  }
}

export type Hear = (channel: string, payload: string) => void

/** Of postgres.js's options those that make an instance serve one socket, which is open already. */
const SINGLE = {
  max: 1,
  path: undefined,
  ssl: false,
  target_session_attrs: undefined,
  connect_timeout: 0,
  idle_timeout: 0,
  max_lifetime: 0,
  no_subscribe: true,
}

/** For messages: without user and password. */
function nameOf({ host, port, path }: Place): string {
  return path ?? (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)
}

/** Lets a statement be carried out by `run`, in place of the instance of postgres.js that made it. */
export function directed<T extends PromiseLike<unknown>>(statement: T, run: (statement: Statement) => void): T {
  // Its way to cancel would use the socket a second time.
  return Object.assign(statement, { handler: run, canceller: null })
}

/** Node joins the failures of a name's several addresses without a message of its own. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message: string; errors?: Error[] }
  return message || (errors ?? []).map((each) => each.message).join(', ')
}
