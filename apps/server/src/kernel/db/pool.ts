import { second } from '@souk/contract'
import postgres from 'postgres'
import { hex } from '../id.ts'
import type { Logger } from '../log.ts'
import { traced, traceStatement } from '../tracing.ts'
import { Connection } from './connection.ts'
import { Connections, type Open, type PoolLoad } from './connections.ts'
import { openAtWritableHost, writableHostIndex } from './hosts.ts'
import { executeWith, type ParsedOptions, poolOptions, type Statement } from './internals.ts'
import { defaultLimits, heartbeatLimits, type SessionLimits, sessionParameters } from './limits.ts'
import { Listening } from './listening.ts'
import type { Place } from './socket.ts'
import { arrayTypes, parseArray, parseBigint, serializeArray } from './values.ts'

/** The OID of `uuid`. */
const uuidType = 2950

/** Types in addition to those of postgres.js: a `bigint` column is a number. */
type Types = { bigint: number }

/** A pool of connections: sql`select …`, sql.begin(tx => …), sql.listen(…). */
export interface Sql extends postgres.ISql<Types> {
  /**
   * Runs `work` in a transaction, which is rolled back if `work` or one of its statements rejects. Statements issued
   * after the end of the transaction reject.
   */
  begin<T>(work: (tx: Tx) => T | Promise<T>, options?: TransactionOptions): Promise<T>
  /** Listens to a channel, even after a lost connection: `onListening` is called each time listening starts. */
  listen(channel: string, onNotify: (payload: string) => void, onListening?: () => void): Promise<Listener>
  /**
   * Closes all connections once all statements and transactions are done, or after `timeout` seconds. New statements
   * reject.
   */
  end(options?: { timeout?: number }): Promise<void>
  load(): PoolLoad
}

interface TransactionOptions {
  /** Limit of each statement other than that of the session, ms; 0 for none. */
  statementLimit?: number
}

/** A statement that runs when it is awaited, and can be part of another one until then. */
export type Rows<T extends object> = postgres.PendingQuery<T[]>

/** A part of a statement. */
export type Part = postgres.PendingQuery<postgres.Row[]>

/** A transaction, as `sql.begin` passes it to its function. */
export type Tx = postgres.ISql<Types>

interface Listener {
  unlisten(): Promise<void>
}

export interface ConnectOptions {
  /** Maximum number of connections. A further one is opened for `listen`. */
  max?: number
  /** Shown in `pg_stat_activity`. */
  applicationName?: string
  limits?: SessionLimits
  /**
   * URL for `listen`, if `url` is that of a pooler that shares sessions between transactions (ADR 6). Statements are
   * then not prepared, and the limits are those of the role.
   */
  directUrl?: string | undefined
  /** Called whenever a connection has ended. */
  onClose?: () => void
  log?: Logger
}

/** Maximum wait for a connection of the pool, ms. */
const waitLimit = 10 * second

/**
 * Creates a pool, which connects on the first query. `url` may name several hosts, `postgres://u:p@a:5432,b:5432/souk`:
 * the first that accepts writes is used. When a connection is lost, its queries reject, and may or may not have taken
 * effect; the next query opens a new one. While no connection can be opened, queries reject with a DatabaseAwayError or
 * the database's own error.
 *
 * Parameters in the query of the URL, such as `lock_timeout`, override the limits. `bigint` columns are returned as
 * numbers; a value beyond 2^53 - 1 rejects its query. `uuid` columns are 32 hex digits, as in the wire formats, and a
 * column `some_name` is the property `someName` of its row.
 * @throws TypeError if `url` is not a URL
 */
export function connect(url: string, options: ConnectOptions = {}): Sql {
  const { max = 10, directUrl, onClose, log } = options
  const { library, open } = createOpener(url, { ...options, isPooled: directUrl !== undefined })
  const connections = new Connections({ max, open, waitLimit, onClose, log })
  const direct = createOpener(directUrl ?? url, { ...options, limits: heartbeatLimits, isPooled: false })
  const listening = new Listening(direct.open, (statement) => library.unsafe(statement))

  return Object.assign(
    statementsOf(library, (statement) => connections.run(statement)),
    {
      begin: <T>(work: (tx: Tx) => T | Promise<T>, own: TransactionOptions = {}) =>
        traced('transaction', () => connections.lease((connection) => inTransaction(library, connection, work, own))),
      listen: (channel: string, onNotify: (payload: string) => void, onListening = () => {}) =>
        listening.listen(channel, { onNotify, onListening }),
      end: async ({ timeout }: { timeout?: number } = {}) => {
        await Promise.all([connections.end(timeout), listening.end()])
      },
      load: () => connections.load(),
    },
  )
}

