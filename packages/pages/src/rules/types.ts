import { type Attribute, attributesOf } from './attributes.ts'
import { describeDefault } from './describe.ts'
import type { Shape, TableId } from './rule.ts'
import { tables } from './tables.ts'

/** Generates a module with TypeScript types: one type per object, `PagesJson` for the whole file. */
export function documentTypes(): string {
  const types = (Object.keys(tables) as TableId[]).map((table) => {
    const lines = [...attributesOf(table).values()].map((attribute) => member(table, attribute))
    return `/** ${tables[table].title} (pages-json §${tables[table].section}). */\nexport type ${nameOf(table)} = {\n${lines.join('\n')}\n}`
  })
  return `// Types of a pages.json. Generated from the rule table by npm run generate.\n\n${types.join('\n\n')}\n`
}

function member(table: TableId, attribute: Attribute): string {
  const { name, row, shapes } = attribute
  const value = describeDefault(attribute)
  const optional = row.required && !(table === 'tab' && name === 'text') ? '' : '?'
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return `  /** ${row.description}${value === '' ? '' : ` Default: ${value}.`} */\n  ${key}${optional}: ${shapes.map(typeOf).join(' | ')}`
}

const nameOf = (table: TableId) => (table === 'top' ? 'PagesJson' : table[0]!.toUpperCase() + table.slice(1))

function typeOf(shape: Shape): string {
  switch (shape.is) {
    case 'text':
      return shape.values && !shape.open && shape.format !== 'borderColor'
        ? shape.values.map((value) => `'${value}'`).join(' | ')
        : 'string'
    case 'object':
      return nameOf(shape.of)
    case 'list':
      return `${typeOf(shape.of)}[]`
    case 'map':
      return `{ [name: string]: ${typeOf(shape.of)} }`
    default:
      return shape.is
  }
}
