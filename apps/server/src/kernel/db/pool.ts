import postgres from 'postgres'
import { Connection } from './connection.ts'
import { Connections, type Open } from './connections.ts'
import { executeWith, type ParsedOptions, poolOptions, type Statement } from './internals.ts'
import { Listening } from './listening.ts'
import type { Place } from './socket.ts'
import { arrayTypes, parseArray, parseBigint, serializeArray } from './values.ts'

/** Types in addition to those of postgres.js: a `bigint` column is a number. */
type Types = { bigint: number }

/** A pool of connections: sql`select …`, sql.begin(tx => …), sql.listen(…). */
export interface Sql extends postgres.ISql<Types> {
  /**
   * Runs `work` in a transaction, which is rolled back if `work` or one of its statements rejects. Statements issued
   * after the end of the transaction reject.
   */
  begin<T>(work: (tx: Tx) => T | Promise<T>): Promise<T>
  /** Listens to a channel, also after a lost connection: `onListening` is called each time listening starts. */
  listen(channel: string, onNotify: (payload: string) => void, onListening?: () => void): Promise<Listener>
  /**
   * Closes all connections once all statements and transactions are done, or after `timeout` seconds. New statements
   * reject.
   */
  end(options?: { timeout?: number }): Promise<void>
}

/** A transaction, as `sql.begin` passes it to its function. */
export type Tx = postgres.ISql<Types>

interface Listener {
  unlisten(): Promise<void>
}

export interface ConnectOptions {
  /**
   * Maximum number of connections for statements, and the same again for transactions. Default 10: more than two cores
   * can use, and few enough to leave room for other processes.
   */
  max?: number
  /** Shown in `pg_stat_activity`. */
  applicationName?: string
  /** Called whenever a connection has ended. */
  onClose?: () => void
}

/**
 * Creates a pool, which connects on the first query. `url` may name several hosts, `postgres://u:p@a:5432,b:5432/souk`:
 * the first that accepts writes is used. When a connection is lost, its queries reject, and may or may not have taken
 * effect; the next query opens a new one. While no connection can be opened, queries reject with a DatabaseAwayError or
 * the database's own error.
 *
 * `bigint` columns are returned as numbers; a value beyond 2^53 - 1 rejects its query.
 * @throws TypeError if `url` is not a URL
 */
export function connect(url: string, { max = 10, applicationName = 'souk', onClose }: ConnectOptions = {}): Sql {
  const library = postgres<{ bigint: postgres.PostgresType<number> }>(url, {
    // Would query the array types on each connection; values.ts has those that are used.
    fetch_types: false,
    onnotice: () => {},
    ...poolOptions,
    connection: { application_name: applicationName },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
    },
  })
  const parsed: ParsedOptions = library.options
  for (const [oid, parseElement] of arrayTypes) {
    parsed.serializers[oid] = serializeArray
    parsed.parsers[oid] = (literal: string) => parseArray(literal, parseElement)
  }

  const open: Open = async (signal, onNotify) => {
    const places = placesOf(parsed)
    for (const [index, place] of places.entries()) {
      try {
        return await Connection.open(parsed, place, signal, onNotify)
      } catch (error) {
        if (signal.aborted || index === places.length - 1) throw error
      }
    }
    throw new Error('the database URL does not name a host')
  }
  const statements = new Connections(max, open, onClose)
  // Separate connections, so that a statement that a transaction awaits never waits for that transaction.
  const transactions = new Connections(max, open, onClose)
  const listening = new Listening(open, (statement) => library.unsafe(statement))

  return Object.assign(
    statementsOf(library, (statement) => statements.run(statement)),
    {
      begin: <T>(work: (tx: Tx) => T | Promise<T>) =>
        transactions.lease((connection) => inTransaction(library, connection, work)),
      listen: (channel: string, onNotify: (payload: string) => void, onListening = () => {}) =>
        listening.listen(channel, { onNotify, onListening }),
      end: async ({ timeout }: { timeout?: number } = {}) => {
        await Promise.all([statements.end(timeout), transactions.end(timeout), listening.end()])
      },
    },
  )
}

function placesOf({ host, port, path, ssl, sslnegotiation }: ParsedOptions): Place[] {
  return host.map((each, index) => ({ host: each, port: port[index] ?? 5432, path, ssl, sslnegotiation }))
}

/** Creates statements with postgres.js and executes them with `run`. */
function statementsOf(library: postgres.Sql<Types>, run: (statement: Statement) => void): postgres.ISql<Types> {
  const create = library as (...args: unknown[]) => object
  const sql = (...args: unknown[]) => {
    const created = create(...args)
    return created instanceof Promise ? executeWith(created, run) : created
  }
  const { json, array, typed, types } = library
  const unsafe = (...args: Parameters<typeof library.unsafe>) => executeWith(library.unsafe(...args), run)
  const notify = (channel: string, payload: string) =>
    executeWith(library`select pg_notify(${channel}, ${payload})`, run)
  return Object.assign(sql, { json, array, typed, types, unsafe, notify }) as unknown as postgres.ISql<Types>
}

async function inTransaction<T>(
  library: postgres.Sql<Types>,
  connection: Connection,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  const execute = (statement: string) => executeWith(library.unsafe(statement), (it) => connection.run(it))
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

  await execute('begin')
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
  }
}