interface OpenerOptions extends Pick<ConnectOptions, 'applicationName' | 'limits'> {
  isPooled: boolean
}

/** Returns an instance of postgres.js, which creates statements, and a function that opens connections. */
function createOpener(
  url: string,
  { applicationName = 'souk', limits = defaultLimits, isPooled }: OpenerOptions,
): { library: postgres.Sql<Types>; open: Open } {
  const library = postgres<{ bigint: postgres.PostgresType<number> }>(url, {
    // Would query the array types on each connection; values.ts has those that are used.
    fetch_types: false,
    onnotice: () => {},
    ...poolOptions,
    ...(isPooled && { prepare: false }),
    connection: { application_name: applicationName, ...(isPooled ? {} : sessionParameters(limits)) },
    // Column names become camel case once per statement, not per row.
    transform: { column: { from: postgres.toCamel } },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
    },
  })
  const parsed: ParsedOptions = library.options
  parsed.parsers[uuidType] = hex
  for (const [oid, parseElement] of arrayTypes) {
    parsed.serializers[oid] = serializeArray
    parsed.parsers[oid] = (literal: string) => parseArray(literal, parseElement)
  }
  const places = placesOf(parsed)
  // The query of the URL may have another limit.
  const statementLimit = Number(parsed.connection.statement_timeout ?? limits.statement)
  const open: Open = (signal, onNotify) =>
    openAtWritableHost(
      places,
      (place, own) => Connection.open(parsed, place, own, { statementLimit, onNotify }),
      signal,
    )
  return { library, open }
}

/**
 * Returns `url` reduced to the host that accepts writes, because graphile-worker's driver does not support several
 * hosts.
 * @throws DatabaseAwayError; PostgresError
 */
export async function writableHost(url: string): Promise<string> {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  if (!hosts.includes(',')) return url
  const { library, open } = createOpener(url, { limits: heartbeatLimits, isPooled: false })
  const connection = await open(new AbortController().signal)
  await connection.close()
  return `${before}${hosts.split(',')[writableHostIndex(placesOf(library.options))]}${after}`
}

function placesOf({ host, port, path, ssl, sslnegotiation }: ParsedOptions): Place[] {
  return host.map((each, index) => ({ host: each, port: port[index] ?? 5432, path, ssl, sslnegotiation }))
}

/** Creates statements with postgres.js and executes them with `run`. */
function statementsOf(library: postgres.Sql<Types>, run: (statement: Statement) => void): postgres.ISql<Types> {
  const create = library as (...args: unknown[]) => object
  const sql = (...args: unknown[]) => {
    const created = create(...args)
    return created instanceof Promise
      ? executeWith(created, traceStatement(run, args[0] as TemplateStringsArray))
      : created
  }
  const { json, array, typed, types } = library
  const unsafe = (...args: Parameters<typeof library.unsafe>) =>
    executeWith(library.unsafe(...args), traceStatement(run, args[0]))
  const notify = (channel: string, payload: string) =>
    executeWith(library`select pg_notify(${channel}, ${payload})`, run)
  return Object.assign(sql, { json, array, typed, types, unsafe, notify }) as unknown as postgres.ISql<Types>
}

async function inTransaction<T>(
  library: postgres.Sql<Types>,
  connection: Connection,
  work: (tx: Tx) => T | Promise<T>,
  { statementLimit }: TransactionOptions,
): Promise<T> {
  const execute = (statement: string) => {
    const run = traceStatement((it) => connection.run(it), statement)
    return executeWith(library.unsafe(statement), run)
  }
  let isOver = false
  const failures: unknown[] = []
  const tx = statementsOf(library, (statement) => {
    if (isOver) {
      statement.reject(new Error('the transaction of this statement is over'))
      return
    }
    connection.run(statement, (rejection) => {
      if (rejection !== undefined) failures.push(rejection)
    })
  })

  if (statementLimit === undefined) await execute('begin')
  else {
    connection.limitStatements(statementLimit)
    await execute(`begin; set local statement_timeout = ${Math.round(statementLimit)}`)
  }
  try {
    const result = await work(tx)
    // `work` may have caught the error, but the database has aborted the transaction.
    if (failures.length > 0) throw failures[0]
    isOver = true
    const { command } = await execute('commit')
    if (command !== 'COMMIT') throw failures[0] ?? new Error('The transaction was rolled back.')
    return result
  } catch (error) {
    isOver = true
    await execute('rollback').catch(() => connection.abandon())
    // For "transaction is aborted", throw the error that aborted it.
    throw (error as { code?: unknown } | null)?.code === '25P02' ? (failures[0] ?? error) : error
  } finally {
    if (statementLimit !== undefined) connection.limitStatements()
  }
}
