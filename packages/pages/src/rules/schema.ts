import type { Json } from '../parse/nodes.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { hoverText } from './describe.ts'
import type { Shape, TableId } from './rule.ts'
import { tables } from './tables.ts'

type Schema = { [key: string]: Json }

/**
 * Generates the JSON Schema (draft 7 with the extensions of VS Code). Additional keys are allowed, because other tools
 * have more. Rules that involve several values are left to `check`.
 */
export function schema(): Schema {
  const definitions: Schema = {}
  for (const table of Object.keys(tables) as TableId[]) if (table !== 'top') definitions[table] = objectSchema(table)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'pages.json',
    description: 'The page configuration of a mini app.',
    allowComments: true,
    allowTrailingCommas: true,
    ...objectSchema('top'),
    definitions,
  }
}

function objectSchema(table: TableId): Schema {
  const attributes = [...attributesOf(table).values()]
  // The text of a tab is only required on Mini App, which a schema cannot express (pages-json §2.7).
  const required = attributes.filter(({ row, name }) => row.required && !(table === 'tab' && name === 'text'))
  return {
    type: 'object',
    properties: Object.fromEntries(attributes.map((attribute) => [attribute.name, attributeSchema(attribute)])),
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
  }
}

function attributeSchema(attribute: Attribute): Schema {
  const shapes = attribute.shapes.map(shapeSchema)
  const text = hoverText(attribute)
  return {
    ...(shapes.length === 1 ? shapes[0] : { anyOf: shapes }),
    ...(attribute.default !== undefined && { default: attribute.default }),
    description: attribute.row.description.replaceAll('`', ''),
    markdownDescription: text,
  }
}

const patterns = {
  hexColor: '^#[0-9A-Fa-f]{6}$',
  color: '^(#[0-9A-Fa-f]{6}|rgba\\(.*\\)|none)$',
  backdrop: '^(#[0-9A-Fa-f]{6}|rgba\\(.*\\)|transparent)$',
  px: '^[0-9.]+px$',
  pxOrAuto: '^([0-9.]+px|auto)$',
  pxOrPercent: '^-?[0-9.]+(px|%)$',
  length: '^[0-9.]+r?px$',
} as const

function shapeSchema(shape: Shape): Schema {
  switch (shape.is) {
    case 'text': {
      if (shape.values && !shape.open && shape.format !== 'borderColor')
        return { type: 'string', enum: [...shape.values] }
      const pattern =
        shape.format && Object.hasOwn(patterns, shape.format)
          ? patterns[shape.format as keyof typeof patterns]
          : undefined
      return { type: 'string', ...(pattern && { pattern }), ...(shape.values && { examples: [...shape.values] }) }
    }
    case 'number':
      return { type: shape.integer ? 'integer' : 'number', ...(shape.min !== undefined && { minimum: shape.min }) }
    case 'false':
      return { const: false }
    case 'object':
      return { $ref: `#/definitions/${shape.of}` }
    case 'list':
      return {
        type: 'array',
        items: shapeSchema(shape.of),
        ...(shape.min !== undefined && { minItems: shape.min }),
        ...(shape.max !== undefined && { maxItems: shape.max }),
      }
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.of) }
    default:
      return { type: shape.is }
  }
}
