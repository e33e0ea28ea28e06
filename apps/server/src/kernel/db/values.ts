// How values are sent to PostgreSQL and read from it. Both travel as text, except for bytes.
import { hex } from '../id.ts'

/** A value of a statement. An object is JSON only if `sql.json` says so, because an array could be either. */
export type Value = null | boolean | number | string | Uint8Array | Json | readonly Value[]

/** A value that PostgreSQL receives as `jsonb`. */
export class Json {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** A value as the driver sends it. */
export type Parameter = string | Buffer | null

/**
 * Returns a value as the driver sends it.
 * @throws TypeError for values that PostgreSQL has no form of, such as undefined, so that none is lost silently
 */
export function parameterOf(value: unknown): Parameter {
  if (typeof value === 'string' || value === null) return value as Parameter
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Json) {
    const text = JSON.stringify(value.value)
    if (text !== undefined) return text
  }
  if (Array.isArray(value)) return arrayLiteral(value)
  throw new TypeError(`a value of a statement cannot be ${nameOf(value)}`)
}

/**
 * Returns the cast of a value's place in a statement: PostgreSQL infers the types of the others from where they stand,
 * but takes a text without a type for text where any type is possible.
 */
export function castOf(value: unknown): string {
  if (typeof value === 'boolean') return '::boolean'
  if (typeof value !== 'object' || value === null) return ''
  if (value instanceof Json) return '::jsonb'
  return value instanceof Uint8Array ? '::bytea' : ''
}

function arrayLiteral(elements: readonly unknown[]): string {
  const literals = elements.map((element) => {
    const parameter = parameterOf(element)
    if (parameter === null) return 'NULL'
    if (Array.isArray(element)) return parameter
    if (typeof parameter !== 'string') throw new TypeError('an element of an array cannot be bytes')
    return `"${parameter.replace(/["\\]/g, '\\$&')}"`
  })
  return `{${literals.join()}}`
}

function nameOf(value: unknown): string {
  const name = value instanceof Json ? 'JSON of undefined or a function' : typeof value
  return name === 'object' ? `an object (${(value as object).constructor?.name}): use sql.json` : name
}

/** Parses a `bigint` as a number. @throws RangeError beyond 2^53 - 1 */
function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53 - 1`)
  return value
}

function parseArray(literal: string, parse: (element: string) => unknown): unknown[] {
  const elements = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  return Array.from(elements, ([, quoted, plain = '']) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parse(plain)
  })
}

const parseBoolean = (text: string) => text === 't'
const arrayOf = (parse: (element: string) => unknown) => (literal: string) => parseArray(literal, parse)

/** Parses the text of a value. */
export type Parse = (text: string) => unknown

/** Parsers by the OID of the type. */
const parsers = new Map<number, Parse>([
  [16, parseBoolean],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, parseBigint],
  [114, (text) => JSON.parse(text)],
  [2950, hex],
  [3802, (text) => JSON.parse(text)],
  // smallint, integer, oid, real, double precision
  ...[21, 23, 26, 700, 701].map((oid) => [oid, Number] as const),
  // date, timestamp, timestamptz
  ...[1082, 1114, 1184].map((oid) => [oid, (text: string) => new Date(text)] as const),
  // Arrays of text, uuid, bigint, integer, smallint, real, boolean
  [1009, arrayOf(String)],
  [2951, arrayOf(hex)],
  [1016, arrayOf(parseBigint)],
  [1007, arrayOf(Number)],
  [1005, arrayOf(Number)],
  [1021, arrayOf(Number)],
  [1000, arrayOf(parseBoolean)],
])
const parseText = (text: string) => text

/** Returns the parser for the type with an OID. Values of most types remain text. */
export function parserOf(oid: number): Parse {
  return parsers.get(oid) ?? parseText
}

/** Returns the property of a row for a column: `someName` for `some_name`. */
export function propertyOf(column: string): string {
  return column.replace(/(?<=.)_(.)/g, (_, letter: string) => letter.toUpperCase())
}
