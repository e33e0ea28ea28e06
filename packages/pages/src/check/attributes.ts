import { oneOf } from '../closest.ts'
import type { Fix, Platform } from '../diagnostic.ts'
import type { Node, ObjectNode, Property } from '../parse/nodes.ts'
import { propertyOf, toJson, valueAt } from '../parse/nodes.ts'
import { type Attribute, attributeFor, attributesOf, compareVersions } from '../rules/attributes.ts'
import { ecosystemNote } from '../rules/ecosystem.ts'
import { tableOfMisplacedKey } from '../rules/misplacedKeys.ts'
import type { OnlyIf, Shape, TableId } from '../rules/rule.ts'
import { fits, shapeOf } from '../rules/shape.ts'
import { tables } from '../rules/tables.ts'
import { at, type Context, insertion } from './context.ts'
import { checkFormat, contrast, describeFormat, readColor } from './textFormats.ts'

/**
 * An object of the file, the objects whose values hold where it has none (nearest first), and the one around it. It is what
 * "only when" conditions are asked of.
 */
type Scope = {
  readonly node: ObjectNode
  readonly table: TableId
  readonly behind: readonly ObjectNode[]
  readonly outer: Scope | undefined
}

/** Every object of the file against its table: types, values, unknown and missing keys, platforms, versions, "only when". */
export function checkAttributes(context: Context): void {
  const { root } = context
  if (root === undefined) return
  if (root.kind !== 'object') {
    if (root.kind !== 'missing') reportType(context, root, 'The file', [{ is: 'object', of: 'top' }], '2.1')
    return
  }
  checkObject(context, { node: root, table: 'top', behind: [], outer: undefined })
}

function checkObject(context: Context, scope: Scope): void {
  const { node, table } = scope
  const attributes = attributesOf(table)
  let foreign: Property[] | undefined
  for (const property of node.properties) {
    const attribute = attributes.get(property.key.value)
    if (attribute) checkAttribute(context, scope, property, attribute)
    else if (foreign) foreign.push(property)
    else foreign = [property]
  }
  if (foreign) {
    const meant: string[] = []
    for (const property of foreign) checkForeignKey(context, scope, property, meant)
  }
  for (const attribute of requiredOf(table)) checkRequired(context, table, node, attribute)
}

const required = new Map<TableId, readonly Attribute[]>()

function requiredOf(table: TableId): readonly Attribute[] {
  const known = required.get(table)
  if (known) return known
  const found = [...attributesOf(table).values()].filter(({ row }) => row.required)
  required.set(table, found)
  return found
}

function checkAttribute(context: Context, scope: Scope, property: Property, attribute: Attribute): void {
  const { value } = property
  // Of `app-plus` each part is asked by itself: some count on H5 too (§2.10).
  if (attribute.platforms.length < 3 && !attribute.row.namespace)
    context.reportPlatform(property, attribute.platforms, attribute.section)
  if (context.hasTargets) checkVersion(context, property, attribute)
  if (attribute.row.onlyIf) checkOnly(context, scope, property, attribute, attribute.row.onlyIf)
  if (value.kind === 'missing') return
  const shape = shapeOf(attribute.shapes, value)
  if (shape) checkValue(context, scope, attribute, shape, value)
  else reportType(context, value, `"${attribute.name}"`, attribute.shapes, attribute.section)
}

// --- types and values ------------------------------------------------------------------------------------------------

function checkValue(context: Context, scope: Scope, attribute: Attribute, shape: Shape, value: Node): void {
  const { name } = attribute
  if (shape.is === 'object' && value.kind === 'object') {
    checkObject(context, { node: value, table: shape.of, behind: behindOf(context, scope, name), outer: scope })
  } else if (shape.is === 'list' && value.kind === 'list') {
    for (const item of value.items) checkItem(context, scope, name, attribute.section, shape.of, item)
  } else if (shape.is === 'map' && value.kind === 'object') {
    for (const { key, value: inner } of value.properties) {
      if (inner.kind !== 'missing' && !fits(shape.of, inner)) {
        reportType(context, inner, `"${key.value}" in "${name}"`, [shape.of], attribute.section)
      }
    }
  } else if (shape.is === 'number' && value.kind === 'number') {
    checkNumber(context, attribute, shape, value.value, value)
  } else if (shape.is === 'text' && value.kind === 'string') {
    checkText(context, attribute, shape, value.value, value)
  }
}

