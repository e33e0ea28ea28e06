/**
 * The filters of the platform data API: conditions `field op value`, joined with commas, all of which have to hold.
 *
 * - Operators: `=` `!=` `<` `<=` `>` `>=`, and `~` for “contains this text”.
 * - A value is written as it is, or between double quotes with the escapes of JSON. It has to be quoted where it holds a
 *   comma, begins with a double quote or an equals sign, begins or ends with white space, is empty, or is the text `null`.
 * - `= null` and `!= null` ask whether there is a value. `!=` holds where there is none; every other operator does not.
 * - White space around fields, operators and values means nothing.
 */
export const filterOperators = ['=', '!=', '<', '<=', '>', '>=', '~'] as const
export type FilterOperator = (typeof filterOperators)[number]

export interface FilterCondition {
  field: string
  operator: FilterOperator
  /** As it was written, without its quotes; null where it asks for a missing value. */
  value: string | null
}

/** More conditions are refused. */
export const maxFilterConditions = 20

/** A filter that cannot be read. `message` says what and where, in a sentence. */
export class FilterSyntaxError extends Error {}

const condition = /\s*([A-Za-z][A-Za-z0-9_]*)\s*(!=|<=|>=|=|<|>|~)\s*/y
const quoted = /"(?:[^"\\]|\\.)*"/y
const bare = /[^,]*/y

/** The conditions of a filter. @throws FilterSyntaxError */
export function parseFilter(text: string): FilterCondition[] {
  const conditions: FilterCondition[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  for (;;) {
    const begin = at
    const head = take(condition)
    if (!head) throw new FilterSyntaxError(`${shown(text, begin)} is not of the form field op value.`)
    const value = text[at] === '"' ? readQuoted() : readBare(head[1]!)
    conditions.push({ field: head[1]!, operator: head[2] as FilterOperator, value })
    if (conditions.length > maxFilterConditions) {
      throw new FilterSyntaxError(`It has more than ${maxFilterConditions} conditions.`)
    }
    while (/\s/.test(text[at] ?? '')) at++
    if (at === text.length) return conditions
    if (text[at] !== ',') throw new FilterSyntaxError(`A comma is missing before ${shown(text, at)}.`)
    at++
  }

  function readQuoted(): string {
    const begin = at
    try {
      return JSON.parse(take(quoted)?.[0] ?? '') as string
    } catch {
      throw new FilterSyntaxError(`The quoted value ${shown(text, begin)} is no JSON text.`)
    }
  }

  function readBare(field: string): string | null {
    const value = take(bare)![0].trim()
    if (value === '') throw new FilterSyntaxError(`The value of ${field} is missing; the empty text is "".`)
    return value === 'null' ? null : value
  }
}

/** A filter as it goes over the wire; `parseFilter` gives the same conditions again. */
export function formatFilter(conditions: readonly FilterCondition[]): string {
  return conditions
    .map(({ field, operator, value }) => `${field}${operator}${value === null ? 'null' : formatValue(value)}`)
    .join(',')
}

function formatValue(value: string): string {
  const plain = value !== '' && value !== 'null' && value === value.trim() && !/^["=]|,/.test(value)
  return plain ? value : JSON.stringify(value)
}

function shown(text: string, from: number): string {
  const rest = text.slice(from).trim()
  return rest === '' ? 'the end' : JSON.stringify(rest.length > 40 ? `${rest.slice(0, 40)}…` : rest)
}
