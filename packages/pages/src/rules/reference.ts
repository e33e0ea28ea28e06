import { codes } from '../check/codes.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { describeDefault, describeOnly, describeShape } from './describe.ts'
import { ecosystemKeys } from './ecosystem.ts'
import type { TableId } from './rule.ts'
import { tables } from './tables.ts'

/** The reference page of pages.json, in Markdown: every attribute, the ecosystem's keys, every diagnostic. */
export function referencePage(): string {
  const sections = (Object.keys(tables) as TableId[]).map(section)
  const foreign = ecosystemKeys().map(({ table, key, note }) => `| \`${key}\` | ${tables[table].title} | ${note} |`)
  const diagnostics = Object.entries(codes).map(
    ([code, [severity, meaning]]) => `| \`${code}\` | ${severity} | ${meaning} |`,
  )
  return [
    '# pages.json',
    '',
    'Every attribute that the document gives, as Souk checks and resolves it. Written from the rule table: `npm run generate`.',
    '',
    ...sections,
    '## Keys outside the document',
    '',
    'Known around the document, and reported as information. They have no effect unless the note says otherwise. Style for other',
    'platforms (`mp-…`, `quickapp-…`) is among them.',
    '',
    '| Key | Where | What it is |',
    '|---|---|---|',
    ...foreign,
    '',
    '## Diagnostics',
    '',
    '| Code | Severity | What it means |',
    '|---|---|---|',
    ...diagnostics,
    '',
  ].join('\n')
}

function section(table: TableId): string {
  const { title, section: number, inherits, except, rows } = tables[table]
  const lines = rows.map((row) => rowLine(attributesOf(table).get(row.attribute)!))
  const others = inherits?.map((other) => tables[other].title).join(' and ')
  const exceptions = except ? ` except ${except.map((key) => `\`${key}\``).join(', ')}` : ''
  return [
    `## ${title}`,
    '',
    `Section ${number} of the document.${others ? ` Also the attributes of ${others}${exceptions}.` : ''}`,
    '',
    '| Attribute | Takes | Default | Works on | What it does |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

function rowLine(attribute: Attribute): string {
  const { name, row, shapes, platforms, since } = attribute
  const takes = shapes.map(describeShape).join(', or ').replaceAll('|', '\\|')
  const works =
    platforms.length === 3 && Object.keys(since).length === 0
      ? ''
      : platforms.map((each) => (since[each] ? `${each} ${since[each]}+` : each)).join(', ')
  const only = describeOnly(attribute)
  const description = `${row.required ? '**Required.** ' : ''}${row.description}${only ? ` Counts ${only}.` : ''}`
  return `| \`${name}\` | ${takes} | ${describeDefault(attribute)} | ${works} | ${description} |`
}
