import type { Field } from '../../../../setup/typesOfMiniApps.mjs'

/** Folders of the reference on the site. */
export const folders = { functions: 'neu', tags: 'tags' } as const

/** Returns a table of fields. `columns` are its first titles: of the names, and of what is said about them. */
export function fieldTable(
  title: string,
  fields: readonly Field[],
  { required = false, defaults = false } = {},
): string {
  const columns = [title, 'type', ...(required ? ['required'] : []), ...(defaults ? ['default'] : []), 'meaning']
  const rows = fields.map(({ name, type, isOptional, default: given, description }) => [
    `\`${name}\``,
    typeText(type),
    ...(required ? [isOptional ? 'no' : 'yes'] : []),
    ...(defaults ? [given === undefined ? '' : `\`${given}\``] : []),
    description,
  ])
  return table(columns, rows)
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return `${[line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n')}\n`
}

/** Most words of a type that a table has room for. */
const longest = 120

function typeText(type: string): string {
  const text = type.length > longest ? `${type.slice(0, type.lastIndexOf(' | ', longest))} | …` : type
  return `\`${text}\``
}

/** Joins the parts of a page that exist. */
export const page = (...parts: (string | false | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== false).join('\n')

export const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
