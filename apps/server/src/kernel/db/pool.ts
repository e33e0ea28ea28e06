import postgres from 'postgres'
import { Connection, directed, type Parsed, type Statement } from './connection.ts'
import { Connections, type Open } from './connections.ts'
import { Listening } from './listening.ts'
import type { Place } from './socket.ts'
import { ARRAYS, arrayLiteral, elementsOf, parseBigint } from './values.ts'

/** Values beyond what postgres.js itself maps: a `bigint` column is a number here. */
type Types = { bigint: number }

/** A pool of connections: sql`select …`, sql.begin(tx => …), sql.listen(…). */
export interface Sql extends postgres.ISql<Types> {
  /**
   * Runs `work` in a transaction, which is rolled back when `work` rejects or one of its statements does. A statement that
   * comes after the end of the transaction rejects.
   */
  begin<T>(work: (tx: Tx) => T | Promise<T>): Promise<T>
  /** Hears a channel from now on, also after the connection was lost: `onListening` is called each time it begins to. */
  listen(channel: string, hear: (payload: string) => void, onListening?: () => void): Promise<Listener>
  /** Closes all connections when what is under way is done, after `timeout` s at the latest. No new statement is taken. */
  end(options?: { timeout?: number }): Promise<void>
}

/** One transaction: what `sql.begin` hands to its function. */
export type Tx = postgres.ISql<Types>

interface Listener {
  unlisten(): Promise<void>
}

export interface ConnectOptions {
  /**
   * Connections at most, for statements and once more for transactions. Default 10: more than two cores can keep busy, and
   * one process leaves room for others.
   */
  max?: number
  /** Shown in `pg_stat_activity`. */
  applicationName?: string
  /** Called whenever a connection has ended, for whatever reason. */
  onClose?: () => void
}

/**
 * Opens a pool; nothing is connected before the first query. `url` may name several hosts, `postgres://u:p@a:5432,b:5432/souk`:
 * the first that takes writes is used. A connection that broke is replaced on the next query; the queries it carried reject,
 * and their caller cannot know whether they took effect. While there is no connection to be had, queries reject with a
 * DatabaseAwayError or with the database's own refusal.
 *
 * `bigint` columns come back as numbers, and a value beyond 2^53 - 1 rejects its query.
 * @throws TypeError when `url` is none.
 */
export function connect(url: string, { max = 10, applicationName = 'souk', onClose }: ConnectOptions = {}): Sql {
  const library = postgres<{ bigint: postgres.PostgresType<number> }>(url, {
    // It would ask for the array types on each new connection; those that occur are known (values.ts).
    fetch_types: false,
    onnotice: () => {},
    // Beyond one at a time postgres.js decays under load. Its types do not know the option.
    ...({ max_pipeline: 1, no_subscribe: true } as object),
    connection: { application_name: applicationName },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
    },
  })
  const parsed: Parsed = library.options
  for (const [oid, parseElement] of ARRAYS) {
    parsed.serializers[oid] = arrayLiteral
    parsed.parsers[oid] = (literal: string) => elementsOf(literal, parseElement)
  }

  const open: Open = async (signal, hear) => {
    const places = placesOf(parsed)
    for (const [index, place] of places.entries()) {
      try {
        return await Connection.open(parsed, place, signal, hear)
      } catch (error) {
        if (signal.aborted || index === places.length - 1) throw error
      }
    }
    throw new Error('a database URL names a host')
  }
  const statements = new Connections(max, open, onClose)
  // Apart from the statements, so that a statement which a transaction waits for cannot wait for that transaction.
  const transactions = new Connections(max, open, onClose)
  const listening = new Listening(open, (statement) => library.unsafe(statement))

  return Object.assign(
    statementsOf(library, (statement) => statements.run(statement)),
    {
      begin: <T>(work: (tx: Tx) => T | Promise<T>) =>
        transactions.lease((connection) => inTransaction(library, connection, work)),
      listen: (channel: string, hear: (payload: string) => void, onListening = () => {}) =>
        listening.listen(channel, { hear, onListening }),
      end: async ({ timeout }: { timeout?: number } = {}) => {
        await Promise.all([statements.end(timeout), transactions.end(timeout), listening.end()])
      },
    },
  )
}

function placesOf({ host, port, path, ssl, sslnegotiation }: Parsed): Place[] {
  return host.map((each, index) => ({ host: each, port: port[index] ?? 5432, path, ssl, sslnegotiation }))
}

/** Makes statements with postgres.js, and has them carried out by `run`. */
function statementsOf(library: postgres.Sql<Types>, run: (statement: Statement) => void): postgres.ISql<Types> {
  const make = library as (...args: unknown[]) => object
  const sql = (...args: unknown[]) => {
    const made = make(...args)
    return made instanceof Promise ? directed(made, run) : made
  }
  const { json, array, typed, types } = library
  const unsafe = (...args: Parameters<typeof library.unsafe>) => directed(library.unsafe(...args), run)
  const notify = (channel: string, payload: string) => directed(library`select pg_notify(${channel}, ${payload})`, run)
  return Object.assign(sql, { json, array, typed, types, unsafe, notify }) as unknown as postgres.ISql<Types>
}

async function inTransaction<T>(
  library: postgres.Sql<Types>,
  connection: Connection,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  const own = (statement: string) => directed(library.unsafe(statement), (it) => connection.run(it))
  let isOver = false
  const failures: unknown[] = []
  const tx = statementsOf(library, (statement) => {
    if (isOver) {
      statement.reject(new Error('the transaction that this statement was meant for is over'))
      return
    }
    connection.run(statement, (rejection) => {
      if (rejection !== undefined) failures.push(rejection)
    })
  })

  await own('begin')
  try {
    const result = await work(tx)
    // Somebody may have caught it, but the database does not go on with the transaction.
    if (failures.length > 0) throw failures[0]
    isOver = true
    const { command } = await own('commit')
    if (command !== 'COMMIT') throw failures[0] ?? new Error('The transaction was rolled back.')
    return result
  } catch (error) {
    isOver = true
    await own('rollback').catch(() => connection.abandon())
    // "The transaction is aborted" says less than what aborted it.
    throw (error as { code?: unknown } | null)?.code === '25P02' ? (failures[0] ?? error) : error
  }
}
