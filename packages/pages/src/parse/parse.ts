import type { Edit, Finding, Fix } from '../diagnostic.ts'
import type { ListNode, Node, ObjectNode, StringNode } from './nodes.ts'
import type { ObjectCache } from './objectCache.ts'

/** What a text says. `findings` are its faults of form; there is a tree whatever they are, unless the text is empty. */
export type Parsed = { readonly root: Node | undefined; readonly findings: readonly Finding[] }

/** Deeper nesting is reported and skipped, so that whatever walks a tree may recurse. pages.json needs 10 levels. */
export const maxDepth = 100

/** A text with a colon behind it, near enough to be looked for at every key. */
const nextKey = /"(?:[^"\\\r\n]|\\.){0,100}"\s{0,20}:/y

/** What may come next inside the innermost open bracket. */
type Expectation = 'value' | 'key' | 'colon' | 'after'

const isDigit = (code: number) => code >= 48 && code <= 57
const isWord = (code: number) =>
  isDigit(code) ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 36 ||
  (code > 0x7f && !isOddSpace(code) && !fullWidth.has(code))
/** What may stand inside an unquoted word after its first letter; pages paths are among them. */
const isWordPart = (code: number) => isWord(code) || code === 45 || code === 46 || code === 47 || code === 64
const isOddSpace = (code: number) =>
  code === 0xa0 ||
  code === 0x3000 ||
  code === 0xfeff ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 11 ||
  code === 12

/** Punctuation of Chinese input methods, which is easily taken for the ASCII one. */
const fullWidth = new Map([
  [0xff0c, ','],
  [0xff1a, ':'],
  [0x201c, '"'],
  [0x201d, '"'],
])

/**
 * Reads JSON with comments and trailing commas (ADR 100). Never throws and never stops at a fault: takes what was probably meant
 * and goes on. Linear in the length of the text, without recursion. A byte order mark is skipped. Texts that differ in places only, as
 * what several builds see of a file, are read with the same `shared`: objects that are the same in them are read once.
 */
export function parse(text: string, shared?: ObjectCache): Parsed {
  return new Parser(text, shared).run()
}

class Parser {
  readonly #text: string
  readonly #shared: ObjectCache | undefined
  readonly #findings: Finding[] = []
  /** The open brackets, outermost first. */
  readonly #open: (ObjectNode | ListNode)[] = []
  /** How many faults there were when each of them was opened. */
  readonly #faultsBefore: number[] = []
  /** Every key once: they are few, and comparing them is quick where they are the same text. */
  readonly #keys = new Map<string, string>()
  #pos: number
  #root: Node | undefined
  #expect: Expectation = 'value'
  /** The end of the last thing read: where something that is missing belongs. */
  #lastEnd: number
  #pendingKey: StringNode | undefined

  constructor(text: string, shared: ObjectCache | undefined) {
    this.#text = text
    this.#shared = shared
    this.#pos = text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.#lastEnd = this.#pos
  }