function checkItem(context: Context, scope: Scope, name: string, section: string, shape: Shape, item: Node): void {
  if (!fits(shape, item)) {
    if (item.kind !== 'missing') reportType(context, item, `An item of "${name}"`, [shape], section)
  } else if (shape.is === 'object' && item.kind === 'object') {
    const own = shape.of === 'page' ? context.contextOf(item) : context
    if (own) checkObject(own, { node: item, table: shape.of, behind: [], outer: scope })
  }
}

/** The objects behind one that is reached by `name`; `h5` stands before `app-plus`, and a page before globalStyle (§2.10). */
function behindOf({ model }: Context, { node, table, behind }: Scope, name: string): readonly ObjectNode[] {
  if (table === 'page' && name === 'style') return model.globalStyle ? [model.globalStyle] : []
  if (behind.length === 0 && name !== 'h5') return behind
  const found: ObjectNode[] = []
  const add = (from: ObjectNode, key: string) => {
    const value = valueAt(from, key)
    if (value?.kind === 'object') found.push(value)
  }
  if (name === 'h5') add(node, 'app-plus')
  for (const each of behind) add(each, name)
  if (name === 'h5') for (const each of behind) add(each, 'app-plus')
  return found
}

const typeNames: Readonly<Record<Exclude<Shape['is'], 'text'>, string>> = {
  number: 'a number',
  boolean: 'true or false',
  false: 'false',
  null: 'null',
  object: 'an object { … }',
  list: 'a list [ … ]',
  map: 'an object { … }',
}

const kindNames: Readonly<Record<Node['kind'], string>> = {
  object: 'an object',
  list: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'a Boolean',
  null: 'null',
  missing: 'nothing',
}

/** What may stand there, as precisely as the document says it. */
function describeType(shape: Shape): string {
  if (shape.is !== 'text') return typeNames[shape.is]
  const { values, format, open } = shape
  if (values && !open && format === undefined) return oneOf(values)
  const said = format && describeFormat(format)
  return said ? `${said}, in double quotes` : 'a text in double quotes'
}

function reportType(context: Context, value: Node, what: string, shapes: readonly Shape[], section: string): void {
  const wanted = [...new Set(shapes.map(describeType))].join(', or ')
  const better = shapes.map((shape) => convert(shape, value)).find((text) => text !== undefined)
  if (value.kind === 'boolean' && shapes.some(({ is }) => is === 'false')) {
    const message = `${what} takes ${wanted} (§${section}). It is there without being set: leave it out instead of writing true.`
    context.report({ code: 'type-wrong', ...at(value), message })
    return
  }
  const found = value.kind === 'boolean' ? String(value.value) : kindNames[value.kind]
  const advice = better ? `write ${better}` : `write ${wanted}`
  const message = `${what} takes ${wanted} (§${section}); here stands ${found}${better || !found.includes(wanted) ? `: ${advice}` : ''}.`
  const fix = better && { title: `Write ${better}`, edits: [{ ...at(value), text: better }] }
  context.report({ code: 'type-wrong', ...at(value), message, ...(fix && { fix }) })
}

/** What was obviously meant: "50" for 50, 10 for "10px", "true" for true, a single item for a list of it. */
function convert(shape: Shape, value: Node): string | undefined {
  if (shape.is === 'number' && value.kind === 'string') {
    const digits = /^\s*(-?\d{1,15}(?:\.\d{1,15})?)(?:px)?\s*$/.exec(value.value)?.[1]
    return digits === undefined ? undefined : String(Number(digits))
  }
  if (shape.is === 'boolean' && value.kind === 'string' && /^(true|false)$/i.test(value.value))
    return value.value.toLowerCase()
  if (shape.is === 'false' && value.kind === 'string' && value.value === 'false') return 'false'
  if (shape.is === 'text' && value.kind === 'number') {
    const { format, values, open } = shape
    const isSize = format === 'length' || format?.startsWith('px')
    const written = isSize ? `${value.value}px` : String(value.value)
    if (values && !open && !values.includes(written)) return undefined
    const fault = format && checkFormat(format, written, '')
    return fault ? fault.better && JSON.stringify(fault.better) : JSON.stringify(written)
  }
  if (shape.is === 'text' && value.kind === 'boolean') {
    const meant = value.value ? ['true', 'YES'] : ['false', 'NO', 'none']
    const word = shape.values?.find((allowed) => meant.includes(allowed))
    return word === undefined ? undefined : JSON.stringify(word)
  }
  return undefined
}

