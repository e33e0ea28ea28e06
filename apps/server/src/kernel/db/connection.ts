import type { Socket } from 'node:net'
import { second } from '@souk/contract'
import pg from 'pg'
import { CopyOut } from './copy.ts'
import { isDatabaseError } from './databaseError.ts'
import { Execution, type Prepared } from './execution.ts'
import { deadlineOf } from './limits.ts'
import { type Pending, type Query, Raw, type Row, type RowList, Statement } from './statement.ts'
import type { Place, Target } from './target.ts'

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

export type OnNotify = (channel: string, payload: string) => void

export interface ConnectionOptions {
  applicationName: string
  /** Parameters of the session. */
  settings: Record<string, string>
  /** Limit of statements in the session, ms; 0 for none. */
  statementLimit: number
  /** Whether the session is shared with others by a pooler, so that it cannot keep prepared statements. */
  isPooled: boolean
  onNotify?: OnNotify | undefined
}

/** A statement on this connection. */
interface Task {
  pending: Pending
  /** Receives the reason if the statement rejects. */
  onSettled: (rejection?: unknown) => void
  isRepeated: boolean
}

/** Timeout for the TCP connection, TLS and authentication together. */
export const openTimeout = 5 * second
/** Node sends a probe each second from then on, and ends the socket after ten without an answer. */
export const keepAliveInitialDelay = 5 * second
/** PostgreSQL's code for a write on a host that is or became read-only. */
const readOnlyCode = '25006'
/** Functions of PostgreSQL that refuse a prepared statement. */
const staleRoutines = ['FetchPreparedStatement', 'RevalidateCachedQuery']
/** Statements beyond are not prepared, because each costs memory in the session. The server has about a thousand. */
const maxPrepared = 3000
/** Timeout for the database to close its side. */
const closeTimeout = second

/** Number of connections that this process has opened. */
let opened = 0

/**
 * A connection to PostgreSQL that ends with its socket and is never reopened (ADR 6). It sends one statement at a time.
 */
export class Connection {
  /** Called once, before the pending statements reject. */
  onLost: () => void = () => {}
  /** Ascending in the order in which connections are opened. */
  readonly number = ++opened
  #lost: Error | undefined
  #isReadOnly = false
  readonly #client: pg.Client
  readonly #address: string
  readonly #options: ConnectionOptions
  /** The first one is sent, the others wait for it. */
  readonly #tasks: Task[] = []
  readonly #prepared = new Map<string, Prepared>()
  #named = 0
  #copy: CopyOut | undefined