  run(): Parsed {
    const text = this.#text
    for (;;) {
      this.#skipSpace()
      if (this.#pos >= text.length) break
      if (this.#open.length === 0 && this.#root !== undefined) {
        this.#reportRest()
        break
      }
      this.#step(text.charCodeAt(this.#pos))
    }
    this.#closeAll()
    if (this.#root === undefined) {
      this.#report('syntax-empty', 0, 0, 'The file is empty: write an object with "pages" in it.')
    }
    return { root: this.#root, findings: this.#findings }
  }

  #step(code: number): void {
    const odd = code > 0x7f ? fullWidth.get(code) : undefined
    if (odd === ',' || odd === ':') {
      this.#report(
        'syntax-character',
        this.#pos,
        1,
        `A full-width "${this.#text[this.#pos]}" stands here: write "${odd}".`,
        {
          title: `Write "${odd}"`,
          edits: [{ offset: this.#pos, length: 1, text: odd }],
        },
      )
      code = odd.charCodeAt(0)
    }
    if (code === 125 || code === 93) this.#close(code)
    else if (code === 44) this.#readComma()
    else if (code === 58) this.#readColon()
    else if (this.#expect === 'key') this.#readKey(code, odd === '"')
    else if (this.#expect === 'colon') this.#missColon()
    else if (this.#expect === 'after') this.#missComma(code)
    else this.#readValue(code, odd === '"')
  }

  get #top(): ObjectNode | ListNode | undefined {
    return this.#open[this.#open.length - 1]
  }

  #report(
    code: Finding['code'],
    offset: number,
    length: number,
    message: string,
    fix?: Fix,
    related?: Finding['related'],
  ): void {
    this.#findings.push({ code, offset, length, message, ...(fix && { fix }), ...(related && { related }) })
  }

  // --- spaces and comments -------------------------------------------------------------------------------------------

  #skipSpace(): void {
    const text = this.#text
    for (;;) {
      const code = text.charCodeAt(this.#pos)
      if (code === 32 || code === 9 || code === 10 || code === 13) {
        this.#pos += 1
      } else if (code === 47) {
        const next = text.charCodeAt(this.#pos + 1)
        if (next === 47) this.#pos = lineEnd(text, this.#pos)
        else if (next === 42) this.#skipBlockComment()
        else return
      } else if (code === 60 && text.startsWith('<!--', this.#pos)) {
        this.#skipMarkupComment()
      } else if (isOddSpace(code)) {
        this.#skipOddSpace()
      } else {
        return
      }
    }
  }

  #skipBlockComment(): void {
    const end = this.#text.indexOf('*/', this.#pos + 2)
    if (end >= 0) {
      this.#pos = end + 2
      return
    }
    this.#report(
      'syntax-comment-open',
      this.#pos,
      2,
      'This comment is not closed: everything after it is left out. Close it with "*/".',
    )
    this.#pos = this.#text.length
  }

  #skipMarkupComment(): void {
    const start = this.#pos
    const found = this.#text.indexOf('-->', start + 4)
    const end = found < 0 ? lineEnd(this.#text, start) : found + 3
    this.#report('syntax-comment-form', start, 4, 'JSON has no <!-- --> comments: write // or /* */.')
    this.#pos = end
  }

  #skipOddSpace(): void {
    const start = this.#pos
    while (isOddSpace(this.#text.charCodeAt(this.#pos))) this.#pos += 1
    const length = this.#pos - start
    this.#report('syntax-character', start, length, 'This space is not one of JSON: put a plain space here.', {
      title: 'Put plain spaces here',
      edits: [{ offset: start, length, text: ' '.repeat(length) }],
    })
  }

  // --- punctuation ---------------------------------------------------------------------------------------------------

  #readComma(): void {
    const at = this.#pos
    this.#pos += 1
    if (this.#expect === 'after') {
      this.#lastEnd = this.#pos
      this.#expect = this.#top?.kind === 'object' ? 'key' : 'value'
      return
    }
    if (this.#expect === 'colon' || this.#pendingKey) {
      this.#missValue()
      this.#pos = at
      return
    }
    this.#report('syntax-comma-extra', at, 1, 'There is a comma too many here: remove it.', {
      title: 'Remove the comma',
      edits: [{ offset: at, length: 1, text: '' }],
    })
    this.#skipRun(44)
  }

  #readColon(): void {
    const at = this.#pos
    this.#pos += 1
    if (this.#expect === 'colon') {
      this.#expect = 'value'
      this.#lastEnd = this.#pos
      return
    }
    this.#report('syntax-colon-extra', at, 1, 'There is a colon too many here: remove it.', {
      title: 'Remove the colon',
      edits: [{ offset: at, length: 1, text: '' }],
    })
    this.#skipRun(58)
  }

  /** One report serves for a whole run of the same sign. */
  #skipRun(code: number): void {
    while (this.#text.charCodeAt(this.#pos) === code) this.#pos += 1
  }

  #missColon(): void {
    const key = this.#pendingKey!
    const swallowed = /^([\w-]+)\s*:\s*$/.exec(key.value)?.[1]
    if (swallowed !== undefined && this.#text.charCodeAt(key.end) !== 58) {
      // `"path: "pages/…"`: what looks like the key's end is the beginning of the value.
      const end = key.offset + 1 + swallowed.length
      this.#report(
        'syntax-string-open',
        key.offset,
        end - key.offset,
        `The key ${swallowed} is not closed: a double quote is missing at its end.`,
        {
          title: 'Insert the quote',
          edits: [{ offset: end, length: 0, text: '"' }],
        },
      )
      this.#pendingKey = { kind: 'string', offset: key.offset, end, value: swallowed }
      this.#pos = key.end - 1
      this.#expect = 'value'
      return
    }
    nextKey.lastIndex = this.#pos
    if (nextKey.test(this.#text)) {
      // A key that is being typed before another one, which it would otherwise take for its value.
      this.#missValue()
      return
    }
    this.#report('syntax-colon-missing', key.end, 0, `A colon is missing after the key "${shorten(key.value)}".`, {
      title: 'Insert the colon',
      edits: [{ offset: key.end, length: 0, text: ':' }],
    })
    this.#expect = 'value'
  }

  #missValue(): void {
    const key = this.#pendingKey!
    this.#report(
      'syntax-value-missing',
      key.offset,
      key.end - key.offset,
      `"${shorten(key.value)}" has no value: write one behind it, or remove the key.`,
    )
    this.#attach({ kind: 'missing', offset: this.#lastEnd, end: this.#lastEnd })
  }

  /** `{ …, {` inside a list: the first object was not closed, rather than the second one being misplaced. */
  #isBetweenItems(): boolean {
    const top = this.#top
    return top?.kind === 'object' && top.properties.length > 0 && this.#open[this.#open.length - 2]?.kind === 'list'
  }

  #closeBeforeItem(): void {
    const top = this.#top as ObjectNode
    const at = top.properties.at(-1)!.value.end
    this.#report(
      'syntax-bracket-open',
      at,
      0,
      'A "}" is missing here: the object before the comma is not closed.',
      { title: 'Insert "}"', edits: [{ offset: at, length: 0, text: '}' }] },
      [{ offset: top.offset, length: 1, message: 'This is the bracket that is not closed.' }],
    )
    this.#pop(at)
    this.#expect = 'value'
  }

  #missComma(code: number): void {
    const top = this.#top!
    const at = this.#lastEnd
    const parent = this.#open[this.#open.length - 2]
    if (top.kind === 'object' && parent?.kind === 'list' && code === 123) {
      // `{ … {` inside a list: the first object was not closed, rather than the second one being misplaced.
      this.#report(
        'syntax-bracket-open',
        at,
        0,
        'A "}," is missing here: the object before it is not closed.',
        {
          title: 'Insert "},"',
          edits: [{ offset: at, length: 0, text: '},' }],
        },
        [{ offset: top.offset, length: 1, message: 'This is the bracket that is not closed.' }],
      )
      this.#pop(at)
      this.#expect = 'value'
      return
    }
    this.#report(
      'syntax-comma-missing',
      at,
      0,
      `A comma is missing here, between two ${top.kind === 'object' ? 'keys' : 'items'}.`,
      {
        title: 'Insert the comma',
        edits: [{ offset: at, length: 0, text: ',' }],
      },
    )
    this.#expect = top.kind === 'object' ? 'key' : 'value'
  }

  // --- brackets ------------------------------------------------------------------------------------------------------

  #close(code: number): void {
    const at = this.#pos
    const sign = code === 125 ? '}' : ']'
    const wanted = code === 125 ? 'object' : 'list'
    if (!this.#open.some((node) => node.kind === wanted)) {
      this.#report('syntax-bracket-extra', at, 1, `This "${sign}" closes nothing: remove it.`, {
        title: `Remove "${sign}"`,
        edits: [{ offset: at, length: 1, text: '' }],
      })
      this.#pos += 1
      this.#skipRun(code)
      return
    }
    if (this.#top!.kind !== wanted && this.#isBetweenObjects(code)) {
      this.#reportExtra(sign, at)
      return
    }
    while (this.#top!.kind !== wanted) this.#missClosing(sign)
    if (this.#pendingKey) this.#missValue()
    this.#pos = at + 1
    this.#pop(this.#pos)
  }

  /** `{ … }, }, {` inside a list: the second bracket is one too many, rather than the list not being closed. */
  #isBetweenObjects(code: number): boolean {
    const top = this.#top!
    if (code !== 125 || top.kind !== 'list' || top.items.length === 0 || this.#expect !== 'value') return false
    return /^\}\s*,\s*\{/.test(this.#text.slice(this.#pos, this.#pos + 200))
  }

  #reportExtra(sign: string, at: number): void {
    const end = this.#text.indexOf(',', at) + 1
    this.#report('syntax-bracket-extra', at, 1, `This "${sign}" closes nothing: remove it with its comma.`, {
      title: `Remove "${sign},"`,
      edits: [{ offset: at, length: end - at, text: '' }],
    })
    this.#pos = end
  }

  #missClosing(before: string): void {
    const top = this.#top!
    const sign = top.kind === 'object' ? '}' : ']'
    if (this.#pendingKey) this.#missValue()
    const at = this.#lastEnd
    const place = before === '' ? 'at the end' : `before this "${before}"`
    this.#report(
      'syntax-bracket-open',
      at,
      0,
      `A "${sign}" is missing here, ${place}.`,
      {
        title: `Insert "${sign}"`,
        edits: [{ offset: at, length: 0, text: sign }],
      },
      [{ offset: top.offset, length: 1, message: 'This is the bracket that is not closed.' }],
    )
    this.#pop(at)
  }

  #closeAll(): void {
    while (this.#open.length > 0) this.#missClosing('')
  }

  #pop(end: number): void {
    const node = this.#open.pop()!
    node.end = end
    if (node.kind === 'object') this.#findDuplicates(node)
    const isFaultless = this.#faultsBefore.pop() === this.#findings.length
    if (node.kind === 'object' && isFaultless) this.#shared?.add(node, this.#text, this.#open.length)
    this.#lastEnd = end
    this.#pendingKey = undefined
    this.#expect = 'after'
  }

  #push(node: ObjectNode | ListNode): void {
    this.#attach(node)
    this.#open.push(node)
    this.#faultsBefore.push(this.#findings.length)
    this.#expect = node.kind === 'object' ? 'key' : 'value'
  }

  // --- keys and values -----------------------------------------------------------------------------------------------

  #readKey(code: number, odd: boolean): void {
    if (code === 34 || code === 39 || odd) {
      this.#pendingKey = this.#readString(code, true)
    } else if (isWord(code)) {
      const start = this.#pos
      this.#pos = wordEnd(this.#text, start)
      const value = this.#text.slice(start, this.#pos)
      this.#reportQuotes(value, start, 'key')
      this.#pendingKey = { kind: 'string', offset: start, end: this.#pos, value }
    } else if (code === 123 && this.#isBetweenItems()) {
      this.#closeBeforeItem()
      return
    } else if (code === 123 || code === 91) {
      this.#report(
        'syntax-key-missing',
        this.#pos,
        1,
        'A key is missing before this value: an object holds "key": value pairs.',
      )
      this.#pendingKey = { kind: 'string', offset: this.#pos, end: this.#pos, value: '' }
      this.#expect = 'value'
      return
    } else {
      this.#skipUnknown()
      return
    }
    this.#lastEnd = this.#pos
    this.#expect = 'colon'
  }

  #readValue(code: number, odd: boolean): void {
    const start = this.#pos
    if (code === 123) {
      const known = this.#shared?.find(start, this.#text, this.#open.length)
      if (known) this.#skipTo(known)
      else this.#openBracket({ kind: 'object', offset: start, end: start + 1, properties: [] })
    } else if (code === 91) {
      this.#openBracket({ kind: 'list', offset: start, end: start + 1, items: [] })
    } else if (code === 34 || code === 39 || odd) {
      this.#attachLeaf(this.#readString(code, false))
    } else if (isDigit(code) || code === 45 || code === 43 || code === 46) {
      this.#attachLeaf(this.#readNumber())
    } else if (isWord(code)) {
      this.#attachLeaf(this.#readWord())
    } else {
      this.#skipUnknown()
    }
  }

  #openBracket(node: ObjectNode | ListNode): void {
    this.#pos += 1
    this.#lastEnd = this.#pos
    if (this.#open.length < maxDepth) {
      this.#push(node)
      return
    }
    this.#report(
      'syntax-depth',
      node.offset,
      1,
      `More than ${maxDepth} levels of brackets: what is in here is not read.`,
    )
    this.#pos = bracketEnd(this.#text, node.offset)
    node.end = this.#pos
    this.#attachLeaf({ kind: 'null', offset: node.offset, end: this.#pos, value: null })
  }

  /** Takes over what another variant has here. */
  #skipTo(known: ObjectNode): void {
    this.#pos = known.end
    this.#attachLeaf(known)
  }

  #attachLeaf(node: Node): void {
    this.#attach(node)
    this.#lastEnd = node.end
  }

  #attach(node: Node): void {
    const top = this.#top
    if (top === undefined) this.#root ??= node
    else if (top.kind === 'list') top.items.push(node)
    else top.properties.push({ key: this.#pendingKey!, value: node })
    this.#pendingKey = undefined
    this.#expect = 'after'
  }

  #readNumber(): Node {
    const text = this.#text
    const start = this.#pos
    let end = start + 1
    while ((isWordPart(text.charCodeAt(end)) || text.charCodeAt(end) === 43) && !isComment(text, end)) end += 1
    this.#pos = end
    const raw = text.slice(start, end)
    const value = Number(raw)
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw) && Number.isFinite(value)) {
      return { kind: 'number', offset: start, end, value }
    }
    const plain = raw !== '' && Number.isFinite(value) ? String(value) : undefined
    const written = plain ?? JSON.stringify(raw)
    this.#report(
      'syntax-number',
      start,
      raw.length,
      `${shorten(raw)} is no number of JSON: write ${shorten(written)}.`,
      {
        title: `Write ${shorten(written)}`,
        edits: [{ offset: start, length: raw.length, text: written }],
      },
    )
    return plain === undefined
      ? { kind: 'string', offset: start, end, value: raw }
      : { kind: 'number', offset: start, end, value }
  }

  #readWord(): Node {
    const start = this.#pos
    const end = wordEnd(this.#text, start)
    this.#pos = end
    const raw = this.#text.slice(start, end)
    if (raw === 'true' || raw === 'false') return { kind: 'boolean', offset: start, end, value: raw === 'true' }
    if (raw === 'null') return { kind: 'null', offset: start, end, value: null }
    if (this.#text.charCodeAt(end) === 34) {
      this.#reportQuotes(raw, start, 'text')
      return { kind: 'string', offset: start, end: this.#pos, value: raw }
    }
    const meant = /^(true|false|null)$/i.test(raw)
      ? raw.toLowerCase()
      : /^(undefined|None|nil|NaN|Infinity)$/.test(raw)
        ? 'null'
        : undefined
    const written = meant ?? JSON.stringify(raw)
    this.#report(
      'syntax-quotes',
      start,
      raw.length,
      meant ? `${raw} is written ${meant}.` : `The text ${shorten(raw)} needs double quotes.`,
      {
        title: `Write ${shorten(written)}`,
        edits: [{ offset: start, length: raw.length, text: written }],
      },
    )
    if (meant === 'null') return { kind: 'null', offset: start, end, value: null }
    if (meant) return { kind: 'boolean', offset: start, end, value: meant === 'true' }
    return { kind: 'string', offset: start, end, value: raw }
  }

  /** A word without quotes, or only without the opening one, which leaves the closing one behind it. */
  #reportQuotes(word: string, start: number, what: string): void {
    const closed = this.#text.charCodeAt(this.#pos) === 34
    if (closed) this.#pos += 1
    const edits = [{ offset: start, length: closed ? 0 : word.length, text: closed ? '"' : JSON.stringify(word) }]
    this.#report('syntax-quotes', start, word.length, `The ${what} ${shorten(word)} needs double quotes.`, {
      title: `Put the ${what} in quotes`,
      edits,
    })
  }

  #skipUnknown(): void {
    const text = this.#text
    const start = this.#pos
    let end = start + 1
    while (end < text.length && !isStart(text.charCodeAt(end))) end += 1
    this.#pos = end
    const raw = text.slice(start, end)
    this.#report(
      'syntax-character',
      start,
      end - start,
      `${JSON.stringify(shorten(raw))} has no meaning here: remove it.`,
      {
        title: 'Remove it',
        edits: [{ offset: start, length: end - start, text: '' }],
      },
    )
  }

  #reportRest(): void {
    const start = this.#pos
    const rest = this.#text.slice(start).trimEnd()
    const brackets = /^[\]}\s,]*$/.test(rest)
    this.#report(
      'syntax-after-end',
      start,
      rest.length,
      brackets
        ? `The file ended before this: ${shorten(rest)} closes nothing. Remove it, or find the bracket that closes too early.`
        : 'The file ended before this: only one value may stand in it. A bracket above may close too early.',
      brackets ? { title: 'Remove it', edits: [{ offset: start, length: rest.length, text: '' }] } : undefined,
    )
    this.#pos = this.#text.length
  }

  // --- strings -------------------------------------------------------------------------------------------------------

  /** `code` is the opening quote: double, single or a typographic one. */
  #readString(code: number, isKey: boolean): StringNode {
    const text = this.#text
    const start = this.#pos
    const curly = code === 0x201c || code === 0x201d
    let pos = start + 1
    let plain = true
    for (;;) {
      const next = text.charCodeAt(pos)
      if (next === code || (curly && (next === 0x201c || next === 0x201d))) break
      if (next === 92) {
        plain = false
        const escaped = text.charCodeAt(pos + 1)
        // A backslash at the end of a line does not hide the line's end.
        pos += escaped === 10 || escaped === 13 || pos + 1 >= text.length ? 1 : 2
      } else if (next < 32 || pos >= text.length) {
        if (next === 10 || next === 13 || pos >= text.length)
          return this.#readOpenString(start, Math.min(pos, text.length), isKey)
        this.#reportControl(pos, next)
        pos += 1
      } else {
        pos += 1
      }
    }
    const end = pos + 1
    this.#pos = end
    const value = plain ? this.#slice(start + 1, pos, isKey) : this.#unescape(start + 1, pos)
    if (code !== 34) {
      this.#report('syntax-quotes', start, end - start, 'Text stands in double quotes in JSON.', {
        title: 'Write double quotes',
        edits: [{ offset: start, length: end - start, text: JSON.stringify(value) }],
      })
    }
    return { kind: 'string', offset: start, end, value }
  }

  #slice(start: number, end: number, isKey: boolean): string {
    const slice = this.#text.slice(start, end)
    if (!isKey) return slice
    const known = this.#keys.get(slice)
    if (known !== undefined) return known
    this.#keys.set(slice, slice)
    return slice
  }

  /** A text that the line's end cuts off: what looks like the comma, colon or bracket behind it is left outside. */
  #readOpenString(start: number, lineBreak: number, isKey: boolean): StringNode {
    const text = this.#text
    let end = lineBreak
    const skip = (test: (code: number) => boolean) => {
      while (end > start + 1 && test(text.charCodeAt(end - 1))) end -= 1
    }
    const isSpace = (code: number) => code === 32 || code === 9
    skip(isSpace)
    if (isKey) {
      const colon = text.indexOf(':', start)
      if (colon > start && colon < lineBreak) end = colon
    } else {
      skip((code) => code === 44 || code === 125 || code === 93 || isSpace(code))
    }
    this.#pos = end
    const value = this.#unescape(start + 1, end)
    this.#report(
      'syntax-string-open',
      start,
      end - start,
      'This text is not closed: a double quote is missing at its end.',
      {
        title: 'Insert the quote',
        edits: [{ offset: end, length: 0, text: '"' }],
      },
    )
    return { kind: 'string', offset: start, end, value }
  }

  #reportControl(at: number, code: number): void {
    const written = code === 9 ? '\\t' : `\\u${code.toString(16).padStart(4, '0')}`
    this.#report('syntax-control-character', at, 1, `A control character stands inside a text: write ${written}.`, {
      title: `Write ${written}`,
      edits: [{ offset: at, length: 1, text: written }],
    })
  }

  #unescape(start: number, end: number): string {
    const text = this.#text
    let value = ''
    let from = start
    let pos = text.indexOf('\\', start)
    while (pos >= 0 && pos < end) {
      value += text.slice(from, pos)
      const sign = pos + 1 < end ? text[pos + 1]! : ''
      const simple = simpleEscapes[sign]
      if (simple !== undefined) {
        value += simple
        from = pos + 2
      } else if (sign === 'u' && isHex4(text, pos + 2, end)) {
        value += String.fromCharCode(Number.parseInt(text.slice(pos + 2, pos + 6), 16))
        from = pos + 6
      } else {
        from = this.#reportEscape(pos, sign, end)
        value += text.slice(pos + 1, from)
      }
      pos = text.indexOf('\\', from)
    }
    return value + text.slice(from, end)
  }

  /** Gives the offset to read on from. */
  #reportEscape(at: number, sign: string, end: number): number {
    const raw = `\\${sign}`
    if (sign === 'e' && isHex(this.#text.charCodeAt(at + 2))) {
      // Font icons are often copied from style sheets, where \e600 is right (§2.6.1).
      const edits: Edit[] = [{ offset: at, length: 1, text: '\\u' }]
      this.#report(
        'icon-escape',
        at,
        2,
        'A font icon is written \\u and its four digits, as in "\\ue600"; "\\e" is not valid.',
        {
          title: 'Write \\u',
          edits,
        },
      )
      return at + 2
    }
    const message =
      sign === 'u'
        ? 'Four hexadecimal digits belong behind \\u, as in "\\ue600".'
        : `${JSON.stringify(raw).slice(1, -1)} is no escape of JSON: write \\\\ for a backslash.`
    this.#report('syntax-escape', at, Math.min(raw.length, end - at), message, {
      title: 'Double the backslash',
      edits: [{ offset: at, length: 0, text: '\\' }],
    })
    return Math.min(at + 1 + sign.length, end)
  }

  // --- duplicate keys ------------------------------------------------------------------------------------------------

  #findDuplicates({ properties }: ObjectNode): void {
    if (properties.length < 2) return
    if (properties.length <= 8) {
      for (let later = 1; later < properties.length; later += 1) {
        for (let earlier = later - 1; earlier >= 0; earlier -= 1) {
          if (properties[earlier]!.key.value !== properties[later]!.key.value) continue
          this.#reportDuplicate(properties[earlier]!.key, properties[later]!.key)
          break
        }
      }
      return
    }
    const seen = new Map<string, StringNode>()
    for (const { key } of properties) {
      const earlier = seen.get(key.value)
      if (earlier) this.#reportDuplicate(earlier, key)
      seen.set(key.value, key)
    }
  }

  #reportDuplicate(earlier: StringNode, later: StringNode): void {
    if (earlier.value === '' && earlier.end === earlier.offset) return
    this.#report(
      'key-duplicate',
      earlier.offset,
      earlier.end - earlier.offset,
      `"${shorten(earlier.value)}" is written again further down: this one has no effect. Remove one of the two.`,
      undefined,
      [{ offset: later.offset, length: later.end - later.offset, message: 'This one counts.' }],
    )
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const isHex = (code: number) => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

