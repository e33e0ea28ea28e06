/**
 * Filters of the platform data API: conditions `field op value` joined by commas (AND).
 *
 * - Operators: `=` `!=` `<` `<=` `>` `>=`, and `~` (contains).
 * - A value is written verbatim, or in double quotes with JSON escapes. It must be quoted if it contains a comma,
 *   starts
 *   with a double quote or an equals sign, starts or ends with white space, is empty, or is the string `null`.
 * - `= null` and `!= null` test for a missing value. A missing value matches `!=`, and no other operator.
 * - White space around fields, operators and values is ignored.
 */
export const filterOperators = ['=', '!=', '<', '<=', '>', '>=', '~'] as const
export type FilterOperator = (typeof filterOperators)[number]

export interface FilterCondition {
  field: string
  operator: FilterOperator
  /** The unquoted value; null for a missing value. */
  value: string | null
}

/** Maximum number of conditions. */
export const maxFilterConditions = 20

/** A syntax error in a filter. `message` says what is wrong and where. */
export class FilterSyntaxError extends Error {}

const condition = /\s*([A-Za-z][A-Za-z0-9_]*)\s*(!=|<=|>=|=|<|>|~)\s*/y
const quoted = /"(?:[^"\\]|\\.)*"/y
const bare = /[^,]*/y

/** Parses a filter, in time linear in its length. @throws FilterSyntaxError */
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
    if (value === '') throw new FilterSyntaxError(`The value of ${field} is missing; write "" for the empty string.`)
    return value === 'null' ? null : value
  }
}

/** Formats conditions as a filter; the inverse of `parseFilter`. */
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