function checkNumber(
  context: Context,
  { name, section }: Attribute,
  { integer, min }: { integer?: true; min?: number },
  number: number,
  value: Node,
): void {
  if ((!integer || Number.isInteger(number)) && (min === undefined || number >= min)) return
  const wanted = `a ${integer ? 'whole ' : ''}number${min === undefined ? '' : ` from ${min} on`}`
  context.report({ code: 'value-range', ...at(value), message: `"${name}" takes ${wanted} (§${section}).` })
}

function checkText(
  context: Context,
  attribute: Attribute,
  { format, values, open }: Shape & { is: 'text' },
  text: string,
  value: Node,
): void {
  const { name, section } = attribute
  // An empty text is how templates leave something unset.
  if (format && (text !== '' || attribute.row.required) && text !== attribute.default) {
    const fault = checkFormat(format, text, `"${name}"`)
    const better = fault?.better
    const fix = better && { title: `Write "${better}"`, edits: [{ ...at(value), text: JSON.stringify(better) }] }
    if (fault) context.report({ code: fault.code, ...at(value), message: fault.message, ...(fix && { fix }) })
  }
  if (values === undefined || format === 'borderColor' || values.includes(text)) return
  if (text.startsWith('@')) {
    const message = `${text.slice(0, 60)} is a variable of a theme: Souk does not look it up.`
    context.report({ code: 'value-theme', ...at(value), message })
    return
  }
  if (open) {
    const message = `The document gives only ${oneOf(values)} for "${name}" (§${section}); what "${text.slice(0, 60)}" does is not said.`
    context.report({ code: 'value-undocumented', ...at(value), message })
    return
  }
  const meant = context.suggest(text, new Set(values)) ?? nearestShade(values, text)
  const message = `"${text.slice(0, 60)}" is no value of "${name}": it takes ${oneOf(values)} (§${section})${meant ? `. Did you mean "${meant}"?` : '.'}`
  const fix = meant && { title: `Write "${meant}"`, edits: [{ ...at(value), text: JSON.stringify(meant) }] }
  context.report({ code: 'value-unknown', ...at(value), message, ...(fix && { fix }) })
}

/** A colour where only black or white may stand means the nearer one. */
function nearestShade(values: readonly string[], text: string): string | undefined {
  const color = values.includes('black') && values.includes('white') ? readColor(text) : undefined
  if (color === undefined) return undefined
  return contrast(color, readColor('black')!) > contrast(color, readColor('white')!) ? 'white' : 'black'
}

// --- where and when an attribute counts ------------------------------------------------------------------------------

function checkVersion(
  context: Context,
  { key, value }: Property,
  { name, since, otherValuesSince, shapes }: Attribute,
): void {
  const usual = shapes.flatMap((shape) => (shape.is === 'text' ? (shape.values ?? []) : []))
  const isOther = value.kind === 'string' && !usual.includes(value.value)
  for (const platform of context.platforms) {
    const target = context.targets[platform]
    const needed = since[platform] ?? (isOther ? otherValuesSince[platform] : undefined)
    if (needed === undefined || target === undefined || compareVersions(target, needed) >= 0) continue
    const what = since[platform] === undefined ? `This value of "${name}"` : `"${name}"`
    const message = `${what} exists from ${platform} ${needed} on; the target is ${target}, where it has no effect.`
    context.report({ code: 'key-too-new', ...at(key), message }, [platform])
  }
}

function checkOnly(
  context: Context,
  scope: Scope,
  { key, value }: Property,
  { name, section, default: usual }: Attribute,
  onlyIf: OnlyIf,
): void {
  const asked = onlyIf.of === 'self' ? scope : scope.outer
  if (asked === undefined || value.kind === 'missing') return
  if (value.kind !== 'object' && value.kind !== 'list' && value.value === usual) return
  const neighbour = [asked.node, ...asked.behind]
    .map((node) => valueAt(node, onlyIf.key))
    .find((node) => node !== undefined)
  const found = neighbour === undefined ? onlyIf.unset : toJson(neighbour)
  if (found === undefined || onlyIf.values.includes(found)) return
  // A neighbour that says what it cannot is reported itself: what it is to be is not known.
  if (neighbour && !mayBe(attributesOf(asked.table).get(onlyIf.key), neighbour)) return
  // What globalStyle leaves out, pages may set.
  if (neighbour === undefined && isInGlobalStyle(scope)) return
  const wanted = onlyIf.values.map((each) => JSON.stringify(each)).join(' or ')
  const is =
    neighbour === undefined
      ? found === ''
        ? 'it is not set'
        : `it is ${JSON.stringify(found)} by default`
      : `it is ${JSON.stringify(found)}`
  context.report({
    code: 'key-no-effect',
    ...at(key),
    message: `"${name}" has no effect here: it counts only where "${onlyIf.key}" is ${wanted} (§${section}), and ${is}.`,
    ...(neighbour && { related: [{ ...at(neighbour), message: `"${onlyIf.key}" is set here.` }] }),
  })
}

