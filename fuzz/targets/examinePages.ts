import { check } from '../../packages/pages/src/check/check.ts'
import { sourceFor } from '../../packages/pages/src/conditional/source.ts'
import { type PagesConfig, readPages, variantFor } from '../../packages/pages/src/config.ts'
import type { Diagnostic, Edit, Platform } from '../../packages/pages/src/diagnostic.ts'
import {
  applyEdits,
  pageUses,
  removeValue,
  renamePage,
  setValue,
  type ValuePath,
} from '../../packages/pages/src/edit.ts'
import { explain } from '../../packages/pages/src/explain.ts'
import type { Files } from '../../packages/pages/src/files.ts'
import { fixText } from '../../packages/pages/src/fix.ts'
import { complete, hover, locate, pageAt } from '../../packages/pages/src/language.ts'
import { type Json, toJson, valueAt } from '../../packages/pages/src/parse/nodes.ts'

import { resolve } from '../../packages/pages/src/resolve/resolve.ts'
import { titleFollowers, writtenSubWindows } from '../../packages/pages/src/resolve/written.ts'
import { pagesTypes } from '../../packages/pages/src/routes.ts'

/** Returns a deterministic random number generator (mulberry32). It returns integers below a limit. */
export function random(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Tokens of pages.json files, valid and broken. */
export const tokens = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  "'",
  '\\',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '//',
  '/*',
  '*/',
  '<!--',
  '-->',
  '\ufeff',
  '\u00a0',
  '，',
  '“',
  '：',
  '\\u',
  '\\e600',
  '\\ue600',
  '\u0000',
  '\ud800',
  '😀',
  '-',
  '.',
  '0',
  '9e9',
  'true',
  'null',
  'tru',
  '__proto__',
  'constructor',
  '// #ifdef H5\n',
  '// #ifndef APP || MP\n',
  '// #else\n',
  '// #endif\n',
  '// #ifdef (',
  '/* #ifdef !H5 && APP-IOS */',
  '"pages"',
  '"path"',
  '"style"',
  '"globalStyle"',
  '"tabBar"',
  '"list"',
  '"app-plus"',
  '"h5"',
  '"titleNView"',
  '"subNVues"',
  '"easycom"',
  '"custom"',
  '"pages/a/a"',
  '"#fff"',
  '"10px"',
  '"../x"',
  '"$1"',
  '"^(.*)"',
  '["a"]',
  '{"a": 1}',
  '[]',
  '{}',
  '1',
  '"@x"',
  '"linear-gradient(',
  '"transparent"',
]

const all: readonly Platform[] = ['H5', 'App', 'Mini App']

/** A project with existing, missing and large files and unusual names. Rejects paths that are not relative. */
const files: Files = {
  exists: (path) => checkedPath(path).length % 2 === 0,
  size: (path) => (path.length % 5 === 0 ? undefined : checkedPath(path).length * 4096),
  list: (folder) =>
    checkedPath(folder).length % 3 === 0 ? [] : [`${folder.at(-1)}.vue`, 'index.nvue', 'a\nb.vue', '.vue', 'c'],
}

function checkedPath(path: string): string {
  if (typeof path !== 'string' || path.startsWith('/') || path.startsWith('./')) {
    throw new Error(`${JSON.stringify(path)} is not a relative path`)
  }
  return path
}

/** Paths of attributes, valid and invalid. */
const attributes = [
  'navigationBarTitleText',
  'enablePullDownRefresh',
  'titleImage',
  'usingComponents.a',
  'app-plus',
  'h5',
  'leftWindow',
  'titleNView.type',
  'titleNView.buttons[0].color',
  'titleNView.buttons[0].colour',
  'h5.titleNView.searchInput.align',
  'app-plus.pullToRefresh.support',
  'app-plus.subNVues[1].style.mask',
  'h5.pullToRefresh.color',
  'titleNView.backButton',
  '',
  '.',
  'x',
  'x.y',
  '[0]',
  'titleNView.',
  '__proto__',
  'constructor.name',
  'navigationBarTitleText.length',
]

/** Paths that exist in many files, and paths that do not. */
const valuePaths: readonly ValuePath[] = [
  ['globalStyle', 'navigationBarTitleText'],
  ['globalStyle', 'app-plus', 'titleNView', 'type'],
  ['pages', 0, 'style', 'navigationBarTitleText'],
  ['pages', 0],
  ['pages', 1, 'path'],
  ['tabBar', 'list', 0],
  ['tabBar', 'list', 0, 'text'],
  ['easycom', 'custom', '^a-(.*)'],
  ['condition', 'list'],
  ['a'],
  ['__proto__', 'a'],
  [0],
  [],
]

const values: readonly Json[] = [null, true, 0, -1.5, '', 'a "b"\n', [], {}, { a: [1, { b: 'c' }] }]

/**
 * Uses a text like an editor and throws if an invariant is violated: checks it with project files, queries a position,
 * and then runs one of the other examinations, or all of them if `thorough`.
 */