  private constructor(client: pg.Client, address: string, options: ConnectionOptions) {
    this.#client = client
    this.#address = address
    this.#options = options
    client.on('error', (cause) => this.#lose(cause))
    client.on('end', () => this.#lose())
    client.on('notification', ({ channel, payload = '' }) => options.onNotify?.(channel, payload))
    const socket = this.#socket
    for (const end of ['end', 'close']) socket.once(end, () => this.#lose())
    socket.on('timeout', () => {
      if (this.#tasks.length > 0) this.abandon(silence(address))
    })
    if (socket.destroyed) this.#lose()
    this.limitStatements()
  }

  /** The driver replaces it when it starts TLS, never after it has connected. */
  get #socket(): Socket {
    return this.#client.connection.stream as Socket
  }

  /**
   * Connects to a database that accepts writes.
   * @throws DatabaseAwayError
   * @throws DatabaseError if the database rejects the connection, for example because of a wrong password
   */
  static async open(
    target: Target,
    place: Place,
    signal: AbortSignal,
    options: ConnectionOptions,
  ): Promise<Connection> {
    const address = addressOf(place)
    const timeout = silence(address)
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal.reason)
    const timer = setTimeout(() => abort.abort(timeout), openTimeout)
    signal.addEventListener('abort', onAbort)
    let connection: Connection | undefined
    try {
      signal.throwIfAborted()
      connection = new Connection(await connectClient(target, place, options, abort.signal), address, options)
      abort.signal.addEventListener('abort', () => connection?.abandon())
      abort.signal.throwIfAborted()
      const [row] = await connection.execute("select current_setting('transaction_read_only') as setting")
      if (row?.setting === 'off') return connection
      throw new DatabaseAwayError('CONNECTION_READ_ONLY', `${address} does not accept writes`)
    } catch (error) {
      connection?.abandon()
      abort.signal.throwIfAborted()
      if (isDatabaseError(error) || error instanceof DatabaseAwayError) throw error
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
  limitStatements(limit = this.#options.statementLimit): void {
    this.#socket.setTimeout(deadlineOf(limit))
  }

  /**
   * Executes a statement after the previous ones. If the connection is lost, the statement rejects, and may or may not
   * have taken effect. `onSettled` receives the reason if it rejects.
   */
  run(pending: Pending, onSettled: (rejection?: unknown) => void = () => {}): void {
    if (this.#lost) {
      onSettled(this.#lost)
      pending.reject(this.#lost)
      return
    }
    const task = { pending, onSettled, isRepeated: false }
    if (this.#tasks.push(task) === 1) this.#send(task)
  }

  /** Executes a text without parameters. */
  execute(text: string): Statement {
    return new Statement(new Raw(text), (pending) => this.run(pending))
  }

  /** Executes a `copy … to stdout`. The connection must not be used until it is done. */
  copyOut(text: string, onRow: (row: Buffer) => void): CopyOut {
    this.#copy = new CopyOut(text, onRow)
    if (this.#lost) this.#copy.fail(this.#lost)
    else this.#client.query(this.#copy)
    return this.#copy
  }

  #send(task: Task): void {
    const { query } = task.pending
    const prepared = this.#prepare(query)
    const isInTransaction = this.#client.getTransactionStatus() !== 'I'
    const execution = new Execution(query, prepared, (error, rows) => {
      if (error !== undefined && prepared && isStale(error)) {
        this.#prepared.delete(query.text)
        if (!isInTransaction && !task.isRepeated) {
          task.isRepeated = true
          this.#send(task)
          return
        }
      }
      this.#settle(task, error, rows)
    })
    this.#client.query(execution)
  }

  /** Returns the prepared statement of a text, which the session may not have prepared yet; undefined for none. */
  #prepare({ text, isPrepared }: Query): Prepared | undefined {
    if (!isPrepared || this.#options.isPooled) return undefined
    let prepared = this.#prepared.get(text)
    if (!prepared && this.#prepared.size < maxPrepared) {
      prepared = { name: `s${++this.#named}`, columns: undefined }
      this.#prepared.set(text, prepared)
    }
    return prepared
  }

  #settle(task: Task, error: unknown, rows?: Row[] & RowList): void {
    // Otherwise it was rejected when the connection was lost.
    if (this.#tasks[0] !== task) return
    this.#tasks.shift()
    const [next] = this.#tasks
    if (next) this.#send(next)
    if (rows) {
      task.onSettled()
      task.pending.resolve(rows)
      return
    }
    if (isDatabaseError(error) && error.code === readOnlyCode) this.#isReadOnly = true
    task.onSettled(error)
    task.pending.reject(error)
  }

  /** Ends the connection immediately. */
  abandon(reason?: DatabaseAwayError): void {
    this.#lose(undefined, reason)
    this.#socket.destroy()
  }

  /** Ends the session and resolves when the database has closed it and released its locks. */
  async close(): Promise<void> {
    this.#lose()
    const timer = setTimeout(() => this.#socket.destroy(), closeTimeout)
    await this.#client.end()
    clearTimeout(timer)
  }

  #lose(cause?: Error, reason?: DatabaseAwayError): void {
    if (this.#lost) return
    const ended = `the connection to ${this.#address} ended`
    this.#lost = reason ?? new DatabaseAwayError('CONNECTION_CLOSED', ended, { cause })
    this.onLost()
    for (const { pending, onSettled } of this.#tasks.splice(0)) {
      onSettled(this.#lost)
      pending.reject(this.#lost)
    }
    this.#copy?.fail(this.#lost)
  }
}

/** Connects with TLS if the URL asks for it, and without if the database has none and `prefer` allows that. */
async function connectClient(
  target: Target,
  place: Place,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<pg.Client> {
  const { options: tls, isOptional, isDirect } = target.tls
  try {
    return await connectOnce(tls ?? false)
  } catch (error) {
    if (!isOptional || !/does not support SSL/.test((error as Error).message)) throw error
    return await connectOnce(false)
  }

  async function connectOnce(ssl: false | object): Promise<pg.Client> {
    signal.throwIfAborted()
    const client = new pg.Client({
      ...target.login,
      ...place,
      ssl,
      sslnegotiation: ssl && isDirect ? 'direct' : 'postgres',
      application_name: options.applicationName,
      options: settingsOption(options.settings),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveInitialDelay,
    })
    // Without a listener, the process would end.
    client.on('error', () => {})
    const onAbort = () => client.connection.stream.destroy()
    signal.addEventListener('abort', onAbort)
    try {
      return await client.connect()
    } catch (error) {
      onAbort()
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}

/** Returns parameters of a session in the form of libpq's `options`; undefined for none, which poolers demand. */
export function settingsOption(settings: Record<string, string>): string | undefined {
  const options = Object.entries(settings).map(([name, value]) => `-c ${`${name}=${value}`.replace(/[\\\s]/g, '\\$&')}`)
  return options.join(' ') || undefined
}

/** Whether a prepared statement is gone, or no longer fits a table that has changed. */
function isStale(error: unknown): boolean {
  return isDatabaseError(error) && staleRoutines.includes(error.routine ?? '')
}

function silence(address: string): DatabaseAwayError {
  return new DatabaseAwayError('CONNECTION_TIMEOUT', `${address} does not respond`)
}

/** Returns the address for messages, without user and password. */
function addressOf({ host, port }: Place): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Returns the reason of an error. Node's has no message if several addresses of a host failed. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message: string; errors?: Error[] }
  return message || (errors ?? []).map((each) => each.message).join(', ')
}
