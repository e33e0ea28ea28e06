import type { PagesConfig, Variant } from './config.ts'
import { pageUses } from './edit.ts'
import { nameNote, namesFor } from './nameHelp.ts'
import type { ListNode, Node, ObjectNode, Property } from './parse/nodes.ts'
import { parse } from './parse/parse.ts'
import { type Attribute, attributesOf } from './rules/attributes.ts'
import { describeDefault, hoverText } from './rules/describe.ts'
import { ecosystemNote } from './rules/ecosystem.ts'
import { attributeFor } from './rules/honored.ts'
import type { Shape, TableId } from './rules/rule.ts'

// Language features for editors. Offsets count UTF-16 code units.

export type Span = { readonly offset: number; readonly length: number }

/** Returns the documentation of the key at `offset`, in Markdown, and the span of the key. */
export function hover(config: PagesConfig, offset: number): (Span & { readonly markdown: string }) | undefined {
  const place = locate(config, offset)
  if (place?.property === undefined || place.table === undefined) return undefined
  const { key, value } = place.property
  const isOnValue = value.kind === 'missing' || (offset >= value.offset && offset <= value.end)
  if (offset > key.end && !isOnValue) return undefined
  const attribute = attributeFor(place.table, key.value)
  const note = attribute ? hoverText(attribute) : ecosystemNote(place.table, key.value)
  const named = isOnValue && config.names && nameNote(writtenIn(config, value), config.names)
  const markdown = [named, note].filter(Boolean).join('\n\n')
  return markdown === '' ? undefined : { offset: key.offset, length: key.end - key.offset, markdown }
}

/** Returns the string that the file has for a value, which may be a name; empty if it is not a string. */
function writtenIn({ text }: PagesConfig, { offset, end }: Node): string {
  const { root } = parse(text.slice(offset, end))
  return root?.kind === 'string' ? root.value : ''
}

export type Completion = Span & {
  readonly label: string
  readonly kind: 'key' | 'value' | 'page'
  /** Replacement for the span. */
  readonly text: string
  readonly detail: string
  readonly markdown: string
}

/** Completes at `offset`: keys that the object does not have yet, allowed values, page paths. */
export function complete(config: PagesConfig, offset: number): Completion[] {
  const place = locate(config, offset)
  if (place === undefined) return []
  const { container, property, table, attribute, shape } = place
  if (isInComment(config.text, container, offset)) return []
  if (property === undefined || (offset >= property.key.offset && offset <= property.key.end)) {
    return container.kind === 'object' && table !== undefined
      ? keyCompletions(config.text, container, property, table, offset)
      : []
  }
  const value = property.value
  if (attribute === undefined || offset <= property.key.end) return []
  // An object next to the cursor is not a value that is being typed: `false` would replace all of it.
  if (value.kind === 'object' || value.kind === 'list') return []
  // A name that is not defined counts as missing, but has a length.
  const inside = value.end > value.offset && offset >= value.offset && offset <= value.end
  if (!inside && /\S/.test(config.text.slice(property.key.end, offset).replace(':', ''))) return []
  const span = inside ? { offset: value.offset, length: value.end - value.offset } : { offset, length: 0 }
  return valueCompletions(config, place.variant, attribute, shape ?? attribute.shapes[0]!, span)
}

/** Strings and comments. The text between two nodes may contain strings of other variants. */
const textsAndComments = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g

/** Returns whether an offset is in a comment. `around` is the innermost object or list. */
function isInComment(text: string, around: ObjectNode | ListNode, offset: number): boolean {
  const parts = around.kind === 'list' ? around.items : around.properties.flatMap(({ key, value }) => [key, value])
  const before = parts.findLast((part) => part.offset < offset)
  if (before && offset <= before.end) return false
  const from = before?.end ?? around.offset + 1
  const last = text.slice(from, offset).match(textsAndComments)?.at(-1)
  if (last === undefined || !text.endsWith(last, offset)) return false
  const isClosed = last.length >= '/**/'.length && last.endsWith('*/')
  return last.startsWith('//') || (last.startsWith('/*') && !isClosed)
}

