import { check } from '../src/check/check.ts'
import { readPages } from '../src/config.ts'
import type { Diagnostic, Edit, Platform } from '../src/diagnostic.ts'
import { applyEdits, fixAll, pageUses } from '../src/edit.ts'
import { complete, hover } from '../src/language.ts'
import { resolve } from '../src/resolve/resolve.ts'
import { pagesTypes } from '../src/routes.ts'

// What has to hold for any text whatever, for the fuzz runs.

/** A source of numbers below a limit, from a seed: the same seed gives the same run (mulberry32). */
export function random(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Bits that files are made of, whole and broken. */
const pieces = [
  ...[
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
  ],
  ...[
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
  ],
  ...[
    '// #ifdef H5\n',
    '// #ifndef APP || MP\n',
    '// #else\n',
    '// #endif\n',
    '// #ifdef (',
    '/* #ifdef !H5 && APP-IOS */',
  ],
  ...[
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
  ],
  ...[
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
  ],
]

/** One to six changes: bytes flipped, stretches removed, doubled, moved or exchanged with another text, pieces put in. */
export function mutate(text: string, other: string, next: (limit: number) => number): string {
  let result = text
  for (let changes = 1 + next(6); changes > 0; changes -= 1) {
    const from = next(result.length + 1)
    const to = Math.min(result.length, from + next(next(4) === 0 ? 200 : 8))
    const before = result.slice(0, from)
    const after = result.slice(to)
    switch (next(7)) {
      case 0:
        result = before + after
        break
      case 1:
        result = before + result.slice(from, to).repeat(2) + after
        break
      case 2:
        result = before + String.fromCharCode(next(4) === 0 ? next(65_536) : next(128)) + after
        break
      case 3: {
        const start = next(other.length + 1)
        result = before + other.slice(start, start + next(120)) + after
        break
      }
      case 4:
        result = after + before
        break
      default:
        result = before + pieces[next(pieces.length)]! + result.slice(from)
    }
  }
  return result.length > 4000 ? result.slice(0, 4000) : result
}

/** A text of pieces alone. */
export function invent(next: (limit: number) => number): string {
  let text = ''
  for (let count = next(60); count > 0; count -= 1) text += pieces[next(pieces.length)]!
  return text
}

const files = { exists: (path: string) => path.length % 2 === 0, size: (path: string) => path.length * 4096 }
const all: readonly Platform[] = ['H5', 'App', 'Mini App']

/** Runs everything on a text and throws where a promise is broken. `thorough` asks everything, else what an editor asks at each key. */
export function examine(text: string, thorough: boolean): void {
  const config = readPages(text)
  const found = check(config, thorough ? { files, targets: { App: '1.0.0', H5: '1.0.0' } } : {})
  for (const diagnostic of found) examineDiagnostic(text, diagnostic)
  if (!thorough) return
  for (const platform of all) JSON.stringify(resolve(config, { platform, files }))
  pagesTypes(config)
  for (const { node } of pageUses(config)) assertInside(text, node.offset, node.end - node.offset, 'a use of a page')
  for (const part of [0, 0.3, 0.5, 0.9]) {
    const offset = Math.floor(text.length * part)
    for (const each of complete(config, offset)) assertInside(text, each.offset, each.length, 'a completion')
    hover(config, offset)
  }
  const repaired = applyEdits(text, fixAll(found).edits)
  if (repaired.length > text.length * 20 + 1000) throw new Error('fixes blow the text up')
  check(readPages(repaired))
}

function examineDiagnostic(text: string, { code, offset, length, message, platforms, fix, related }: Diagnostic): void {
  assertInside(text, offset, length, code)
  if (message.length === 0 || message.length > 1500) throw new Error(`${code}: a message of ${message.length} letters`)
  if (platforms.length === 0) throw new Error(`${code}: concerns nobody`)
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
