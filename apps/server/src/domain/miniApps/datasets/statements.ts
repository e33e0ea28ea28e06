import { csvEscapedStarts, csvInnerFormula } from '@souk/contract'
import { verbatimLines } from '../../../kernel/db/copyOut.ts'
import type { Bind } from './filter.ts'
import { compileFilter } from './filter.ts'
import { identifier } from './ownSource.ts'
import type { BoundType, KeyPart, Source, SourceField } from './source.ts'

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

/** A page of a list: at most `limit` rows, after the one with this key. */
interface Page {
  after: string[] | undefined
  limit: number
}

/**
 * Builds the query for a page, newest first, with the columns `record` and `key`, an array of texts. Finds the keys of
 * the page first, and turns only its rows into records.
 */
export function pageStatement(selection: Selection, fields: readonly SourceField[], page: Page): Statement {
  const { source, scopes } = selection
  const { bind, values } = parameters()
  const names = source.key.map((_, index) => `k${index}`)
  const key = (alias: string) => names.map((name) => `${alias}.${name}`)
  const { steps, found } = scopes.length === 1 ? ofOneScope(selection, page, bind) : ofScopes(selection, page, bind)
  const isOfPage = [
    `${source.scope.sql} = page.scope`,
    ...source.key.map(({ sql }, index) => `${sql} = ${key('page')[index]}`),
  ]
  // SQL: expressions of the source; values are bound.
  return {
    text: `
      ${steps}
      select found.record, array[${key('page').map((part) => `${part}::text`)}] as key
      from (${found}) page cross join lateral (
        select ${recordOf(fields)} as record from ${source.from} where ${isOfPage.join(' and ')}
      ) found
      order by ${descending(key('page'))}`,
    values,
  }
}

/** Builds the statement that counts at most `limit` records that match, in no order. */
export function countStatement(selection: Selection, limit: number): Statement {
  const { bind, values } = parameters()
  const keys = keysOf(selection, { after: undefined, limit }, bind)
  const scopes = `unnest(${bind(arrayOf(selection.scopes), 'text')}::${selection.source.scope.type}[]) as own (scope)`
  // SQL: of `keysOf`.
  return {
    text: `
      select count(*)::integer as count
      from (select from ${scopes} cross join lateral (${keys('own.scope', limit)}) matching limit ${limit}) counted`,
    values,
  }
}

const descending = (parts: readonly string[]): string => parts.map((part) => `${part} desc`).join(', ')

/** Returns a function that selects the newest keys of a scope that match: `k0`, `k1` and so on. */
function keysOf({ source, filter }: Selection, { after }: Page, bind: Bind) {
  const { from, scope, key } = source
  const keySql = key.map(({ sql }) => sql)
  const conditions = compileFilter(source, filter, bind)
  if (after) {
    const position = key.map(({ type }, index) => bind(after[index]!, type)).join(', ')
    conditions.push(`(${keySql.join(', ')}) < (${position})`)
  }
  return (scopeSql: string, limit: number, newerThan?: readonly string[]): string => {
    const newer = newerThan ? [`(${keySql.join(', ')}) > (${newerThan.join(', ')})`] : []
    // SQL: expressions of the source; values are bound.
    return `
      select ${keySql.map((sql, index) => `${sql} as k${index}`).join(', ')} from ${from}
      where ${[`${scope.sql} = ${scopeSql}`, ...conditions, ...newer].join(' and ')}
      order by ${descending(keySql)} limit ${limit}`
  }
}

function ofOneScope(selection: Selection, page: Page, bind: Bind): { steps: string; found: string } {
  const scope = bind(selection.scopes[0]!, selection.source.scope.type)
  // SQL: of `keysOf`.
  return {
    steps: '',
    found: `select ${scope} as scope, keys.* from (${keysOf(selection, page, bind)(scope, page.limit)}) keys`,
  }
}

/** The smallest value of a type. */
const smallest: Record<KeyPart['type'], string> = {
  bigint: `${Number.MIN_SAFE_INTEGER}`,
  uuid: `'00000000-0000-0000-0000-000000000000'::uuid`,
  text: `''`,
}

/**
 * Merges the scopes of a project (ADR 397). `heads` are their newest rows, one each: only the `limit` first of them can
 * be in the page. Each step reads as many further scopes as all before it, and of them only what is newer than the last
 * row of a full page so far: the first scope fills the page, and the n-th adds about an n-th of it. So the cost follows
 * the page, and hardly the number of scopes.
 */
function ofScopes(selection: Selection, page: Page, bind: Bind): { steps: string; found: string } {
  const { source, scopes } = selection
  const { limit } = page
  const names = source.key.map((_, index) => `k${index}`)
  const columns = ['scope', ...names]
  const keys = keysOf(selection, page, bind)
  const lastKey = source.key.map(({ type }, index) => `coalesce(step.k${index}[${limit}], ${smallest[type]})`)
  const of = (alias: string) => columns.map((name) => `${alias}.${name}`).join(', ')
  // SQL: of `keysOf`.
  const steps = `
    with recursive heads as materialized (
      select own.scope, head.*, row_number() over (order by ${descending(names)}) as rank
      from unnest(${bind(arrayOf(scopes), 'text')}::${source.scope.type}[]) as own (scope)
        cross join lateral (${keys('own.scope', 1)}) head
      order by ${descending(names)} limit ${limit}
    ), step (scopes, ${columns.join(', ')}) as (
      select 0, '{}'::${source.scope.type}[], ${source.key.map(({ type }) => `'{}'::${type}[]`).join(', ')}
      union all
      select greatest(1, 2 * step.scopes), merged.*
      from step cross join lateral (
        select ${columns.map((name) => `array_agg(best.${name} order by ${descending(names.map((each) => `best.${each}`))})`).join(', ')}
        from (
          select ${of('kept')} from unnest(${columns.map((name) => `step.${name}`).join(', ')}) as kept (${columns.join(', ')})
          union all
          select heads.scope, ${names.map((name) => `more.${name}`).join(', ')}
          from heads cross join lateral (${keys('heads.scope', limit, lastKey)}) more
          where heads.rank > step.scopes and heads.rank <= greatest(1, 2 * step.scopes)
          order by ${descending(names)} limit ${limit}
        ) best
      ) merged
      where exists (
        select from heads
        where heads.rank = step.scopes + 1 and (${names.map((name) => `heads.${name}`).join(', ')}) > (${lastKey.join(', ')}))
    )`
  const last = `(select * from step order by scopes desc limit 1)`
  // SQL: names of columns of this file.
  return {
    steps,
    found: `select ${of('page')} from ${last} step cross join unnest(${columns.map((name) => `step.${name}`).join(', ')}) as page (${columns.join(', ')})`,
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
