import type { Connection, Submittable } from 'pg'

/**
 * The query of a `copy … to stdout`, whose rows are received one by one. The driver calls the `handle…` methods of a
 * query that is not its own, as of those of pg-cursor and pg-copy-streams; the latter does not say where a row ends.
 */
export class CopyOut implements Submittable {
  readonly #text: string
  readonly #onRow: (row: Buffer) => void
  readonly #started = Promise.withResolvers<void>()
  readonly #done = Promise.withResolvers<void>()
  #connection: Connection | undefined

  /** @param onRow receives each row with its line feed; the bytes are valid until it returns */
  constructor(text: string, onRow: (row: Buffer) => void) {
    this.#text = text
    this.#onRow = onRow
    for (const { promise } of [this.#started, this.#done]) promise.catch(() => {})
  }

  /** Resolves when PostgreSQL has accepted the statement. */
  get started(): Promise<void> {
    return this.#started.promise
  }

  /** Resolves after the last row; rejects if the query fails. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Stops reading from the connection, so that PostgreSQL waits. Rows that have arrived still follow. */
  pause(): void {
    this.#connection?.stream.pause()
  }

  resume(): void {
    this.#connection?.stream.resume()
  }

  /** Ends the query, unless it has ended. */
  fail(reason: unknown): void {
    this.#end()
    this.#started.reject(reason)
    this.#done.reject(reason)
  }

  submit = (connection: Connection): void => {
    this.#connection = connection
    connection.once('copyOutResponse', this.#started.resolve)
    connection.query(this.#text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onRow(chunk)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#end()
    this.#started.resolve()
    this.#done.resolve()
  }

  handleError(error: Error): void {
    this.fail(error)
  }

  /** The end may arrive while the connection is paused: the next statement needs it. */
  #end(): void {
    this.#connection?.off('copyOutResponse', this.#started.resolve)
    this.resume()
    this.#connection = undefined
  }
}
