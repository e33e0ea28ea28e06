// Serialization of values that postgres.js handles differently, or only after querying the database for their types.
import { hex } from '../id.ts'

/** Parses a `bigint` as a number. @throws RangeError beyond 2^53 - 1 */
export function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53 - 1`)
  return value
}

/** Parsers of elements by the OID of the array type: text, uuid, bigint, integer, smallint, real, boolean. */
export const arrayTypes = new Map<number, (element: string) => unknown>([
  [1009, String],
  [2951, hex],
  [1016, parseBigint],
  [1007, Number],
  [1005, Number],
  [1021, Number],
  [1000, (element) => element === 't'],
])

export function serializeArray(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const elements = value.map((element) =>
    element === null ? 'NULL' : `"${String(element).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${elements.join()}}`
}

export function parseArray(literal: string, parse: (element: string) => unknown): unknown[] {
  const elements = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  return Array.from(elements, ([, quoted, plain = '']) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parse(plain)
  })
}
