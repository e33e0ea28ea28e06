import type { Attribute } from './attributes.ts'
import type { Shape } from './rule.ts'
import { tables } from './tables.ts'

/** Describes the allowed values of a shape: `"black" | "white"`, `#RRGGBB`, `number`. */
export function describeShape(shape: Shape): string {
  switch (shape.is) {
    case 'text':
      if (shape.format === 'borderColor') return '"black" | "white" | #RRGGBB'
      if (shape.values)
        return shape.values.map((value) => JSON.stringify(value)).join(' | ') + (shape.open ? ' | …' : '')
      return shape.format ? formats[shape.format] : 'string'
    case 'number':
      return shape.integer ? 'integer' : 'number'
    case 'boolean':
      return 'true | false'
    case 'list':
      return `array of ${describeShape(shape.of)}`
    case 'map':
      return 'object: name to string'
    case 'object':
      return 'object'
    default:
      return shape.is
  }
}

const formats = {
  hexColor: '#RRGGBB',
  pageColor: '#RRGGBB | transparent',
  color: '#RRGGBB | rgba(R,G,B,A)',
  backdrop: '#RRGGBB | rgba(R,G,B,A) | transparent',
  borderColor: 'color',
  length: '<n>px',
  px: '<n>px (no rpx)',
  pxOrAuto: '<n>px (no rpx) | auto',
  pxOrPercent: '<n>px (no rpx) | <n>%',
  pxOffset: '<n>px (no rpx) | <n>%',
  pxOrFunction: '<n>px (no rpx) | <n>vw | calc(…)',
  gradientOrImage: 'image path | linear-gradient(…)',
  image: 'image path',
  font: 'font path',
  tabIcon: 'image path, at most 40 KB',
  fontIcon: 'string | font icon as \\uXXXX',
}

/** Describes the default; empty if there is none. */
export function describeDefault({ row, default: value }: Attribute): string {
  return row.default ?? (value === undefined ? '' : JSON.stringify(value))
}

/** Describes the condition of an attribute, as in "only if `type` is `transparent`"; empty if there is none. */
export function describeCondition({ row }: Attribute): string {
  if (!row.onlyIf) return ''
  const values = row.onlyIf.values.map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``)
  return `only if \`${row.onlyIf.key}\`${row.onlyIf.of === 'parent' ? ' of the parent object' : ''} is ${values.join(' or ')}`
}

/** Returns the documentation of an attribute for editors, in Markdown. */
export function hoverText(attribute: Attribute): string {
  const { name, row, shapes, platforms, section } = attribute
  const facts = [
    ['Value', shapes.map(describeShape).join(', or ')],
    ['Default', describeDefault(attribute)],
    ['Required', row.required ? 'yes' : ''],
    [
      'Platforms',
      platforms.length < 3 || Object.keys(attribute.since).length > 0
        ? platforms
            .map((platform) => `${platform}${attribute.since[platform] ? ` ${attribute.since[platform]}+` : ''}`)
            .join(', ')
        : '',
    ],
    ['Applies', describeCondition(attribute)],
  ].filter(([, fact]) => fact !== '')
  const lines = facts.map(([title, fact]) => `- ${title}: ${fact}`)
  return [
    `**${name}** (${tables[attribute.table].title}, pages-json §${section})`,
    '',
    row.description,
    '',
    ...lines,
  ].join('\n')
}
