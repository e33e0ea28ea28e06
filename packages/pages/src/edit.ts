import type { PagesConfig } from './config.ts'
import type { Diagnostic, Edit } from './diagnostic.ts'
import { projectPath, withoutExtension } from './files.ts'
import { isInvalidPath, trimPath } from './model.ts'
import {
  itemsOf,
  type Json,
  type Node,
  type ObjectNode,
  type Property,
  propertyOf,
  type StringNode,
  textOf,
  valueAt,
} from './parse/nodes.ts'

/** Applies edits, in any order. Of overlapping edits only the first one is applied. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let from = 0
  for (const { offset, length, text: inserted } of sortEdits(edits)) {
    parts.push(text.slice(from, offset), inserted)
    from = offset + length
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/**
 * Returns a single edit that turns one text into another. It covers only what differs, so that cursors outside of it
 * stay in place.
 */
export function minimalEdit(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { offset: start, length: before.length - start - end, text: after.slice(start, after.length - end) }
}

/** Sorts edits by offset and drops those that overlap an earlier one. */
function sortEdits(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = []
  let end = -1
  for (const edit of [...edits].sort((a, b) => a.offset - b.offset || a.length - b.length)) {
    const last = kept.at(-1)
    if (
      edit.offset < end ||
      (last && last.offset === edit.offset && last.length === edit.length && last.text === edit.text)
    )
      continue
    kept.push(edit)
    end = Math.max(end, edit.offset + edit.length)
  }
  return kept
}

/** Collects the fixes that can be applied together. Fixes that overlap an earlier one are left for the next run. */
export function fixAll(diagnostics: readonly Diagnostic[]): { readonly edits: Edit[]; readonly fixed: Diagnostic[] } {
  const edits: Edit[] = []
  const fixed: Diagnostic[] = []
  let end = -1
  const spans = diagnostics.flatMap((diagnostic) => {
    const own = diagnostic.fix?.edits ?? []
    const offsets = own.map(({ offset }) => offset)
    const ends = own.map(({ offset, length }) => offset + length)
    return own.length === 0 ? [] : [{ diagnostic, own, from: Math.min(...offsets), to: Math.max(...ends) }]
  })
  for (const { diagnostic, own, from, to } of spans.sort((a, b) => a.from - b.from)) {
    if (from <= end) continue
    end = to
    edits.push(...own)
    fixed.push(diagnostic)
  }
  return { edits: sortEdits(edits), fixed }
}

/** Keys and indexes from the root, as in `['pages', 0, 'style', 'navigationBarTitleText']`. */
export type ValuePath = readonly (string | number)[]

/**
 * Sets a value and preserves comments, order and formatting. Creates missing objects on the path. Returns undefined if
 * the path leads through a plain value or to a list item that does not exist. If the variants of the file differ, the
 * first one that contains most of the path is edited.
 */
export function setValue(config: PagesConfig, path: ValuePath, value: Json): Edit[] | undefined {
  const place = findPlace(config, path)
  if (place === undefined || place.rest.length === 0) {
    if (place === undefined) return undefined
    const { offset, end } = place.node
    return [{ offset, length: end - offset, text: render(config.text, offset, value) }]
  }
  const [key, ...further] = place.rest
  if (typeof key !== 'string' || place.node.kind !== 'object' || further.some((part) => typeof part !== 'string'))
    return undefined
  const inner = further.reduceRight<Json>((made, part) => ({ [String(part)]: made }), value)
  return [insertProperty(config.text, place.node, key, inner)]
}

/**
 * Removes a property or list item with its comma, and with its line if that becomes empty. Undefined if there is none.
 */
export function removeValue(config: PagesConfig, path: ValuePath): Edit[] | undefined {
  const place = findPlace(config, path.slice(0, -1))
  const last = path.at(-1)
  if (place === undefined || place.rest.length > 0 || last === undefined) return undefined
  const { node } = place
  const spans = node.kind === 'object' ? node.properties.map(spanOf) : node.kind === 'list' ? node.items : []
  const index =
    node.kind === 'object'
      ? node.properties.findLastIndex(({ key }) => key.value === last)
      : typeof last === 'number'
        ? last
        : -1
  const span = spans[index]
  return span && removal(config.text, span, spans[index - 1])
}

