import type { Connection, FieldDef, Submittable } from 'pg'
import type { Query, Row, RowList } from './statement.ts'
import { type Parse, parserOf, propertyOf } from './values.ts'

/** Names of the properties of a row and parsers of their values, in the order of the columns. */
interface Columns {
  names: string[]
  parsers: Parse[]
}

/** A statement that a session has prepared. */
export interface Prepared {
  readonly name: string
  /** Undefined until it has been executed. */
  columns: Columns | undefined
}

type Answer = Row[] & RowList
type Settle = (error: unknown, rows?: Answer) => void

class Rows extends Array<Row> implements RowList {
  #count = 0
  #command = ''

  /** Methods such as `map` return plain arrays. */
  static override get [Symbol.species]() {
    return Array
  }

  get count(): number {
    return this.#count
  }

  get command(): string {
    return this.#command
  }

  /** @param tag such as `SELECT 3`, `INSERT 0 1` or `CREATE TABLE` */
  complete(tag: string): void {
    const space = tag.indexOf(' ')
    this.#command = space < 0 ? tag : tag.slice(0, space)
    this.#count = Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
  }
}

const noColumns: Columns = { names: [], parsers: [] }

/**
 * A statement in the form that the driver sends, as pg-cursor and pg-copy-streams define theirs: it calls `submit`, and
 * then the other methods for PostgreSQL's messages. The driver's own query describes and copies everything each time;
 * this one describes a prepared statement once, and creates its rows directly.
 */
export class Execution implements Submittable {
  readonly #query: Query
  readonly #prepared: Prepared | undefined
  readonly #settle: Settle
  #columns: Columns
  #rows = new Rows()
  /** The rows of the last result. */
  #last: Answer | undefined
  #failure: unknown

  /**
   * @param prepared the prepared statement, which is prepared here if it has no columns yet
   * @param settle is called once, with the last result or an error of PostgreSQL or of a value that cannot be parsed
   */
  constructor(query: Query, prepared: Prepared | undefined, settle: Settle) {
    this.#query = query
    this.#prepared = prepared
    this.#settle = settle
    this.#columns = prepared?.columns ?? noColumns
  }

  submit = (connection: Connection): void => {
    const { text, parameters } = this.#query
    const { name = '', columns } = this.#prepared ?? {}
    if (!this.#prepared && parameters.length === 0) {
      connection.query(text)
      return
    }
    connection.stream.cork()
    if (!columns) {
      // It exists if its first execution failed.
      if (name) connection.close({ type: 'S', name }, true)
      connection.parse({ name, text, types: [] }, true)
    }
    connection.bind({ statement: name, values: parameters }, true)
    if (!columns) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#columns = {
      names: fields.map((field) => propertyOf(field.name)),
      parsers: fields.map((field) => parserOf(field.dataTypeID)),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure !== undefined) return
    const { names, parsers } = this.#columns
    const row: Row = {}
    try {
      for (let index = 0; index < names.length; index++) {
        const text = fields[index]!
        row[names[index]!] = text === null ? null : parsers[index]!(text)
      }
    } catch (error) {
      this.#failure = error
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#prepared) this.#prepared.columns ??= this.#columns
    this.#rows.complete(text)
    this.#last = this.#rows
    this.#rows = new Rows()
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.#settle(undefined, this.#last ?? this.#rows)
    else this.#settle(this.#failure)
  }

  handleError(error: unknown): void {
    this.#settle(this.#failure ?? error)
  }

  handleCopyData(): void {}

  /** Otherwise both sides would wait. */
  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy(new Error('COPY FROM needs a session of its own'))
  }
}
