import type { Part, Tx } from './statement.ts'

/**
 * Returns a name as a quoted identifier of SQL. Every name that is not written in the source must pass here: a table
 * can have any name, such as a statement.
 */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns names as quoted identifiers, separated by commas. */
export function quoteIdentifiers(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ')
}

/** Returns a text as a quoted value of SQL, for statements that cannot have parameters. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\\', String.raw`\\`)}'`.replace(/^(?=.*\\)/s, 'E')
}

/** Returns a name as a part of a statement. `sql(name)` would take a dot in it for the end of a schema's name. */
export function identifier(sql: Tx, name: string): Part {
  return sql.unsafe(quoteIdentifier(name))
}
