import { isDatabaseError } from './databaseError.ts'
import { castOf, type Json, type Parameter, parameterOf, type Value } from './values.ts'

/** A row whose columns have no declared types. */
export interface Row {
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the columns of its statement
  [column: string]: any
}

/** The rows that a statement returned. */
export interface RowList {
  /** Number of rows that the statement returned or changed. */
  readonly count: number
  /** First word of the statement as PostgreSQL reports it, such as `INSERT`. */
  readonly command: string
}

/** A statement as PostgreSQL receives it. */
export interface Query {
  text: string
  parameters: Parameter[]
  /** Whether the same text will come again. If not, and without parameters, it may be several statements. */
  isPrepared: boolean
}

/** A statement on its way. Settled exactly once, although later calls are ignored. */
export interface Pending {
  readonly query: Query
  resolve(rows: Row[] & RowList): void
  reject(reason: unknown): void
}

export type Run = (pending: Pending) => void

/** A part of a statement, or a whole one: it is sent when it is first awaited, and never if it is not. */
export class Statement<T extends readonly unknown[] = Row[]> implements Promise<T & RowList> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #content: Template | Raw
  readonly #run: Run
  #result: Promise<T & RowList> | undefined

  constructor(content: Template | Raw, run: Run) {
    this.#content = content
    this.#run = run
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is a promise
  then<A = T & RowList, B = never>(
    onFulfilled?: ((rows: T & RowList) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as of promises
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#send()
    return this.#result.then(onFulfilled, onRejected)
  }

  catch<B = never>(
    // biome-ignore lint/suspicious/noExplicitAny: as of promises
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<(T & RowList) | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T & RowList> {
    return this.then().finally(onFinally)
  }

  #send(): Promise<T & RowList> {
    return new Promise((resolve, reject) => {
      this.#run({
        query: this.#content.build(),
        resolve: resolve as unknown as Pending['resolve'],
        reject: (reason) => reject(this.#content.locate(reason)),
      })
    })
  }

  /** Adds the text and the parameters of this part to those of its statement. */
  addTo(query: Query): void {
    this.#content.addTo(query)
  }
}

/** A part of a statement. */
// biome-ignore lint/suspicious/noExplicitAny: any statement can be a part
export type Part = Statement<any>

/** A statement that runs when it is awaited, and can be part of another one until then. */
export type Rows<T extends object> = Statement<T[]>

/** Creates statements for a transaction, as `sql.begin` passes it to its function. */
export interface Tx {
  /** Creates a statement, or a part of one, whose values are parameters. */
  <T extends readonly (object | undefined)[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly (Value | Part)[]
  ): Statement<T>
  /** Returns a name, or names separated by dots, as a part of a statement. */
  (name: string): Part
  json(value: unknown): Json
  /**
   * Creates a statement, or a part of one, from a text that is taken as it is. `values` are its parameters `$1` and so
   * on. Without them, the text may be several statements; the rows are those of the last one.
   */
  unsafe<T extends readonly (object | undefined)[] = Row[]>(text: string, values?: readonly Value[]): Statement<T>
  notify(channel: string, payload: string): Statement
}

/** A text that is taken as it is. Its parameters, if any, are `$1` and so on. */
export class Raw {
  readonly #text: string
  readonly #values: readonly Value[]

  constructor(text: string, values: readonly Value[] = []) {
    this.#text = text
    this.#values = values
  }

  build(): Query {
    return { text: this.#text, parameters: this.#values.map(parameterOf), isPrepared: false }
  }

  addTo(query: Query): void {
    if (this.#values.length > 0) throw new TypeError('a part of a statement cannot number its own parameters')
    query.text += this.#text
  }

  locate(reason: unknown): unknown {
    return reason
  }
}

/** What is known about a template after its first time. */
interface Known {
  /** Where it was first used: an error of the driver comes from a socket. */
  origin: Error
  /** Texts by the casts of their parameters. */
  texts: Map<string, string>
}

/** The strings of a template are the same object each time. */
const known = new WeakMap<TemplateStringsArray, Known>()

function learn(strings: TemplateStringsArray): Known {
  const found = { origin: new Error(), texts: new Map() }
  known.set(strings, found)
  return found
}

/** A text with values and parts between its strings. */
export class Template {
  readonly #strings: TemplateStringsArray
  readonly #values: readonly (Value | Part)[]
  readonly #known: Known

  constructor(strings: TemplateStringsArray, values: readonly (Value | Part)[]) {
    this.#strings = strings
    this.#values = values
    this.#known = known.get(strings) ?? learn(strings)
  }

  build(): Query {
    const parameters: Parameter[] = []
    let casts = ''
    for (const [index, value] of this.#values.entries()) {
      if (value instanceof Statement) {
        const query: Query = { text: '', parameters: [], isPrepared: true }
        this.addTo(query)
        return query
      }
      parameters.push(parameterOf(value))
      const cast = castOf(value)
      if (cast) casts += index + cast
    }
    let text = this.#known.texts.get(casts)
    if (text === undefined) {
      const query: Query = { text: '', parameters: [], isPrepared: true }
      this.addTo(query)
      text = query.text
      this.#known.texts.set(casts, text)
    }
    return { text, parameters, isPrepared: true }
  }

  addTo(query: Query): void {
    query.text += this.#strings[0]
    for (const [index, value] of this.#values.entries()) {
      if (value instanceof Statement) value.addTo(query)
      else query.text += `$${query.parameters.push(parameterOf(value))}${castOf(value)}`
      query.text += this.#strings[index + 1]
    }
  }

  /** Returns the error of a statement with the stack of the code that created it. */
  locate(reason: unknown): unknown {
    if (isDatabaseError(reason)) {
      const [, ...frames] = this.#known.origin.stack?.split('\n') ?? []
      reason.stack = [`${reason.constructor.name}: ${reason.message}`, ...frames].join('\n')
    }
    return reason
  }
}