const isInGlobalStyle = ({ table, outer }: Scope): boolean =>
  table === 'globalStyle' || (outer !== undefined && isInGlobalStyle(outer))

function mayBe(attribute: Attribute | undefined, value: Node): boolean {
  const shape = attribute && shapeOf(attribute.shapes, value)
  if (shape?.is !== 'text' || value.kind !== 'string') return shape !== undefined
  return shape.values === undefined || shape.values.includes(value.value)
}

// --- keys ------------------------------------------------------------------------------------------------------------

/** `others`: what foreign keys of the object were taken for so far. */
function checkForeignKey(context: Context, scope: Scope, property: Property, others: string[]): void {
  const { node, table } = scope
  const { key, value } = property
  const name = key.value
  // Rules without `custom` have a check of their own, and so has the page of a middle button.
  if (table === 'easycom' && value.kind === 'string') return
  if (table === 'midButton' && name === 'pagePath') return
  if (name === '' && key.offset === key.end) return
  const shown = name.length > 60 ? `${name.slice(0, 57)}…` : name
  const note = ecosystemNote(table, name)
  if (note !== undefined) {
    context.report({
      code: 'key-ecosystem',
      ...at(key),
      message: `"${shown}" is not in the document. Its ecosystem knows it: ${note.replaceAll('`', '"')}`,
    })
    const attribute = attributeFor(table, name)
    if (attribute) checkAttribute(context, scope, property, attribute)
    return
  }
  const home = tableOfMisplacedKey(table, name)
  if (home !== undefined) {
    const message = `"${shown}" has no effect in ${nameOf(table)}: it belongs in ${nameOf(home)} (§${tables[home].section}).`
    context.report({ code: 'key-misplaced', ...at(key), message })
    return
  }
  const known = attributesOf(table)
  const meant = context.suggest(name, known)
  const isFirst = meant !== undefined && !others.includes(meant)
  if (isFirst) others.push(meant)
  const isFree = isFirst && propertyOf(node, meant) === undefined
  const advice = meant
    ? `did you mean "${meant}"?${isFree ? '' : ' That is here already: remove one of the two.'}`
    : `it takes ${[...known.keys()]
        .slice(0, 8)
        .map((each) => `"${each}"`)
        .join(', ')}${known.size > 8 ? ' …' : ''}.`
  const fix: Fix | undefined = isFree
    ? { title: `Write "${meant}"`, edits: [{ ...at(key), text: JSON.stringify(meant) }] }
    : undefined
  context.report({
    code: 'key-unknown',
    ...at(key),
    message: `"${shown}" is not known in ${nameOf(table)} (§${tables[table].section}): ${advice}`,
    ...(fix && { fix }),
  })
}

/** What an object is called within a sentence. */
const nameOf = (table: TableId): string => (table === 'top' ? 'the file' : tables[table].title.replaceAll('`', ''))

/** What a required attribute may begin with; others depend on the project. */
const starters: Partial<Record<TableId, Readonly<Record<string, string>>>> = {
  tabBar: { color: '"#7A7E83"', selectedColor: '"#007AFF"', backgroundColor: '"#FFFFFF"' },
  condition: { current: '0', list: '[]' },
}

function checkRequired(context: Context, table: TableId, node: ObjectNode, { name, section, row }: Attribute): void {
  if (propertyOf(node, name) !== undefined) return
  // "Optional on App and H5" (§2.7).
  const concerned: readonly Platform[] = table === 'tab' && name === 'text' ? ['Mini App'] : context.platforms
  const starter = starters[table]?.[name]
  const fix = starter && { title: `Insert "${name}"`, edits: [insertion(context.config.text, node, name, starter)] }
  context.report(
    {
      code: 'key-required',
      offset: node.offset,
      length: 1,
      message: `"${name}" is missing: ${nameOf(table)} needs it (§${section}). ${row.description.replaceAll('`', '"')}`,
      ...(fix && { fix }),
    },
    concerned,
  )
}