function keyCompletions(
  text: string,
  node: ObjectNode,
  property: Property | undefined,
  table: TableId,
  offset: number,
): Completion[] {
  const usedKeys = new Set(node.properties.filter((each) => each !== property).map(({ key }) => key.value))
  const span = property
    ? { offset: property.key.offset, length: property.key.end - property.key.offset }
    : { offset, length: 0 }
  const hasColon = property !== undefined && /^\s*:/.test(text.slice(property.key.end, property.key.end + 50))
  // The next property follows without a comma.
  const comma = /^\s*"/.test(text.slice(span.offset + span.length, span.offset + span.length + 500)) ? ',' : ''
  return [...attributesOf(table).values()]
    .filter(({ name }) => !usedKeys.has(name))
    .map((attribute) => ({
      ...span,
      label: attribute.name,
      kind: 'key' as const,
      text: hasColon
        ? JSON.stringify(attribute.name)
        : `${JSON.stringify(attribute.name)}: ${initialValue(attribute)}${comma}`,
      detail:
        describeDefault(attribute) === ''
          ? attribute.row.type
          : `${attribute.row.type} = ${describeDefault(attribute)}`,
      markdown: hoverText(attribute),
    }))
}

function initialValue({ shapes, default: value }: Attribute): string {
  if (value !== undefined) return JSON.stringify(value)
  const shape = shapes[0]!
  return shape.is === 'list'
    ? '[]'
    : shape.is === 'object' || shape.is === 'map'
      ? '{}'
      : shape.is === 'number'
        ? '0'
        : '""'
}

/** Attributes whose value is a page path. */
const pageAttributes = new Set(['tab.pagePath', 'startMode.path'])

function valueCompletions(
  config: PagesConfig,
  variant: Variant,
  attribute: Attribute,
  shape: Shape,
  span: Span,
): Completion[] {
  const markdown = hoverText(attribute)
  if (pageAttributes.has(`${attribute.table}.${attribute.name}`)) {
    return [...variant.model.byPath.values()].map((page) => ({
      ...span,
      label: page.path,
      kind: 'page' as const,
      text: JSON.stringify(page.path),
      detail: `line ${config.lines.positionAt(page.node.offset).line}`,
      markdown,
    }))
  }
  const shapes = attribute.shapes.includes(shape) ? attribute.shapes : [shape]
  const values = shapes.flatMap((each) => {
    if (each.is === 'boolean') return ['true', 'false']
    if (each.is === 'false' || each.is === 'null') return [each.is]
    return each.is === 'text' ? (each.values ?? []).map((value) => JSON.stringify(value)) : []
  })
  const fallback = attribute.default === undefined ? undefined : JSON.stringify(attribute.default)
  if (fallback !== undefined && !values.includes(fallback)) values.push(fallback)
  const names = config.names ? namesFor(attribute, config.names) : []
  return [
    ...values.map((value) => ({
      label: value.replaceAll('"', ''),
      text: value,
      detail: value === fallback ? 'default' : '',
    })),
    ...names.map(({ written, meaning }) => ({
      label: written,
      text: JSON.stringify(written),
      detail: meaning.replaceAll('`', ''),
    })),
  ].map((each) => ({ ...span, kind: 'value' as const, markdown, ...each }))
}

/** Returns the page that is referenced at `offset`. */
export function pageAt(config: PagesConfig, offset: number): (Span & { readonly path: string }) | undefined {
  const use = pageUses(config).find(({ node }) => offset >= node.offset && offset <= node.end)
  return use && use.kind !== 'window'
    ? { offset: use.node.offset, length: use.node.end - use.node.offset, path: use.path }
    : undefined
}

/**
 * Returns the attribute at `offset`, as `explain` names it, and the page whose style contains it; no page for
 * globalStyle and tabBar. Undefined outside of these.
 */
export function attributeAt(
  config: PagesConfig,
  offset: number,
): { readonly page: string | undefined; readonly attribute: string } | undefined {
  for (const { model } of config.variants) {
    const styles = model.pages.map(({ path, style }) => ({ page: path, node: style, prefix: '' }))
    const others = [
      { page: undefined, node: model.globalStyle, prefix: '' },
      { page: undefined, node: model.tabBar, prefix: 'tabBar.' },
    ]
    for (const { page, node, prefix } of [...styles, ...others]) {
      const attribute = node && attributePathAt(node, offset)
      if (attribute) return { page, attribute: prefix + attribute }
    }
  }
  return undefined
}

