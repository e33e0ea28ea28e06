import postgres from 'postgres'

/** Values beyond what postgres.js itself maps: a `bigint` column is a number here. */
type Types = { bigint: number }

/** A pool of connections: sql`select …`, sql.begin(tx => …), sql.listen(…). */
export type Sql = postgres.Sql<Types>

/** One transaction: what `sql.begin` hands to its function. */
export type Tx = postgres.TransactionSql<Types>

/** Several statements under way on one connection make postgres.js decay under load. Its types do not know the option. */
const ONE_AT_A_TIME: object = { max_pipeline: 1 }

export interface ConnectOptions {
  /**
   * Connections at most, for statements and once more for transactions. Default 10: more than two cores can keep busy, and
   * one process leaves room for others.
   */
  max?: number
  /** Shown in `pg_stat_activity`. */
  applicationName?: string
  /** Called whenever a connection has closed, for whatever reason. */
  onClose?: () => void
}

/**
 * Opens a pool; nothing is connected before the first query. `url` may name several hosts, `postgres://u:p@a:5432,b:5432/souk`:
 * the first that takes writes is used. A connection that broke is replaced on the next query; the queries it carried reject,
 * and their caller cannot know whether they took effect.
 *
 * `bigint` columns come back as numbers, and a value beyond 2^53 - 1 rejects its query. `listen` reconnects by itself.
 */
export function connect(url: string, { max = 10, applicationName = 'souk', onClose }: ConnectOptions = {}): Sql {
  const open = () => {
    const sql = postgres<{ bigint: postgres.PostgresType<number> }>(url, {
      max,
      ...ONE_AT_A_TIME,
      max_lifetime: null,
      connect_timeout: 10,
      backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
      target_session_attrs: 'read-write',
      // On each new connection postgres.js asks for the array types and waits for nobody to hear that this failed: a database
      // that goes away in that moment would end the process with an unhandled rejection. ARRAYS takes their place.
      fetch_types: false,
      onnotice: () => {},
      ...(onClose && { onclose: onClose }),
      connection: { application_name: applicationName },
      types: {
        bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
      },
    })
    for (const [oid, parseElement] of ARRAYS) {
      sql.options.serializers[oid] = arrayLiteral
      sql.options.parsers[oid] = (literal: string) => elementsOf(literal, parseElement)
    }
    return sql
  }
  const statements = open()
  const transactions = open()
  return Object.assign(statements, {
    begin: atMost(max, transactions.begin) as Sql['begin'],
    end: closeBoth(statements.end, transactions.end),
  })
}

/**
 * Lets so many calls run at a time, and the others wait in line.
 *
 * postgres.js sends the `begin` of a transaction also to a connection that has a statement under way, and then may not
 * reserve it: the transaction fails with UNSAFE_TRANSACTION and stays open for whoever gets the connection next (its
 * issues 823 and 1189, in 3.4.9). Among connections that carry transactions only, and never more than there are
 * connections, each `begin` finds an idle one.
 */
function atMost(limit: number, call: (...args: never[]) => Promise<unknown>) {
  const waiting: (() => void)[] = []
  let running = 0
  return async (...args: never[]): Promise<unknown> => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await call(...args)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

function closeBoth(...ends: Sql['end'][]): Sql['end'] {
  return async (options) => {
    await Promise.all(ends.map((end) => end(options)))
  }
}

/** The array types that parameters and columns have, by their fixed numbers: of text, uuid, bigint, integer, smallint, real, boolean. */
const ARRAYS = new Map<number, (element: string) => unknown>([
  [1009, String],
  [2951, String],
  [1016, parseBigint],
  [1007, Number],
  [1005, Number],
  [1021, Number],
  [1000, (element) => element === 't'],
])

function arrayLiteral(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const elements = value.map((element) =>
    element === null ? 'NULL' : `"${String(element).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${elements.join()}}`
}

function elementsOf(literal: string, parse: (element: string) => unknown): unknown[] {
  const elements = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  return Array.from(elements, ([, quoted, plain = '']) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parse(plain)
  })
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53 - 1`)
  return value
}
