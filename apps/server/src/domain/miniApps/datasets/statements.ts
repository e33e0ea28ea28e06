import { csvEscapedStarts, csvInnerFormula } from '@souk/contract'
import { verbatimLines } from '../../../kernel/db/copyOut.ts'
import type { Bind } from './filter.ts'
import { compileFilter } from './filter.ts'
import { identifier } from './ownSource.ts'
import type { BoundType, Source, SourceField } from './source.ts'

/** The scopes of a dataset: the appids of its project, or its own id. */
export type Scopes = readonly string[]

/** A statement with its bound values. */
export interface Statement {
  text: string
  values: string[]
}

/** The rows of the scopes that match the filter. */
export interface Selection {
  source: Source
  scopes: Scopes
  filter: string | undefined
}

/**
 * Builds the query for a page, newest first, with the columns `record` and `key`, an array of texts. Reads at most one
 * page per scope along its index, so that every page costs the same.
 */
export function pageStatement(
  { source, scopes, filter }: Selection,
  fields: readonly SourceField[],
  { after, limit }: { after: string[] | undefined; limit: number },
): Statement {
  const { bind, values } = parameters()
  const { from, scope, key } = source
  const keySql = key.map(({ sql }) => sql).join(', ')
  const conditions = [`${scope.sql} = own.scope`, ...compileFilter(source, filter, bind)]
  if (after) {
    const position = key.map(({ type }, index) => bind(after[index]!, type)).join(', ')
    conditions.push(`(${keySql}) < (${position})`)
  }
  const names = key.map((_, index) => `k${index}`)
  const order = (parts: readonly string[]) => parts.map((part) => `${part} desc`).join(', ')
  // SQL: expressions of the source; values are bound.
  return {
    text: `
      select page.record, array[${names.map((name) => `page.${name}::text`).join(', ')}] as key
      from unnest(${bind(arrayOf(scopes), 'text')}::${scope.type}[]) as own (scope) cross join lateral (
        select ${recordOf(fields)} as record, ${key.map(({ sql }, index) => `${sql} as k${index}`).join(', ')}
        from ${from}
        where ${conditions.join(' and ')}
        order by ${order(key.map(({ sql }) => sql))}
        limit ${limit}
      ) page
      order by ${order(names.map((name) => `page.${name}`))}
      limit ${limit}`,
    values,
  }
}

/** The format of a line of an export. */
export type LineFormat = { format: 'ndjson' } | { format: 'csv'; formulas: 'escape' | 'keep' }

/**
 * Builds the `COPY` statement of an export, newest first. `COPY` takes no parameters, so that values are passed as
 * transaction settings: `settings` contains the values of `souk.v1`, `souk.v2` and so on (ADR 243).
 */
export function copyStatement(
  { source, scopes, filter }: Selection,
  fields: readonly SourceField[],
  line: LineFormat,
): { text: string; settings: string[] } {
  const settings: string[] = []
  const bind: Bind = (value, type) => `current_setting('souk.v${settings.push(value)}')::${type}`
  const { from, scope, key } = source
  const scopeCondition =
    scopes.length === 1
      ? `${scope.sql} = ${bind(scopes[0]!, scope.type)}`
      : `${scope.sql} = any(${bind(arrayOf(scopes), 'text')}::${scope.type}[])`
  const conditions = [scopeCondition, ...compileFilter(source, filter, bind)]
  // SQL: expressions of the source; values are settings of the transaction.
  const rows = (columns: string) =>
    `select ${columns} from ${from} where ${conditions.join(' and ')} order by ${key.map(({ sql }) => `${sql} desc`).join(', ')}`
  const columns = (sqlOf: (field: SourceField) => string) =>
    fields.map((field) => `${sqlOf(field)} as "${identifier(field.name)}"`).join(', ')
  if (line.format === 'csv') {
    const value = (field: SourceField) => csvValue(field, line.formulas)
    // A single column without a value would be an empty line, which CSV readers skip.
    const sqlOf = fields.length === 1 ? (field: SourceField) => `coalesce(${value(field)}, '')` : value
    // PostgreSQL quotes neither `;` nor tabs by itself, which separate cells in some spreadsheets.
    const quoted = fields.filter(({ freeText }) => freeText).map(({ name }) => `"${identifier(name)}"`)
    const options = ['format csv', 'header true', ...(quoted.length > 0 ? [`force_quote (${quoted.join(', ')})`] : [])]
    // SQL: as above.
    return { text: `copy (${rows(columns(sqlOf))}) to stdout (${options.join(', ')})`, settings }
  }
  // SQL: as above.
  return {
    text: `copy (select row_to_json(r) from (${rows(columns(({ json }) => json))}) r) to stdout (${verbatimLines})`,
    settings,
  }
}

/** Builds the statement that deletes the records that match the filter. */
export function deleteStatement({ source, scopes, filter }: Selection): Statement {
  const { bind, values } = parameters()
  const { from, scope } = source
  const conditions = [`${scope.sql} = ${bind(scopes[0]!, scope.type)}`, ...compileFilter(source, filter, bind)]
  // SQL: expressions of the source; values are bound.
  return { text: `delete from ${from} where ${conditions.join(' and ')}`, values }
}

const escapedStarts = [...csvEscapedStarts].map((character) => character.codePointAt(0)).join(', ')
const innerFormula = `'${csvInnerFormula.source.replaceAll("'", "''")}'`

/** Returns the SQL of a cell. Escapes a text as `escapeFormulas` does, and JSON as `escapeJsonFormulas`. */
function csvValue({ type, text, freeText }: SourceField, formulas: 'escape' | 'keep'): string {
  if (formulas === 'keep') return text
  if (type === 'json') return `replace(${text}, ';', '\\u003b')`
  if (!freeText) return text
  const start = `case when ascii(${text}) in (${escapedStarts}) then '''' else '' end`
  return `${start} || regexp_replace(${text}, ${innerFormula}, '\\1''\\2', 'g')`
}

function recordOf(fields: readonly SourceField[]): string {
  const columns = fields.map(({ json, name }) => `${json} as "${identifier(name)}"`)
  return `(select row_to_json(r) from (select ${columns.join(', ')}) r)`
}

/** Returns a PostgreSQL array literal of identifiers, which contain no character that needs quoting. */
function arrayOf(scopes: Scopes): string {
  return `{${scopes.join(',')}}`
}

function parameters(): { bind: Bind; values: string[] } {
  const values: string[] = []
  // Bound as text and cast by PostgreSQL, since the driver serializes some types differently.
  return { values, bind: (value: string, type: BoundType) => `$${values.push(value)}::text::${type}` }
}
