import type { Attribute } from './attributes.ts'
import type { Shape } from './rule.ts'
import { tables } from './tables.ts'

/** What may be written for an attribute, for people: `"black" | "white"`, "#RRGGBB", "number". */
export function describeShape(shape: Shape): string {
  switch (shape.is) {
    case 'text':
      if (shape.format === 'borderColor') return '"black" | "white" | #RRGGBB'
      if (shape.values)
        return shape.values.map((value) => JSON.stringify(value)).join(' | ') + (shape.open ? ' | …' : '')
      return shape.format ? forms[shape.format] : 'text'
    case 'number':
      return shape.integer ? 'whole number' : 'number'
    case 'boolean':
      return 'true | false'
    case 'list':
      return `list of ${describeShape(shape.of)}`
    case 'map':
      return 'object: name to text'
    case 'object':
      return 'object'
    default:
      return shape.is
  }
}

const forms = {
  hexColor: '#RRGGBB',
  color: '#RRGGBB | rgba(R,G,B,A)',
  backdrop: '#RRGGBB | rgba(R,G,B,A) | transparent',
  borderColor: 'colour',
  length: '<n>px',
  px: '<n>px (no rpx)',
  pxOrAuto: '<n>px (no rpx) | auto',
  pxOrPercent: '<n>px (no rpx) | <n>%',
  gradientOrImage: 'path of an image | linear-gradient(…)',
  image: 'path of an image',
  font: 'path of a font',
  tabIcon: 'path of an image, at most 40 KB',
  fontIcon: 'text | \\uXXXX of a font icon',
}

/** The default for people; empty where there is none. */
export function describeDefault({ row, default: value }: Attribute): string {
  return row.default ?? (value === undefined ? '' : JSON.stringify(value))
}

/** "only where `type` is `transparent`", or empty. */
export function describeOnly({ row }: Attribute): string {
  if (!row.onlyIf) return ''
  const values = row.onlyIf.values.map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``)
  return `only where \`${row.onlyIf.key}\`${row.onlyIf.of === 'parent' ? ' of the object around it' : ''} is ${values.join(' or ')}`
}

/** Markdown for an editor: what the attribute does, what it takes, its default, where it works, its section. */
export function hoverText(attribute: Attribute): string {
  const { name, row, shapes, platforms, section } = attribute
  const facts = [
    ['Takes', shapes.map(describeShape).join(', or ')],
    ['Default', describeDefault(attribute)],
    ['Required', row.required ? 'yes' : ''],
    [
      'Works on',
      platforms.length < 3 || Object.keys(attribute.since).length > 0
        ? platforms
            .map((platform) => `${platform}${attribute.since[platform] ? ` ${attribute.since[platform]}+` : ''}`)
            .join(', ')
        : '',
    ],
    ['Counts', describeOnly(attribute)],
  ].filter(([, fact]) => fact !== '')
  const lines = facts.map(([title, fact]) => `- ${title}: ${fact}`)
  return [`**${name}** (${tables[attribute.table].title}, §${section})`, '', row.description, '', ...lines].join('\n')
}
