import { second } from '@souk/contract'
import type { Logger } from '../log.ts'
import { traced, traceStatement } from '../tracing.ts'
import { Connection } from './connection.ts'
import { Connections, type Open, type PoolLoad } from './connections.ts'
import type { CopyOut } from './copy.ts'
import { openAtWritableHost, writableHostIndex } from './hosts.ts'
import { quoteIdentifier } from './identifiers.ts'
import { defaultLimits, heartbeatLimits, type SessionLimits, sessionParameters } from './limits.ts'
import { Listening } from './listening.ts'
import { type Part, Raw, type Rows, type Run, Statement, Template, type Tx } from './statement.ts'
import { parseTarget, splitHosts } from './target.ts'
import { Json, type Value } from './values.ts'

export type { Part, Rows, Tx }

/** A transaction on a connection of its own. */
interface Transaction extends Tx {
  /** Executes a `copy … to stdout`. The transaction can continue when it is done. */
  copyOut(text: string, onRow: (row: Buffer) => void): CopyOut
}

/** A pool of connections: sql`select …`, sql.begin(tx => …), sql.listen(…). */
export interface Sql extends Tx {
  /**
   * Runs `work` in a transaction, which is rolled back if `work` or one of its statements rejects. Statements issued
   * after the end of the transaction reject.
   */
  begin<T>(work: (tx: Transaction) => T | Promise<T>, options?: TransactionOptions): Promise<T>
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
   * URL for `listen`, if `url` is that of a pooler that shares sessions between transactions (ADR 342). Statements are
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
  const open = createOpener(url, { ...options, isPooled: directUrl !== undefined })
  const connections = new Connections({ max, open, waitLimit, onClose, log })
  const listening = new Listening(
    createOpener(directUrl ?? url, { ...options, limits: heartbeatLimits, isPooled: false }),
  )

  return Object.assign(
    statementsOf((pending) => connections.run(pending)),
    {
      begin: <T>(work: (tx: Transaction) => T | Promise<T>, own: TransactionOptions = {}) =>
        traced('transaction', () => connections.lease((connection) => inTransaction(connection, work, own))),
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

/** Returns a function that opens connections. */
function createOpener(
  url: string,
  { applicationName = 'souk', limits = defaultLimits, isPooled }: OpenerOptions,
): Open {
  const target = parseTarget(url)
  const settings = { ...(isPooled ? {} : sessionParameters(limits)), ...target.settings }
  // The query of the URL may have another limit.
  const statementLimit = Number(settings.statement_timeout ?? limits.statement)
  return (signal, onNotify) =>
    openAtWritableHost(
      target.places,
      (place, own) =>
        Connection.open(target, place, own, { applicationName, settings, statementLimit, isPooled, onNotify }),
      signal,
    )
}

/**
 * Returns `url` reduced to the host that accepts writes, because the clients of the driver do not support several
 * hosts.
 * @throws DatabaseAwayError; DatabaseError
 */
export async function writableHost(url: string): Promise<string> {
  const { before, hosts, after } = splitHosts(url)
  if (hosts.length === 1) return url
  const open = createOpener(url, { limits: heartbeatLimits, isPooled: false })
  const connection = await open(new AbortController().signal)
  await connection.close()
  return `${before}${hosts[writableHostIndex(parseTarget(url).places)]}${after}`
}

/** Returns a creator of statements that `run` executes. */
function statementsOf(run: Run): Tx {
  const template = (strings: TemplateStringsArray, values: readonly (Value | Part)[]) =>
    new Statement(new Template(strings, values), traceStatement(run, strings))
  const raw = (text: string, values?: readonly Value[]) =>
    new Statement(new Raw(text, values), traceStatement(run, text))
  const create = (first: TemplateStringsArray | string, ...values: (Value | Part)[]) =>
    typeof first === 'string' ? raw(first.split('.').map(quoteIdentifier).join('.')) : template(first, values)
  const json = (value: unknown) => new Json(value)
  const notify = (channel: string, payload: string) => create`select pg_notify(${channel}, ${payload})`
  return Object.assign(create, { json, unsafe: raw, notify }) as Tx
}

async function inTransaction<T>(
  connection: Connection,
  work: (tx: Transaction) => T | Promise<T>,
  { statementLimit }: TransactionOptions,
): Promise<T> {
  const execute = (text: string) =>
    new Statement(
      new Raw(text),
      traceStatement((pending) => connection.run(pending), text),
    )
  let isOver = false
  const failures: unknown[] = []
  const statements = statementsOf((pending) => {
    if (isOver) {
      pending.reject(new Error('the transaction of this statement is over'))
      return
    }
    connection.run(pending, (rejection) => {
      if (rejection !== undefined) failures.push(rejection)
    })
  })
  const copyOut = (text: string, onRow: (row: Buffer) => void) => connection.copyOut(text, onRow)
  const tx = Object.assign(statements, { copyOut })

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
