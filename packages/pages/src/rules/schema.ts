import type { Platform } from '../diagnostic.ts'
import type { Json } from '../parse/nodes.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { honoredKeys } from './honored.ts'
import type { Shape, TableId, TextFormat } from './rule.ts'
import { tables } from './tables.ts'

type Schema = { [key: string]: Json }

/**
 * Generates the JSON Schema (draft 7), for one platform or for what all have in common. It rejects what `check` reports
 * as an error or a warning about a single value. Additional keys are allowed, because other tools have more; rules that
 * involve several values are left to `check`.
 */
export function schema(platform?: Platform): Schema {
  const definitions: Schema = {}
  for (const table of Object.keys(tables) as TableId[])
    if (table !== 'top') definitions[table] = objectSchema(table, platform)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'pages.json',
    description: 'The page configuration of a mini app.',
    ...objectSchema('top', platform),
    definitions,
  }
}

function objectSchema(table: TableId, platform: Platform | undefined): Schema {
  const attributes = [...attributesOf(table).values()]
  // The text of a tab is only required on Mini App (pages-json §2.7).
  const isOptional = (name: string) => table === 'tab' && name === 'text' && platform !== 'Mini App'
  const required = attributes.filter(({ row, name }) => row.required && !isOptional(name))
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...attributes.map((attribute) => [attribute.name, attributeSchema(attribute)]),
      ...[...honoredKeys(table)].map(([key, { attribute }]) => [key, attributeSchema(attribute)]),
    ]),
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
  }
}

function attributeSchema(attribute: Attribute): Schema {
  const shapes = attribute.shapes.map((shape) => shapeSchema(shape, attribute))
  return {
    ...(shapes.length === 1 ? shapes[0] : { anyOf: shapes }),
    ...(attribute.default !== undefined && { default: attribute.default }),
    description: attribute.row.description.replaceAll('`', ''),
  }
}

const number = String.raw`(?:\d+(?:\.\d+)?|\.\d+)`
const hex = '#(?:[0-9A-Fa-f]{3}){1,2}'
const channel = String.raw`\s*(?:[01]?\d?\d|2[0-4]\d|25[0-5])\s*`
const rgba = String.raw`[Rr][Gg][Bb][Aa]\(${channel},${channel},${channel},\s*(?:0+(?:\.\d+)?|0*\.\d+|0*1(?:\.0+)?)\s*\)`
const theme = String.raw`@[\w\-]+`
const gradientColor = String.raw`(?:#(?:[0-9A-Fa-f]{3}){1,2}|rgba?\([^)]*\)|[A-Za-z]+)`

/** Regular expressions of what the checks of these formats accept. */
const formats: Partial<Record<TextFormat, string>> = {
  hexColor: `${hex}|${theme}`,
  pageColor: `${hex}|${theme}|transparent`,
  color: `${hex}|${theme}|${rgba}`,
  backdrop: `${hex}|${theme}|${rgba}|transparent`,
  borderColor: `${hex}|${theme}|${rgba}|black|white`,
  px: `${number}(?:px)?`,
  pxOrAuto: `${number}(?:px)?|auto`,
  pxOrPercent: `${number}(?:px|%)?`,
  pxOffset: `-?${number}(?:px|%)?`,
  pxOrFunction: String.raw`${number}(?:px|vw)?|(?:calc|min|max|clamp)\([^;{}]*\)`,
  length: `${number}(?:r?px)?`,
  gradientOrImage: String.raw`(?!.*[Gg]radient).*|linear-gradient\(\s*to +(?:right|left|bottom|bottom +right|top +left)\s*,\s*${gradientColor}\s*,\s*${gradientColor}\s*\)`,
}

function shapeSchema(shape: Shape, attribute?: Attribute): Schema {
  switch (shape.is) {
    case 'text':
      return textSchema(shape, attribute)
    case 'number':
      return { type: shape.integer ? 'integer' : 'number', ...(shape.min !== undefined && { minimum: shape.min }) }
    case 'false':
      // True is the default.
      return { type: 'boolean' }
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

function textSchema(shape: Shape & { is: 'text' }, attribute: Attribute | undefined): Schema {
  const { values, format, open } = shape
  // Theme variables may stand for any value.
  if (values && !open && format !== 'borderColor')
    return {
      anyOf: [
        { type: 'string', enum: [...values] },
        { type: 'string', pattern: '^@' },
      ],
    }
  const written = format && formats[format]
  // The default counts by its name in pages-json too.
  const initial =
    typeof attribute?.default === 'string' ? [attribute.default, attribute.row.default ?? attribute.default] : []
  const others = [
    ...[...new Set(initial)].map((text) => text.replace(/[().]/g, '\\$&')),
    // Templates use an empty string for "not set".
    ...(attribute?.row.required ? [] : ['']),
  ]
  const pattern = written && `^(?:${[written, ...others].join('|')})$`
  return { type: 'string', ...(pattern && { pattern }), ...(values && { examples: [...values] }) }
}