/**
 * Returns the path to the innermost property at `offset`, as in `app-plus.titleNView.buttons[0].color`; empty if none.
 */
function attributePathAt(node: Node, offset: number): string {
  if (offset < node.offset || offset > node.end) return ''
  if (node.kind === 'list') {
    const index = node.items.findIndex((each) => offset >= each.offset && offset <= each.end)
    return index < 0 ? '' : joinPath(`[${index}]`, attributePathAt(node.items[index]!, offset))
  }
  const property =
    node.kind === 'object' &&
    node.properties.find(({ key, value }) => offset >= key.offset && offset <= Math.max(key.end, value.end))
  return property ? joinPath(property.key.value, attributePathAt(property.value, offset)) : ''
}

const joinPath = (key: string, rest: string) => key + (rest === '' || rest.startsWith('[') ? '' : '.') + rest

/** The syntax around an offset. */
export type CursorContext = {
  readonly variant: Variant
  readonly container: ObjectNode | ListNode
  /** The property of the container at the offset; undefined between properties and in lists. */
  readonly property: Property | undefined
  /** The table of the container, if it is an object that pages-json defines. */
  readonly table: TableId | undefined
  readonly attribute: Attribute | undefined
  /** The shape of the value, if its type is valid. */
  readonly shape: Shape | undefined
}

/** Finds the innermost object or list around an offset, in the variant where it is smallest. */
export function locate(config: PagesConfig, offset: number): CursorContext | undefined {
  let best: CursorContext | undefined
  let bestSize = Number.POSITIVE_INFINITY
  for (const variant of config.variants) {
    const place = variant.root && descend(variant, variant.root, { is: 'object', of: 'top' }, offset)
    const size = place ? place.container.end - place.container.offset : Number.POSITIVE_INFINITY
    if (size < bestSize) [best, bestSize] = [place, size]
  }
  return best
}

function descend(variant: Variant, node: Node, shape: Shape | undefined, offset: number): CursorContext | undefined {
  if ((node.kind !== 'object' && node.kind !== 'list') || !contains(variant, node, offset)) return undefined
  if (node.kind === 'list') {
    const inner = shape?.is === 'list' ? shape.of : shape?.is === 'object' ? shape : undefined
    const item = node.items.findLast((each) => each.offset < offset)
    return (
      (item && descend(variant, item, inner, offset)) ?? {
        variant,
        container: node,
        property: undefined,
        table: undefined,
        attribute: undefined,
        shape: inner,
      }
    )
  }
  const table = shape?.is === 'object' ? shape.of : undefined
  // The last property that begins before the offset. After its value another one may begin.
  const property = node.properties.findLast(({ key }) => key.offset <= offset)
  const ended = property !== undefined && hasEnded(variant, property.value, offset)
  const current = ended ? undefined : property
  const attribute = table && current ? attributeFor(table, current.key.value) : undefined
  const value = current?.value
  const valueShape = attribute?.shapes.find(
    (each) => value !== undefined && value.kind === (each.is === 'text' ? 'string' : each.is),
  )
  const inner = value && descend(variant, value, valueShape, offset)
  return inner ?? { variant, container: node, property: current, table, attribute, shape: valueShape }
}

/** Returns whether an offset is between the brackets. Those that are not closed yet end with the brackets around. */
function contains({ text }: Variant, node: ObjectNode | ListNode, offset: number): boolean {
  if (offset <= node.offset) return false
  if (offset < node.end) return true
  const last = node.kind === 'list' ? node.items.at(-1) : node.properties.at(-1)?.value
  const content = Math.max(node.offset + 1, last?.end ?? 0)
  return node.end <= content || !/[\]}]/.test(text[node.end - 1]!)
}

function hasEnded(variant: Variant, value: Node, offset: number): boolean {
  if (value.kind === 'missing') return false
  return offset > value.end && !((value.kind === 'object' || value.kind === 'list') && contains(variant, value, offset))
}