function isHex4(text: string, start: number, end: number): boolean {
  if (start + 4 > end) return false
  for (let index = start; index < start + 4; index += 1) if (!isHex(text.charCodeAt(index))) return false
  return true
}

/** Whether a value, a key, punctuation or a space may begin with this code unit. */
function isStart(code: number): boolean {
  return (
    code <= 32 ||
    code === 34 ||
    code === 39 ||
    code === 44 ||
    code === 45 ||
    code === 47 ||
    code === 58 ||
    code === 91 ||
    code === 93 ||
    code === 123 ||
    code === 125 ||
    isWord(code) ||
    isOddSpace(code) ||
    fullWidth.has(code)
  )
}

function wordEnd(text: string, start: number): number {
  let end = start + 1
  while (isWordPart(text.charCodeAt(end)) && !isComment(text, end)) end += 1
  return end
}

const isComment = (text: string, at: number) =>
  text.charCodeAt(at) === 47 && (text.charCodeAt(at + 1) === 47 || text.charCodeAt(at + 1) === 42)

/** The offset of the line break that ends the line of `start`, or of the text's end. */
export function lineEnd(text: string, start: number): number {
  let end = start
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === 10 || code === 13) break
    end += 1
  }
  return end
}

/** The offset behind the bracket that closes the one at `start`, whatever kinds stand between, or of the text's end. */
function bracketEnd(text: string, start: number): number {
  let depth = 0
  for (let pos = start; pos < text.length; pos += 1) {
    const code = text.charCodeAt(pos)
    if (code === 34) {
      for (pos += 1; pos < text.length; pos += 1) {
        const inner = text.charCodeAt(pos)
        if (inner === 34 || inner === 10) break
        if (inner === 92) pos += 1
      }
    } else if (code === 123 || code === 91) {
      depth += 1
    } else if (code === 125 || code === 93) {
      depth -= 1
      if (depth === 0) return pos + 1
    }
  }
  return text.length
}

/** Messages quote at most this much of what they found. */
function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
