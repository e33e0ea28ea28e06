import type { Platform } from '../diagnostic.ts'
import { type Node, type ObjectNode, type Property, propertyOf } from '../parse/nodes.ts'
import { type Attribute, attributesOf, isEssential } from '../rules/attributes.ts'
import { ecosystemNames, ecosystemNote } from '../rules/ecosystem.ts'
import { honoredKeys } from '../rules/honored.ts'
import { pathTo, tableOfMisplacedKey, takes } from '../rules/misplacedKeys.ts'
import type { TableId } from '../rules/rule.ts'
import { shapeOf } from '../rules/shape.ts'
import { tables } from '../rules/tables.ts'
import { at, type Context, insertion } from './context.ts'

/** An object of the file and its table. */
type TableObject = {
  readonly node: ObjectNode
  readonly table: TableId
  readonly parent?: TableObject | undefined
}

/** Reports keys that are not attributes of the object: known to other tools, misplaced, or unknown. */
export function reportUnknownKeys(context: Context, object: TableObject, properties: readonly Property[]): void {
  const suggested = new Set<string>()
  for (const property of properties)
    if (!isCheckedElsewhere(object.table, property)) report(context, object, property, suggested)
}

/** Returns whether another check covers a key: easycom rules outside `custom`, and the page of a middle button. */
function isCheckedElsewhere(table: TableId, { key, value }: Property): boolean {
  if (table === 'easycom' && value.kind === 'string') return true
  if (table === 'midButton' && key.value === 'pagePath') return true
  // The parser inserts an empty key where one is missing.
  return key.value === '' && key.offset === key.end
}

/** Reports an unknown key. `suggested` are the names that other keys of the object were corrected to. */
function report(context: Context, object: TableObject, { key, value }: Property, suggested: Set<string>): void {
  const { node, table } = object
  const name = key.value
  const shown = name.length > 60 ? `${name.slice(0, 57)}…` : name
  const note = honoredKeys(table).get(name)?.note ?? ecosystemNote(table, name)
  if (note !== undefined) {
    const message = `"${shown}" is not part of pages-json, but other tools know it: ${note.replaceAll('`', '"')}`
    context.report({ code: 'key-ecosystem', ...at(key), message })
    return
  }
  const home = tableOfMisplacedKey(table, name, value)
  if (home !== undefined) {
    const { place, section } = placeOf(object, home, name, value)
    const message = `"${shown}" has no effect in ${nameOf(table)}: it belongs in ${place} (pages-json §${section}).`
    context.report({ code: 'key-misplaced', ...at(key), message })
    return
  }
  const attributes = attributesOf(table)
  const suggestion =
    context.suggest(name, attributes) ??
    suggestByWords(name, value, attributes) ??
    context.suggest(name, ecosystemNames(table))
  const isFree = suggestion !== undefined && !suggested.has(suggestion) && propertyOf(node, suggestion) === undefined
  if (suggestion !== undefined) suggested.add(suggestion)
  const advice = suggestion
    ? `did you mean "${suggestion}"?${isFree ? '' : ' The object already has that key: remove one of the two.'}`
    : `it takes ${listOf([...attributes.keys()])}.`
  const fix = isFree && { title: `Write "${suggestion}"`, edits: [{ ...at(key), text: JSON.stringify(suggestion) }] }
  context.report({
    code: 'key-unknown',
    ...at(key),
    message: `Unknown key "${shown}" in ${nameOf(table)} (pages-json §${tables[table].section}): ${advice}`,
    ...(fix && { fix }),
  })
}

/** Returns the place for a misplaced key: an object in the given one, one around it, or a new one in it. */
function placeOf(object: TableObject, home: TableId, key: string, value: Node): { place: string; section: string } {
  const path = pathTo(object.table, home)
  const place = path ? [nameOf(object.table), ...path].join('.') : nameOf(home)
  const inside = { place, section: tables[home].section }
  if (path && propertyOf(object.node, path[0]!)) return inside
  for (let around = object.parent; around; around = around.parent) {
    const attribute = attributesOf(around.table).get(key)
    if (attribute && takes(attribute, value))
      return { place: nameOf(around.table), section: tables[around.table].section }
  }
  return inside
}

/**
 * Suggests the attribute that has all words of a key in their order, as in "navigationBarText". Of several, the one
 * that takes the value.
 */
function suggestByWords(name: string, value: Node, attributes: ReadonlyMap<string, Attribute>): string | undefined {
  const words = wordsOf(name.slice(0, 60))
  if (words.length < 2) return undefined
  const found = [...attributes.values()].filter((attribute) => {
    let next = 0
    for (const word of wordsOf(attribute.name)) if (word === words[next]) next += 1
    return next === words.length
  })
  const accepts = ({ shapes }: Attribute) => {
    const shape = shapeOf(shapes, value)
    if (shape?.is !== 'text' || value.kind !== 'string' || !shape.values) return shape ? 1 : 0
    return shape.values.includes(value.value) ? 2 : 0
  }
  return found.sort((a, b) => accepts(b) - accepts(a))[0]?.name
}

const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])|[-_]/).map((word) => word.toLowerCase())

function listOf(names: readonly string[]): string {
  const first = names.slice(0, 8).map((name) => `"${name}"`)
  return `${first.join(', ')}${names.length > 8 ? ' …' : ''}`
}

/** Returns the name of an object for use within a sentence. */
const nameOf = (table: TableId): string => (table === 'top' ? 'the file' : tables[table].title.replaceAll('`', ''))

/** Initial values of required attributes that do not depend on the project. */
const initialValues: Partial<Record<TableId, Readonly<Record<string, string>>>> = {
  tabBar: { color: '"#7A7E83"', selectedColor: '"#007AFF"', backgroundColor: '"#FFFFFF"' },
  condition: { current: '0', list: '[]' },
}

const requiredByTable = new Map<TableId, readonly Attribute[]>()

/** Reports required attributes that the object does not have. */
export function checkRequired(context: Context, { node, table }: TableObject): void {
  for (const attribute of requiredAttributes(table)) {
    const { name, section, row } = attribute
    if (propertyOf(node, name) !== undefined) continue
    // Optional on App and H5 (pages-json §2.7).
    const affected: readonly Platform[] = table === 'tab' && name === 'text' ? ['Mini App'] : context.platforms
    const value = initialValues[table]?.[name]
    // An object whose opening bracket is missing begins with its first key.
    const isOpened = context.config.text[node.offset] === '{'
    const fix =
      isOpened && value
        ? { title: `Insert "${name}"`, edits: [insertion(context.config.text, node, name, value)] }
        : undefined
    context.report(
      {
        code: 'key-required',
        offset: node.offset,
        length: 1,
        message: `"${name}" is missing: ${nameOf(table)} requires it (pages-json §${section}). ${row.description.replaceAll('`', '"')}`,
        runs: !isEssential(attribute),
        ...(fix && { fix }),
      },
      affected,
    )
  }
}

function requiredAttributes(table: TableId): readonly Attribute[] {
  const cached = requiredByTable.get(table)
  if (cached) return cached
  const required = [...attributesOf(table).values()].filter(({ row }) => row.required)
  requiredByTable.set(table, required)
  return required
}
