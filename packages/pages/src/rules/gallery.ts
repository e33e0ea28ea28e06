import type { Platform } from '../diagnostic.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { describeCondition, describeDefault, describeShape } from './describe.ts'
import { drawnTables, exampleOf, platformsIn } from './examples.ts'
import { tables } from './tables.ts'

type DrawnTable = (typeof drawnTables)[number]
type Draw = (text: string, platform: Platform) => string

/**
 * Generates the gallery of the attributes that style a page, in Markdown. The documentation site draws each example
 * beside its text. `links` maps sections of the specification to addresses. `draw` returns a drawing as text, so that
 * attributes that do not change it are marked.
 */
export function galleryPage(links: ReadonlyMap<string, string>, draw: Draw): string {
  return [
    '# Gallery of pages.json',
    '',
    'The attributes that style a page and its bars, each with an example. Change an example to see its page change. Generated',
    'from the rule table by `npm run generate`. Attributes whose drawing is the same without them are marked.',
    '',
    ...drawnTables.flatMap((table) => [
      `## ${tables[table].title}`,
      '',
      `[pages-json §${tables[table].section}](${links.get(tables[table].section)}).`,
      '',
      ...tables[table].rows.flatMap(({ attribute }) => entry(table, attributesOf(table).get(attribute)!, draw)),
    ]),
  ].join('\n')
}

function entry(table: DrawnTable, attribute: Attribute, draw: Draw): string[] {
  const { name, row, shapes, since } = attribute
  const { text, without, platform } = exampleOf({ table, name })
  const condition = describeCondition(attribute)
  const fallback = describeDefault(attribute)
  const facts = [
    `Value: ${shapes.map((shape) => `\`${describeShape(shape)}\``).join(' or ')}`,
    ...(fallback ? [`default: ${fallback.includes('`') ? fallback : `\`${fallback}\``}`] : []),
    `platforms: ${platformsIn(attribute)
      .map((each) => (since[each] ? `${each} ${since[each]}+` : each))
      .join(', ')}`,
  ]
  return [
    `### \`${pathOf(table)}.${name}\``,
    '',
    `${row.required ? '**Required.** ' : ''}${row.description}${condition ? ` Applies ${condition}.` : ''}`,
    '',
    `${facts.join('; ')}.`,
    '',
    ...(draw(text, platform) === draw(without, platform) ? ['*The drawing is the same without it.*', ''] : []),
    `\`\`\`json drawing ${platform}`,
    text,
    '```',
    '',
  ]
}

/** Returns the first path of a table's title. */
const pathOf = (table: DrawnTable) => tables[table].title.split('`')[1]!
