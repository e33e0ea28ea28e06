import { type Completion, type CursorContext, complete, locate, type Node } from '@souk/pages'
import { type CompletionItem, CompletionItemKind, MarkupKind } from 'vscode-languageserver/node'
import { findFiles, fonts, images, pageFiles } from './findFiles.ts'
import type { OpenFile } from './openFile.ts'

const kinds = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  page: CompletionItemKind.Reference,
} as const

/** Completes keys, values, page paths and files of the project. */
export function completionsAt(file: OpenFile, offset: number): CompletionItem[] {
  const known = complete(file.config, offset).map((each) => fromEngine(file, each))
  return [...known, ...filesAt(file, offset)]
}

function fromEngine(file: OpenFile, { label, kind, text, detail, markdown, ...span }: Completion): CompletionItem {
  return {
    label,
    kind: kinds[kind],
    detail,
    documentation: { kind: MarkupKind.Markdown, value: markdown },
    ...edit(file, span, text),
    ...(detail === 'default' && { preselect: true }),
  }
}

/** Editors compare `filterText` with the text of the range, including quotes. */
function edit(file: OpenFile, span: { offset: number; length: number }, newText: string) {
  return { filterText: newText, textEdit: { range: file.rangeOf(span), newText } }
}

function filesAt(file: OpenFile, offset: number): CompletionItem[] {
  const place = locate(file.config, offset)
  const property = place?.property
  if (place === undefined || property === undefined || offset <= property.key.end) return []
  const { value } = property
  const isInside = value.kind === 'string' && offset > value.offset && offset <= value.end
  if (!isInside && value.kind !== 'missing') return []
  const span = isInside ? { offset: value.offset, length: value.end - value.offset } : { offset, length: 0 }
  return pathsFor(file, place, property.key.value, offset).map((path) => ({
    label: path,
    kind: CompletionItemKind.File,
    ...edit(file, span, JSON.stringify(path)),
  }))
}

const tabTables = new Set<string | undefined>(['tab', 'midButton'])

function pathsFor(file: OpenFile, { table, variant }: CursorContext, key: string, offset: number): string[] {
  if (table === 'page' && key === 'path') {
    const root = packageRootAt(variant.root, offset)
    return pathsWithoutExtension(file, pageFiles)
      .filter((path) => path.startsWith(root) && !variant.model.byPath.has(path))
      .map((path) => path.slice(root.length))
  }
  if (table === 'subNVue' && key === 'path') return pathsWithoutExtension(file, /\.nvue$/)
  if ((table === 'sideWindow' || table === 'topWindow') && key === 'path') return pathsWithoutExtension(file, pageFiles)
  if (key === 'fontSrc') return findFiles(file, fonts).map((path) => `/${path}`)
  if (['iconPath', 'selectedIconPath', 'backgroundImage', 'titleImage', 'titleIcon'].includes(key)) {
    return findFiles(file, images).map((path) => (tabTables.has(table) ? path : `/${path}`))
  }
  return []
}

/** Lists page files; components are not pages. */
function pathsWithoutExtension(file: OpenFile, name: RegExp): string[] {
  const found = findFiles(file, name).filter((path) => !/(?:^|\/)components\//.test(path) && path.includes('/'))
  return [...new Set(found.map((path) => path.replace(name, '')))]
}

/** Returns the root of the subpackage around an offset, with a trailing slash; empty outside of subpackages. */
function packageRootAt(root: Node | undefined, offset: number): string {
  for (const { key, value } of root?.kind === 'object' ? root.properties : []) {
    if (!/^sub[pP]ackages$/.test(key.value) || value.kind !== 'list') continue
    const item = value.items.find((each) => offset > each.offset && offset < each.end)
    const name = item?.kind === 'object' && item.properties.find((each) => each.key.value === 'root')?.value
    if (name && name.kind === 'string') return `${name.value.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '')}/`
  }
  return ''
}