const spanOf = ({ key, value }: Property): { offset: number; end: number } => ({
  offset: key.offset,
  end: Math.max(key.end, value.end),
})

/** Finds the deepest node on the path in any variant, and the rest of the path. */
function findPlace({ variants }: PagesConfig, path: ValuePath): { node: Node; rest: ValuePath } | undefined {
  let best: { node: Node; rest: ValuePath } | undefined
  for (const { root } of variants) {
    let node = root
    let depth = 0
    while (node !== undefined && depth < path.length) {
      const part = path[depth]!
      const next: Node | undefined =
        typeof part === 'number' ? (node.kind === 'list' ? node.items[part] : undefined) : writtenAt(node, part)
      if (next === undefined) break
      node = next
      depth += 1
    }
    if (node !== undefined && (best === undefined || path.length - depth < best.rest.length))
      best = { node, rest: path.slice(depth) }
  }
  return best
}

/** Returns the value that the file has for a key, even if it is a name that is not defined and counts as missing. */
function writtenAt(node: Node, key: string): Node | undefined {
  const value = propertyOf(node, key)?.value
  return value && value.end > value.offset ? value : undefined
}

function insertProperty(text: string, node: ObjectNode, key: string, value: Json): Edit {
  const written = (at: number) => `${JSON.stringify(key)}: ${render(text, at, value)}`
  const last = node.properties.at(-1)
  if (last === undefined) {
    const indent = indentAt(text, node.offset)
    const inner = `${indent}${unitOf(text)}`
    const line = breakOf(text)
    // The object may contain comments, which stay.
    const empty = /^\s*$/.test(text.slice(node.offset + 1, node.end - 1))
    return empty
      ? {
          offset: node.offset + 1,
          length: Math.max(0, node.end - node.offset - 2),
          text: `${line}${inner}${JSON.stringify(key)}: ${indented(value, inner, text)}${line}${indent}`,
        }
      : { offset: node.offset + 1, length: 0, text: ` ${written(node.offset)} ` }
  }
  const end = spanOf(last).end
  const isAlone = /\n[ \t]*$/.test(text.slice(0, last.key.offset).slice(-200))
  const separator = isAlone ? `,${breakOf(text)}${indentAt(text, last.key.offset)}` : ', '
  return { offset: end, length: 0, text: `${separator}${written(last.key.offset)}` }
}

/** Renders a value, indented like the line of the offset. */
function render(text: string, at: number, value: Json): string {
  return indented(value, indentAt(text, at), text)
}

