import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { writableHost } from './pool.ts'
import { clientOptions } from './workerPool.ts'

/** A backup takes as long as its database is large. A silent peer is detected by TCP. */
const unlimited = { statement: 0, lock: 0, idleInTransaction: 0 }

/**
 * One connection for COPY in both directions, with back-pressure.
 */
export class Session {
  readonly #client: pg.Client
  readonly #lost: Promise<never>

  private constructor(client: pg.Client) {
    this.#client = client
    this.#lost = once(client, 'end').then(() => {
      throw new Error('the connection to the database ended')
    })
    this.#lost.catch(() => {})
    // Statements reject; without a listener the process would end.
    client.on('error', () => {})
  }

  /** @throws Error if the database cannot be reached */
  static async open(url: string, applicationName: string): Promise<Session> {
    const client = new pg.Client({
      ...clientOptions(unlimited),
      connectionString: await writableHost(url),
      application_name: applicationName,
    })
    await client.connect()
    const session = new Session(client)
    // COPY formats and parses values by these.
    await session.run(
      `set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
      set extra_float_digits = 1; set bytea_output = 'hex'; set idle_in_transaction_session_timeout = 0;
      set statement_timeout = 0; set lock_timeout = 0; set search_path = public`,
    )
    return session
  }

  /** Runs a statement, or several without parameters. `bigint` columns are returned as text. */
  async run<Row extends object>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    // Without parameters, the protocol accepts several statements.
    const { rows } = await (parameters.length > 0
      ? this.#client.query(statement, parameters)
      : this.#client.query(statement))
    return rows ?? []
  }

  /** Streams the result of a `copy … to stdout`. */
  copyTo(statement: string): Readable & { rowCount: number } {
    const rows = this.#client.query(to(statement))
    // An error after the last row was read has no other listener.
    rows.on('error', () => {})
    this.#lost.catch((error: Error) => rows.destroy(error))
    return rows
  }

  /** Sends rows to a `copy … from stdin`. Returns their number. */
  async copyFrom(statement: string, rows: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
    const copy = this.#client.query(from(statement))
    await Promise.race([pipeline(Readable.from(rows, { objectMode: false }), copy), this.#lost])
    return copy.rowCount
  }

  /** Closes the connection; an open transaction is rolled back. */
  async close(): Promise<void> {
    await this.#client.end()
  }
}
