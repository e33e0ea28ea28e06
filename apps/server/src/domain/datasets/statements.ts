import type { Bind } from './filter.ts'
import { compileFilter } from './filter.ts'
import { identifier } from './ownSource.ts'
import type { BoundType, Source, SourceField } from './source.ts'

/** The scopes of a dataset: the appids of its project, or its own id. */
export type Scopes = readonly string[]

/** A statement with what it is bound to. */
export interface Statement {
  text: string
  values: string[]
}

/** The rows to read: those of the scopes that the filter picks. */
export interface Picked {
  source: Source
  scopes: Scopes
  filter: string | undefined
}

/**
 * One page, newest first: `record`, and the key as `key`, an array of texts. Each scope is read along its index, and at most a
 * page of it, so that a page costs the same wherever it is.
 */
export function pageStatement(
  { source, scopes, filter }: Picked,
  fields: readonly SourceField[],
  { after, limit }: { after: string[] | undefined; limit: number },
): Statement {
  const { bind, values } = parameters()
  const { from, scope, key } = source
  const keySql = key.map(({ sql }) => sql).join(', ')
  const conditions = [`${scope.sql} = own.scope`, ...compileFilter(source, filter, bind)]
  if (after) {
    const place = key.map(({ type }, index) => bind(after[index]!, type)).join(', ')
    conditions.push(`(${keySql}) < (${place})`)
  }
  const names = key.map((_, index) => `k${index}`)
  const order = (parts: readonly string[]) => parts.map((part) => `${part} desc`).join(', ')
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

/** How a record becomes a line of an export. */
export type LineForm = { format: 'ndjson' } | { format: 'csv'; formulas: 'escape' | 'keep' }

/**
 * Everything at once, newest first. `COPY` takes no parameters, so the values are settings of the transaction, which
 * `settings` gives in their order: `souk.v1`, `souk.v2` and so on (ADR 240).
 */
export function copyStatement(
  { source, scopes, filter }: Picked,
  fields: readonly SourceField[],
  form: LineForm,
): { text: string; settings: string[] } {
  const settings: string[] = []
  const bind: Bind = (value, type) => `current_setting('souk.v${settings.push(value)}')::${type}`
  const { from, scope, key } = source
  const scoped =
    scopes.length === 1
      ? `${scope.sql} = ${bind(scopes[0]!, scope.type)}`
      : `${scope.sql} = any(${bind(arrayOf(scopes), 'text')}::${scope.type}[])`
  const conditions = [scoped, ...compileFilter(source, filter, bind)]
  const rows = (columns: string) =>
    `select ${columns} from ${from} where ${conditions.join(' and ')} order by ${key.map(({ sql }) => `${sql} desc`).join(', ')}`
  const columns = (sqlOf: (field: SourceField) => string) =>
    fields.map((field) => `${sqlOf(field)} as "${identifier(field.name)}"`).join(', ')
  if (form.format === 'csv') {
    const value = (field: SourceField) => csvValue(field, form.formulas)
    // The line of a single column without a value would be an empty line, which readers pass over.
    const sqlOf = fields.length === 1 ? (field: SourceField) => `coalesce(${value(field)}, '')` : value
    return { text: `copy (${rows(columns(sqlOf))}) to stdout (format csv, header true)`, settings }
  }
  // JSON escapes control characters, so with these for delimiter and quote a line stays as it is.
  const verbatim = `format csv, delimiter E'\\x01', quote E'\\x02'`
  return {
    text: `copy (select row_to_json(r) from (${rows(columns(({ json }) => json))}) r) to stdout (${verbatim})`,
    settings,
  }
}

/** Deletes what the filter picks. */
export function deleteStatement({ source, scopes, filter }: Picked): Statement {
  const { bind, values } = parameters()
  const { from, scope } = source
  const conditions = [`${scope.sql} = ${bind(scopes[0]!, scope.type)}`, ...compileFilter(source, filter, bind)]
  return { text: `delete from ${from} where ${conditions.join(' and ')}`, values }
}

/** Characters with which a spreadsheet begins a formula, also in their wide form, or that it drops in front of one; and the apostrophe, so that what was put in front can be told. */
const formulaStarts = [..."\t\n\r=+-@'＝＋－＠"].map((character) => character.codePointAt(0)).join(', ')

function csvValue({ text, chosen }: SourceField, formulas: 'escape' | 'keep'): string {
  if (!chosen || formulas === 'keep') return text
  return `case when ascii(${text}) in (${formulaStarts}) then '''' || (${text}) else ${text} end`
}

function recordOf(fields: readonly SourceField[]): string {
  const columns = fields.map(({ json, name }) => `${json} as "${identifier(name)}"`)
  return `(select row_to_json(r) from (select ${columns.join(', ')}) r)`
}

/** An array of identifiers as PostgreSQL writes it; they hold no character that would have to be quoted. */
function arrayOf(scopes: Scopes): string {
  return `{${scopes.join(',')}}`
}

function parameters(): { bind: Bind; values: string[] } {
  const values: string[] = []
  // As texts, which PostgreSQL reads: the driver has ways of its own to write some types.
  return { values, bind: (value: string, type: BoundType) => `$${values.push(value)}::text::${type}` }
}