function indented(value: Json, indent: string, text: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${breakOf(text)}${indent}`)
}

function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))![0]
}

/** Detects the indentation unit of the file. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text.slice(0, 2000))?.[1] ?? '  '
}

const breakOf = (text: string) => (/\r\n/.test(text.slice(0, 2000)) ? '\r\n' : '\n')

function removal(
  text: string,
  { offset, end }: { offset: number; end: number },
  before: { end: number } | undefined,
): Edit[] {
  let from = offset
  let to = end
  const comma = /^(?:\s|\/\/[^\r\n]*[\r\n]|\/\*(?:[^*]|\*(?!\/))*\*\/)*,/.exec(text.slice(end, end + 2000))?.[0]
  if (comma && /\/[/*]/.test(comma)) {
    // The comments before the comma stay.
    return [
      { offset, length: end - offset, text: '' },
      { offset: end + comma.length - 1, length: 1, text: '' },
    ]
  }
  if (comma) to = end + comma.length
  else if (!comma && before) {
    // The last item: remove the comma before it, unless there is a comment in between.
    const between = text.slice(before.end, offset)
    if (/^\s*,\s*$/.test(between)) from = before.end
  }
  const line = /(?<![ \t])[ \t]*$/.exec(text.slice(Math.max(0, from - 200), from))![0]
  const starts = from === offset && /(^|\n|\r)[ \t]*$/.test(text.slice(Math.max(0, from - 200), from))
  const rest = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(to, to + 200))
  if (starts && rest)
    return [{ offset: from - line.length, length: to + rest[0].length - from + line.length, text: '' }]
  const gap = to > end ? /^[ \t]*/.exec(text.slice(to, to + 200))![0].length : 0
  return [{ offset: from, length: to + gap - from, text: '' }]
}

/** A reference to a page. */
export type PageUse = {
  readonly node: StringNode
  readonly kind: 'page' | 'tab' | 'startMode' | 'window' | 'other'
  readonly path: string
}

/**
 * Lists every reference to a page in any variant, in text order: page entries, tabs, start modes, side windows, and the
 * launch page, preload rules and sign-in pages of other tools.
 */
export function pageUses({ variants }: PagesConfig): PageUse[] {
  const uses = new Map<number, PageUse>()
  const add = (
    node: StringNode | undefined,
    kind: PageUse['kind'],
    path = trimPath(node?.value.split('?')[0] ?? ''),
  ) => {
    if (node && !uses.has(node.offset)) uses.set(node.offset, { node, kind, path })
  }
  for (const { root, model } of variants) {
    for (const page of model.pages) add(page.pathNode, 'page', page.path)
    for (const tab of model.tabs) add(textOf(tab, 'pagePath'), 'tab')
    for (const mode of itemsOf(model.condition, 'list')) add(textOf(mode, 'path'), 'startMode')
    for (const { node } of model.windows) {
      const path = textOf(node, 'path')
      add(path, 'window', withoutExtension(trimPath(projectPath(path?.value ?? ''))))
    }
    add(textOf(root, 'entryPagePath'), 'other')
    add(textOf(valueAt(root, 'uniIdRouter'), 'loginPage'), 'other')
    for (const item of itemsOf(valueAt(root, 'uniIdRouter'), 'needLogin'))
      if (item.kind === 'string') add(item, 'other')
    const preload = valueAt(root, 'preloadRule')
    for (const { key } of preload?.kind === 'object' ? preload.properties : []) add(key, 'other')
  }
  return [...uses.values()].sort((a, b) => a.node.offset - b.node.offset)
}

/**
 * Renames a page and every reference to it. Returns an error message if the page does not exist, the new path is taken
 * or invalid, or the new path leaves the subpackage of the page.
 */
export function renamePage(config: PagesConfig, from: string, to: string): Edit[] | { readonly error: string } {
  const [old, next] = [trimPath(from), trimPath(to)]
  const uses = pageUses(config)
  const entries = uses.filter(({ kind, path }) => kind === 'page' && path === old)
  if (entries.length === 0) return { error: `The page "${old}" does not exist.` }
  if (next === '' || isInvalidPath(next) || withoutExtension(next) !== next) {
    return { error: `"${to}" is not a valid page path.` }
  }
  if (next !== old && uses.some(({ kind, path }) => kind === 'page' && path === next))
    return { error: `The page "${next}" already exists.` }
  const roots = new Map(
    config.variants.flatMap(({ model }) => model.pages.map((page) => [page.pathNode.offset, page.root] as const)),
  )
  const edits: Edit[] = []
  for (const { node, kind, path } of uses) {
    if (path !== old) continue
    const root = kind === 'page' ? trimPath(roots.get(node.offset) ?? '') : ''
    if (root !== '' && !next.startsWith(`${root}/`))
      return { error: `"${next}" is outside "${root}", the subpackage of this page.` }
    const lead = (kind === 'window' ? /^(?:~?@\/|(?:\.?\/)+)/ : /^(?:\.?\/)+/).exec(node.value)?.[0] ?? ''
    const query = node.value.includes('?') ? node.value.slice(node.value.indexOf('?')) : ''
    const written = root === '' ? next : next.slice(root.length + 1)
    const extension = kind === 'window' ? node.value.slice(withoutExtension(node.value).length) : ''
    const text = JSON.stringify(lead + written + extension + query)
    edits.push({ offset: node.offset, length: node.end - node.offset, text })
  }
  return edits
}
