import type { Node } from '@souk/pages'
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

type Property = Extract<Node, { kind: 'object' }>['properties'][number]

/** Attributes are not nested as deeply. */
const maxDepth = 16

/**
 * Returns the outline: keys with their values, and list items named by an identifying key. Includes all variants of the
 * file.
 */
export function symbolsOf(file: OpenFile): DocumentSymbol[] {
  return symbolsIn(
    file,
    file.config.variants.flatMap(({ root }) => root ?? []),
    0,
  )
}

/** `nodes` are the same node in several variants. */
function symbolsIn(file: OpenFile, nodes: readonly Node[], depth: number): DocumentSymbol[] {
  if (depth > maxDepth) return []
  const properties = byOffset(
    nodes.flatMap((node) => (node.kind === 'object' ? node.properties : [])),
    ({ key }) => key.offset,
  )
  const items = byOffset(
    nodes.flatMap((node) => (node.kind === 'list' ? node.items : [])),
    ({ offset }) => offset,
  )
  return [
    ...properties.map((same) => propertySymbol(file, same, depth)),
    ...items.flatMap((same, index) => itemSymbol(file, same, index, depth)),
  ]
}

function propertySymbol(file: OpenFile, same: readonly Property[], depth: number): DocumentSymbol {
  const { key, value } = same[0]!
  const end = Math.max(key.end, ...same.map((each) => each.value.end))
  return {
    name: key.value.trim() || '""',
    detail: detailOf(value),
    kind: kindOf(value),
    range: file.rangeOf({ offset: key.offset, length: end - key.offset }),
    selectionRange: file.rangeOf({ offset: key.offset, length: key.end - key.offset }),
    children: symbolsIn(
      file,
      same.map((each) => each.value),
      depth + 1,
    ),
  }
}

const names = ['path', 'pagePath', 'root', 'id', 'name', 'text', 'type']

function itemSymbol(file: OpenFile, same: readonly Node[], index: number, depth: number): DocumentSymbol[] {
  const [node] = same
  if (node?.kind !== 'object' && node?.kind !== 'list') return []
  const end = Math.max(...same.map((each) => each.end))
  const range = file.rangeOf({ offset: node.offset, length: end - node.offset })
  const children = symbolsIn(file, same, depth + 1)
  return [{ name: nameOf(node) ?? `[${index}]`, kind: kindOf(node), range, selectionRange: range, children }]
}

function nameOf(node: Node): string | undefined {
  for (const name of names) {
    const value = node.kind === 'object' && node.properties.find(({ key }) => key.value === name)?.value
    if (value && value.kind === 'string' && value.value.trim() !== '') return value.value
  }
  return undefined
}

function detailOf(value: Node): string {
  return 'value' in value ? String(value.value).slice(0, 80) : ''
}

function kindOf({ kind }: Node): SymbolKind {
  if (kind === 'object') return SymbolKind.Object
  if (kind === 'list') return SymbolKind.Array
  if (kind === 'number') return SymbolKind.Number
  return kind === 'boolean' ? SymbolKind.Boolean : SymbolKind.String
}

function byOffset<T>(all: readonly T[], offsetOf: (each: T) => number): T[][] {
  const groups = new Map<number, T[]>()
  for (const each of all) {
    const group = groups.get(offsetOf(each))
    if (group) group.push(each)
    else groups.set(offsetOf(each), [each])
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
}
