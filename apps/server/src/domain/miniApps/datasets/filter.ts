import { type FilterCondition, FilterSyntaxError, parseFilter, SoukError } from '@souk/contract'
import { findField } from './fields.ts'
import type { BoundType, Source, SourceField } from './source.ts'

/** Binds a value of the caller and returns the SQL that refers to it. */
export type Bind = (value: string, type: BoundType) => string

/**
 * Compiles a filter to SQL conditions (ADR 241). Caller input never becomes part of the SQL: fields are looked up in
 * the schema, and values are checked against the type of the field and bound.
 *
 * @throws SoukError `parameter_invalid`
 */
export function compileFilter({ fields }: Source, filter: string | undefined, bind: Bind): string[] {
  if (filter === undefined) return []
  return read(filter).map((condition) => compile(findField(fields, condition.field, 'filter'), condition, bind))
}

function read(filter: string): FilterCondition[] {
  try {
    return parseFilter(filter)
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error
    throw invalid(`filter: ${error.message}`)
  }
}

function compile(field: SourceField, { operator, value }: FilterCondition, bind: Bind): string {
  const { name, compared } = field
  if (value === null) {
    if (operator === '=') return `${field.json} is null`
    if (operator === '!=') return `${field.json} is not null`
    throw invalid(`filter: null can only be compared with = and !=; for the string write ${name}${operator}"null".`)
  }
  if (compared === undefined)
    throw invalid(`filter: ${name} is JSON, which can only be compared with =null and !=null.`)
  if (operator === '~') {
    if (field.type !== 'string') throw invalid(`filter: ~ requires a string, but ${name} is ${withArticle(field)}.`)
    return `strpos(${field.text}, ${bind(textOf(field, value), 'text')}) > 0`
  }
  if (operator !== '=' && operator !== '!=') {
    if (field.type === 'boolean')
      throw invalid(`filter: ${name} is a boolean, which can only be compared with = and !=.`)
    const right =
      field.type === 'string' ? bind(textOf(field, value), 'text') : bind(textOf(field, value), compared.type)
    // Compare by code point, regardless of the collation of the database.
    return field.type === 'string'
      ? `${field.text} collate "C" ${operator} ${right}`
      : `${compared.sql} ${operator} ${right}`
  }
  const text = textOf(field, value)
  if (compared.type === 'uuid' && !/^[0-9a-f]{32}$/.test(text)) {
    return operator === '=' ? 'false' : 'true'
  }
  const right = bind(text, compared.type)
  return operator === '=' ? `${compared.sql} = ${right}` : `${compared.sql} is distinct from ${right}`
}

/** Returns the value in PostgreSQL syntax. @throws SoukError `parameter_invalid` if the field cannot have the value */
function textOf(field: SourceField, value: string): string {
  const wrong = (allowed: string) =>
    invalid(`filter: ${field.name} must be compared with ${allowed}, not ${JSON.stringify(value.slice(0, 64))}.`)
  switch (field.type) {
    case 'string':
      if (value.includes('\0') || !value.isWellFormed())
        throw invalid(`filter: the value of ${field.name} contains an invalid character.`)
      return value
    case 'integer': {
      if (!isInteger(value)) throw wrong('an integer')
      return String(Number(value))
    }
    case 'time': {
      const time = isInteger(value) ? Number(value) : isIsoTime(value) ? Date.parse(value) : Number.NaN
      if (!Number.isSafeInteger(time))
        throw wrong('a time in Unix milliseconds or like 2030-01-31 or 2030-01-31T08:00:00Z')
      return String(time)
    }
    case 'number': {
      if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(value) || !Number.isFinite(Number(value)))
        throw wrong('a number')
      return String(Number(value))
    }
    case 'boolean': {
      if (value !== 'true' && value !== 'false') throw wrong('true or false')
      return value
    }
    case 'json':
      throw wrong('null')
  }
}

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Returns whether a time is in ISO 8601 on a date that exists: `Date.parse` reads 2030-02-31 as the third of March. */
function isIsoTime(value: string): boolean {
  if (!isoTime.test(value)) return false
  const date = value.slice(0, 10)
  const midnight = Date.parse(date)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
}

function isInteger(value: string): boolean {
  return /^[+-]?\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
}

function withArticle({ type }: SourceField): string {
  return `${type === 'integer' ? 'an' : 'a'} ${type}`
}

function invalid(reason: string): SoukError {
  return new SoukError('parameter_invalid', reason, { data: { parameters: ['filter'] } })
}