export function examine(text: string, next: (limit: number) => number, thorough: boolean): void {
  const config = readPages(text)
  const targets = next(4) === 0 ? { App: '1.0.0', H5: '1.0.0' } : {}
  const found = check(config, next(20) === 0 ? {} : { files, targets })
  for (const diagnostic of found) examineDiagnostic(text, diagnostic)
  examinePlace(config, next(text.length + 1))
  const rest = [examineResolved, examineExplained, examineEdits, examineRenamed, examineFixed]
  for (const each of thorough ? rest : [rest[next(rest.length)]!]) each(config, found, next)
}

function examinePlace(config: PagesConfig, offset: number): void {
  const { text } = config
  for (const each of complete(config, offset)) assertInside(text, each.offset, each.length, 'a completion')
  for (const each of [hover(config, offset), pageAt(config, offset)]) {
    if (each) assertInside(text, each.offset, each.length, 'a hover or page')
  }
  const place = locate(config, offset)
  if (place) assertInside(text, place.container.offset, place.container.end - place.container.offset, 'a container')
}

type Part = (config: PagesConfig, found: readonly Diagnostic[], next: (limit: number) => number) => void

const examineResolved: Part = (config, _, next) => {
  const platform = all[next(3)]!
  const resolved = resolve(config, { platform, os: next(2) === 0 ? 'iOS' : 'Android', files })
  for (const page of resolved.pages.slice(0, 5)) {
    titleFollowers(page)
    writtenSubWindows(page)
    for (const { offset = 0 } of Object.values(page.provenance)) assertInside(config.text, offset, 0, 'a provenance')
  }
  JSON.stringify(resolved)
  pagesTypes(config)
  sourceFor(config.text, platform)
}

const examineExplained: Part = (config, _, next) => {
  const platform = all[next(3)]!
  const paths = [...variantFor(config, platform).model.byPath.keys()]
  const path = paths[next(paths.length + 1)] ?? 'pages/none'
  const result = explain(config, path, attributes[next(attributes.length)]!, { platform })
  if ('error' in result ? result.error === '' : result.reason === '') throw new Error('an explanation without a reason')
  for (const { offset = 0 } of 'error' in result ? [] : result.candidates) {
    assertInside(config.text, offset, 0, 'a candidate')
  }
}

const examineEdits: Part = (config, found, next) => {
  const path = valuePaths[next(valuePaths.length)]!
  const value = values[next(values.length)]!
  const set = setValue(config, path, value)
  const removed = removeValue(config, path)
  for (const edits of [set, removed]) {
    for (const { offset, length } of edits ?? []) assertInside(config.text, offset, length, 'an edit')
  }
  // If there are several variants, an edit may only affect one of them.
  if (config.variants.length > 1 || found.some(isSyntaxError)) return
  if (set) assertWritten(applyEdits(config.text, set), path, value)
  if (removed) assertWritten(applyEdits(config.text, removed))
}

/** Checks that the text has no syntax errors and, if a path is given, has the value there. */
function assertWritten(text: string, path?: ValuePath, value?: Json): void {
  const { root, syntax } = readPages(text).variants[0]!
  const fault = syntax.find(({ code }) => code !== 'key-duplicate')
  if (fault) throw new Error(`an edit makes ${fault.code} in ${JSON.stringify(text)}`)
  let node = root
  for (const part of path ?? []) {
    node = typeof part === 'number' ? (node?.kind === 'list' ? node.items[part] : undefined) : valueAt(node, part)
  }
  if (path && (node === undefined || JSON.stringify(toJson(node)) !== JSON.stringify(value))) {
    throw new Error(`${path.join('.')} is not ${JSON.stringify(value)} in ${JSON.stringify(text)}`)
  }
}

const examineRenamed: Part = (config, _, next) => {
  const uses = pageUses(config)
  for (const { node } of uses) assertInside(config.text, node.offset, node.end - node.offset, 'a use of a page')
  const from = uses[next(uses.length + 1)]?.path ?? 'pages/none'
  const edits = renamePage(config, from, ['pages/new/new', 'x', '', '../x', 'a b'][next(5)]!)
  for (const { offset, length } of 'error' in edits ? [] : edits)
    assertInside(config.text, offset, length, 'a renaming')
}

const examineFixed: Part = (config) => {
  const { text, remaining } = fixText(config.text, { files })
  if (text.length > config.text.length * 20 + 1000) throw new Error('fixes make the text grow')
  for (const diagnostic of remaining) examineDiagnostic(text, diagnostic)
}

const isSyntaxError = ({ code }: Diagnostic) => code.startsWith('syntax-') || code === 'icon-escape'

function examineDiagnostic(text: string, { code, offset, length, message, platforms, fix, related }: Diagnostic): void {
  assertInside(text, offset, length, code)
  if (message.length === 0 || message.length > 1500) throw new Error(`${code}: a message of ${message.length} letters`)
  if (platforms.length === 0) throw new Error(`${code}: affects no platform`)
  for (const each of related ?? []) assertInside(text, each.offset, each.length, `${code}: related`)
  const edits: readonly Edit[] = fix?.edits ?? []
  for (const each of edits) assertInside(text, each.offset, each.length, `${code}: fix`)
}

function assertInside(text: string, offset: number, length: number, what: string): void {
  if (
    Number.isInteger(offset) &&
    Number.isInteger(length) &&
    offset >= 0 &&
    length >= 0 &&
    offset + length <= text.length
  )
    return
  throw new Error(`${what}: ${offset}+${length} is outside of ${text.length}`)
}
