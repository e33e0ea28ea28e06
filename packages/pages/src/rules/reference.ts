import { codes } from '../check/codes.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { describeCondition, describeDefault, describeShape } from './describe.ts'
import { ecosystemKeys } from './ecosystem.ts'
import type { TableId } from './rule.ts'
import { tables } from './tables.ts'

/**
 * Generates the reference page of pages.json, in Markdown: attributes, keys of other tools, diagnostics. `links` maps
 * sections of the specification to addresses.
 */
export function referencePage(links: ReadonlyMap<string, string>): string {
  const sections = (Object.keys(tables) as TableId[]).map((table) => section(table, links))
  const foreign = ecosystemKeys().map(({ table, key, note }) => `| \`${key}\` | ${tables[table].title} | ${note} |`)
  const diagnostics = Object.entries(codes).map(
    ([code, [severity, meaning]]) => `| \`${code}\` | ${severity} | ${meaning} |`,
  )
  return [
    '# pages.json',
    '',
    'All attributes, as Souk checks and resolves them. Generated from the rule table by `npm run generate`.',
    '',
    ...sections,
    '## Keys of other tools',
    '',
    'These keys are not part of pages-json, but related tools support them. They are reported as information and have no effect',
    'unless the note says otherwise. The same applies to style for other platforms (`mp-…`, `quickapp-…`).',
    '',
    '| Key | Object | Meaning |',
    '|---|---|---|',
    ...foreign,
    '',
    '## Diagnostics',
    '',
    '| Code | Severity | Meaning |',
    '|---|---|---|',
    ...diagnostics,
    '',
  ].join('\n')
}

function section(table: TableId, links: ReadonlyMap<string, string>): string {
  const { title, section: number, inherits, except, rows } = tables[table]
  const lines = rows.map((row) => rowLine(attributesOf(table).get(row.attribute)!))
  const others = inherits?.map((other) => tables[other].title).join(' and ')
  const exceptions = except ? ` except ${except.map((key) => `\`${key}\``).join(', ')}` : ''
  return [
    `## ${title}`,
    '',
    `[pages-json §${number}](${links.get(number)}).${others ? ` Inherits the attributes of ${others}${exceptions}.` : ''}`,
    '',
    '| Attribute | Value | Default | Platforms | Description |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

function rowLine(attribute: Attribute): string {
  const { name, row, shapes, platforms, since } = attribute
  const value = shapes.map(describeShape).join(', or ').replaceAll('|', '\\|')
  const platformCell =
    platforms.length === 3 && Object.keys(since).length === 0
      ? ''
      : platforms.map((each) => (since[each] ? `${each} ${since[each]}+` : each)).join(', ')
  const condition = describeCondition(attribute)
  const description = `${row.required ? '**Required.** ' : ''}${row.description}${condition ? ` Applies ${condition}.` : ''}`
  return `| \`${name}\` | ${value} | ${describeDefault(attribute)} | ${platformCell} | ${description} |`
}
