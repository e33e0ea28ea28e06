import { posix } from 'node:path'
import { attributeAt, locate, pageAt, pageFile, pageUses, projectPath } from '@souk/pages'
import type { Location } from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

/** Returns the file that is referenced at an offset: a page, image, font, window or component. */
export function definitionAt(file: OpenFile, offset: number): Location | undefined {
  const page = pageAt(file.config, offset)
  const path = page?.path ?? pathAt(file, offset)
  if (path === undefined) return undefined
  const target = file.files && (file.files.exists(path) ? path : pageFile(file.files, path))
  const uri = target && file.uriOf(target)
  if (uri) return { uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } }
  // If the page has no file, go to its entry.
  const entry = page && pageUses(file.config).find((use) => use.kind === 'page' && use.path === page.path)
  return entry && locationOf(file, entry.node)
}

/** Lists the references to the page at an offset. */
export function referencesAt(file: OpenFile, offset: number, includeDeclaration: boolean): Location[] {
  const page = pageAt(file.config, offset)
  if (page === undefined) return []
  return pageUses(file.config)
    .filter(({ path, kind }) => path === page.path && kind !== 'window' && (includeDeclaration || kind !== 'page'))
    .map(({ node }) => locationOf(file, node))
}

function locationOf(file: OpenFile, { offset, end }: { offset: number; end: number }): Location {
  return { uri: file.document.uri, range: file.rangeOf({ offset, length: end - offset }) }
}

function pathAt({ config }: OpenFile, offset: number): string | undefined {
  const value = locate(config, offset)?.property?.value
  if (value?.kind !== 'string' || offset < value.offset || offset > value.end) return undefined
  const around = attributeAt(config, offset)
  // The component of a page may be relative to the page.
  if (around?.attribute.startsWith('usingComponents.') && /^\.{1,2}\//.test(value.value))
    return posix.join(posix.dirname(around.page ?? ''), value.value)
  return projectPath(value.value) || undefined
}
