import type { Finding, Fix, Related } from '../diagnostic.ts'
import {
  bracketBalance,
  bracketEnd,
  char,
  fullWidth,
  isComment,
  isDigit,
  isHex,
  isHex4,
  isLineBreak,
  isOddSpace,
  isWord,
  isWordPart,
  lineEnd,
  startsToken,
  wordEnd,
} from './characters.ts'
import type { ListNode, Node, ObjectNode, StringNode } from './nodes.ts'
import type { ObjectCache } from './objectCache.ts'

// Not used as `char.comma`: V8 inlines constants of this module only, and these are compared for each character.
const {
  apostrophe,
  asterisk,
  backslash,
  closeCurly,
  closeSquare,
  colon,
  comma,
  dot,
  lessThan,
  minus,
  openCurly,
  openSquare,
  plus,
  quote,
  slash,
  space,
  tab,
} = char

/** A syntax tree, which exists unless the text is empty, and the syntax errors. */
export type Parsed = { readonly root: Node | undefined; readonly findings: readonly Finding[] }

/** Deeper nesting is reported and skipped, so that code that walks a tree can recurse. pages.json needs 10 levels. */
export const maxDepth = 100

/** Matches a key and its colon. The quantifiers are bounded, because it is tested at every key. */
const nextKey = /"(?:[^"\\\r\n]|\\.){0,100}"\s{0,20}:/y

/**
 * Matches a string without its opening quote, up to the quote that ends the value. It does not begin with a word of
 * JSON, because the quote after such a word may be that of the next string.
 */
const unopenedString =
  /(?!(?:true|false|null|undefined|none|nil|nan|infinity)\b)[^"\r\n]{1,200}"(?=[ \t]*(?:[,}\]\r\n]|$))/iy

/** The next token inside the innermost open bracket. */
type Expectation = 'value' | 'key' | 'colon' | 'after'

/**
 * Parses JSON with comments, trailing commas and an optional byte order mark (ADR 100). Never throws: after a syntax
 * error it continues with what was probably meant. Takes linear time and does not recurse. Variants of one file share a
 * `cache`, so that objects they have in common are parsed once.
 */
export function parse(text: string, cache?: ObjectCache): Parsed {
  return new Parser(text, cache).run()
}

class Parser {
  readonly #text: string
  readonly #cache: ObjectCache | undefined
  readonly #findings: Finding[] = []
  /** The open brackets, outermost first. */
  readonly #open: (ObjectNode | ListNode)[] = []
  /** The number of findings before each open bracket. */
  readonly #findingsBefore: number[] = []
  /** Interned keys: there are few distinct ones, and identical strings compare faster. */
  readonly #keys = new Map<string, string>()
  #pos: number
  #root: Node | undefined
  #expect: Expectation = 'value'
  /** The end of the last token, where missing tokens are reported. */
  #lastEnd: number
  /** The offset of the last comma between two items or keys. */
  #lastComma = 0
  #pendingKey: StringNode | undefined
  /** Objects that were closed too early, which are our own copies, with the keys that have been compared. */
  readonly #reopened = new Map<ObjectNode, { readonly keys: Map<string, StringNode>; count: number }>()
  /** The offset of the last `-->`, which is only searched for once; -1 if there is none. */
  #lastMarkupEnd: number | undefined
  /** The brackets of the whole text, counted when one seems to be missing. */
  #balance: ReturnType<typeof bracketBalance> | undefined

  constructor(text: string, cache: ObjectCache | undefined) {
    this.#text = text
    this.#cache = cache
    this.#pos = text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.#lastEnd = this.#pos
  }

  run(): Parsed {
    const text = this.#text
    for (;;) {
      this.#skipSpace()
      if (this.#pos >= text.length) break
      if (this.#open.length === 0 && this.#root !== undefined && !this.#hasColonAfterValue()) {
        if (this.#reopenRoot()) continue
        this.#reportRest()
        break
      }
      this.#step(text.charCodeAt(this.#pos))
    }
    this.#closeAll()
    if (this.#root === undefined) {
      this.#report({
        code: 'syntax-empty',
        offset: 0,
        length: 0,
        message: 'The file is empty: write an object with "pages" in it.',
      })
    }
    return { root: this.#root, findings: this.#findings }
  }

  #step(code: number): void {
    const odd = code > 0x7f ? fullWidth.get(code) : undefined
    if (odd === ',' || odd === ':') {
      this.#report({
        code: 'syntax-character',
        offset: this.#pos,
        length: 1,
        message: `Full-width "${this.#text[this.#pos]}" is not allowed in JSON: write "${odd}".`,
        fix: singleEdit(`Write "${odd}"`, this.#pos, 1, odd),
      })
      code = odd.charCodeAt(0)
    }
    if (code === closeCurly || code === closeSquare) this.#close(code)
    else if (code === comma) this.#readComma()
    else if (code === colon) this.#readColon()
    else if (this.#expect === 'key') this.#readKey(code, odd === '"')
    else if (this.#expect === 'colon') this.#handleMissingColon()
    else if (this.#expect === 'after' && startsToken(code)) this.#handleMissingComma(code)
    else if (this.#expect === 'after') this.#skipUnknown()
    else this.#readValue(code, odd === '"')
  }

  get #top(): ObjectNode | ListNode | undefined {
    return this.#open[this.#open.length - 1]
  }

  /** The bracket around the innermost open one. */
  get #parent(): ObjectNode | ListNode | undefined {
    return this.#open[this.#open.length - 2]
  }

  #report(finding: Finding): void {
    this.#findings.push(finding)
  }

  // --- spaces and comments -------------------------------------------------------------------------------------------

  #skipSpace(): void {
    const text = this.#text
    for (;;) {
      const code = text.charCodeAt(this.#pos)
      if (code === space || code === tab || isLineBreak(code)) {
        this.#pos += 1
      } else if (code === slash) {
        const next = text.charCodeAt(this.#pos + 1)
        if (next === slash) this.#pos = lineEnd(text, this.#pos)
        else if (next === asterisk) this.#skipBlockComment()
        else return
      } else if (code === lessThan && text.startsWith('<!--', this.#pos)) {
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
    this.#report({
      code: 'syntax-comment-open',
      offset: this.#pos,
      length: 2,
      message: 'This comment is not closed, so everything after it is ignored. Close it with "*/".',
    })
    this.#pos = this.#text.length
  }

  #skipMarkupComment(): void {
    const start = this.#pos
    this.#lastMarkupEnd ??= this.#text.lastIndexOf('-->')
    const found = start + 4 > this.#lastMarkupEnd ? -1 : this.#text.indexOf('-->', start + 4)
    const end = found < 0 ? lineEnd(this.#text, start) : found + 3
    this.#report({
      code: 'syntax-comment-form',
      offset: start,
      length: 4,
      message: '<!-- --> comments are not allowed in JSON: write // or /* */.',
    })
    this.#pos = end
  }

  #skipOddSpace(): void {
    const start = this.#pos
    while (isOddSpace(this.#text.charCodeAt(this.#pos))) this.#pos += 1
    const length = this.#pos - start
    this.#report({
      code: 'syntax-character',
      offset: start,
      length,
      message: 'This kind of space is not allowed in JSON: use a normal space.',
      fix: singleEdit('Replace with spaces', start, length, ' '.repeat(length)),
    })
  }

  // --- punctuation ---------------------------------------------------------------------------------------------------

  #readComma(): void {
    const at = this.#pos
    this.#pos += 1
    if (this.#expect === 'after') {
      this.#lastComma = at
      this.#lastEnd = this.#pos
      this.#expect = this.#top?.kind === 'object' ? 'key' : 'value'
      return
    }
    if (this.#expect === 'colon' || this.#pendingKey) {
      this.#handleMissingValue()
      this.#pos = at
      return
    }
    this.#report({
      code: 'syntax-comma-extra',
      offset: at,
      length: 1,
      message: 'Unexpected comma: remove it.',
      fix: singleEdit('Remove the comma', at, 1, ''),
    })
    this.#skipRun(comma)
  }

  #readColon(): void {
    const at = this.#pos
    this.#pos += 1
    if (this.#expect === 'colon') {
      this.#expect = 'value'
      this.#lastEnd = this.#pos
      return
    }
    if (this.#hasColonAfterValue() && this.#reinterpretAsKey(at)) return
    this.#report({
      code: 'syntax-colon-extra',
      offset: at,
      length: 1,
      message: 'Unexpected colon: remove it.',
      fix: singleEdit('Remove the colon', at, 1, ''),
    })
    this.#skipRun(colon)
  }

  get #brackets() {
    this.#balance ??= bracketBalance(this.#text)
    return this.#balance
  }

  // --- missing opening brackets --------------------------------------------------------------------------------------

  get #lastValue(): Node | undefined {
    const top = this.#top
    if (top === undefined) return this.#root
    return top.kind === 'list' ? top.items.at(-1) : top.properties.at(-1)?.value
  }

  /** `"path": "style":`: the string before the colon is a key, not a value. */
  #hasColonAfterValue(): boolean {
    const last = this.#lastValue
    const isColon = this.#text.charCodeAt(this.#pos) === colon || this.#text.charCodeAt(this.#pos - 1) === colon
    return this.#expect === 'after' && isColon && last?.kind === 'string' && last.end === this.#lastEnd
  }

  /** Continues as if the bracket or value that is missing before this key were there. */
  #reinterpretAsKey(colonAt: number): boolean {
    const top = this.#top
    const key = this.#lastValue as StringNode
    const balance = this.#brackets
    if (top === undefined) {
      this.#root = undefined
    } else if (top.kind === 'list') {
      top.items.pop()
      if (this.#parent?.kind === 'object' && balance.curly >= 0 && balance.square > 0) {
        this.#closeBeforeKey(top, key)
        this.#continueAfterKey(key, colonAt)
        return true
      }
      if (this.#reopenItem(top, key)) {
        this.#continueAfterKey(key, colonAt)
        return true
      }
    } else {
      const property = top.properties.pop()!
      this.#pendingKey = property.key
      if (balance.curly >= 0) {
        this.#lastEnd = property.key.end
        this.#handleMissingValue()
        this.#continueAfterKey(key, colonAt)
        return true
      }
    }
    this.#reportMissingBracket('{', key.offset, `the key "${shorten(key.value)}"`)
    balance.curly += 1
    this.#push({ kind: 'object', offset: key.offset, end: key.offset, properties: [] })
    this.#continueAfterKey(key, colonAt)
    return true
  }

  #continueAfterKey(key: StringNode, colonAt: number): void {
    this.#pendingKey = key
    this.#pos = colonAt + 1
    this.#lastEnd = this.#pos
    this.#expect = 'value'
  }

  /** `[ …, "key": `: the list is not closed before the key. */
  #closeBeforeKey(list: ListNode, key: StringNode): void {
    const at = this.#endBetween(list.items.at(-1)?.end ?? list.offset + 1, this.#lastComma)
    this.#report({
      code: 'syntax-bracket-open',
      offset: at,
      length: 0,
      message: `Missing "]" before the key "${shorten(key.value)}".`,
      fix: singleEdit('Insert "]"', at, 0, ']'),
      related: [openBracket(list)],
    })
    this.#brackets.square -= 1
    this.#pop(at)
  }

  #reportMissingBracket(sign: '{' | '[', at: number, what: string): void {
    this.#report({
      code: 'syntax-bracket-missing',
      offset: at,
      length: 0,
      message: `Missing "${sign}" before ${what}.`,
      fix: singleEdit(`Insert "${sign}"`, at, 0, sign),
    })
  }

  /**
   * `"pages": { … }, { … }]` and `"pages": [{ … }], { … }]`: the value before is the beginning of a list, whose bracket
   * is missing or which is closed too early.
   */
  #reopenAsList(): boolean {
    const top = this.#top
    const property = top?.kind === 'object' ? top.properties.at(-1) : undefined
    const balance = this.#brackets
    if (property === undefined || isMissingKey(property.key) || balance.square >= 0) return false
    const { value } = property
    if (value.kind === 'list') {
      this.#reopen(value)
      return true
    }
    if (value.kind !== 'object' || !this.#isAtKeyOf(value)) return false
    this.#reportMissingBracket('[', value.offset, 'this object')
    balance.square += 1
    const list: ListNode = { kind: 'list', offset: value.offset, end: value.end, items: [value] }
    property.value = list
    this.#open.push(list)
    this.#findingsBefore.push(-1)
    return true
  }

  /** Returns false if the object ahead starts with a key that `properties` lack: the two are not items of one list. */
  #isAtKeyOf({ properties }: ObjectNode): boolean {
    const key = /^\{\s{0,200}"([^"\\\r\n]{1,60})"\s{0,20}:/.exec(this.#text.slice(this.#pos, this.#pos + 300))?.[1]
    return key === undefined || properties.some((property) => property.key.value === key)
  }

  /**
   * Continues inside a list or object whose closing bracket is superfluous. Returns what replaces it: objects are
   * copied, because other builds may share them.
   */
  #reopen(closed: ObjectNode | ListNode): ObjectNode | ListNode {
    const node = closed.kind === 'list' ? closed : this.#ownCopy(closed)
    const sign = node.kind === 'list' ? ']' : '}'
    const at = node.end - 1
    this.#report({
      code: 'syntax-bracket-extra',
      offset: at,
      length: 1,
      message: `This "${sign}" closes too early: remove it.`,
      fix: singleEdit(`Remove "${sign}"`, at, 1, ''),
    })
    if (node.kind === 'list') this.#brackets.square += 1
    else this.#brackets.curly += 1
    this.#open.push(node)
    this.#findingsBefore.push(-1)
    return node
  }

  /** Copies an object, but only once: one that is closed too early many times would take quadratic time. */
  #ownCopy(object: ObjectNode): ObjectNode {
    if (this.#reopened.has(object)) return object
    const copy = { ...object, properties: object.properties.map((each) => ({ ...each })) }
    const keys = new Map(copy.properties.map(({ key }) => [key.value, key]))
    this.#reopened.set(copy, { keys, count: copy.properties.length })
    return copy
  }

  /** `{ … }, "tabBar": …}`: the root is closed before its last key. */
  #reopenRoot(): boolean {
    const root = this.#root!
    const balance = this.#brackets
    if (root.kind !== 'object' || balance.curly >= 0) return false
    const rest = /^,?\s{0,200}/.exec(this.#text.slice(this.#pos, this.#pos + 201))![0]
    nextKey.lastIndex = this.#pos + rest.length
    if (!nextKey.test(this.#text)) return false
    this.#root = this.#reopen(root)
    this.#expect = 'after'
    return true
  }

  /** `[{ "path": … }, "style": …}]`: the object before the key, which does not have it, is closed too early. */
  #reopenItem(list: ListNode, key: StringNode): boolean {
    const item = list.items.at(-1)
    const isClosedEarly = this.#brackets.curly < 0 && item?.kind === 'object' && !this.#hasKey(item, key.value)
    if (isClosedEarly) list.items[list.items.length - 1] = this.#reopen(item)
    return isClosedEarly
  }

  #hasKey(object: ObjectNode, key: string): boolean {
    const reopened = this.#reopened.get(object)
    return reopened ? reopened.keys.has(key) : object.properties.some((property) => property.key.value === key)
  }

  /** Skips repetitions of a character, also in full width, which are reported once. */
  #skipRun(code: number): void {
    const sign = String.fromCharCode(code)
    for (;;) {
      const next = this.#text.charCodeAt(this.#pos)
      if (next !== code && fullWidth.get(next) !== sign) return
      this.#pos += 1
    }
  }

  #handleMissingColon(): void {
    const key = this.#pendingKey!
    const name = /^([\w-]+)\s*:\s*$/.exec(key.value)?.[1]
    if (name !== undefined && this.#text.charCodeAt(key.end) !== colon) {
      // `"path: "pages/…"`: the quote after the colon begins the value.
      const end = key.offset + 1 + name.length
      const isDouble = this.#text.charCodeAt(key.offset) === quote
      // The quotes of the longer string were reported, with a fix that would include the colon.
      if (!isDouble)
        this.#findings.splice(
          this.#findings.findLastIndex(({ offset }) => offset === key.offset),
          1,
        )
      const closing = { offset: end, length: 0, text: '"' }
      this.#report({
        code: 'syntax-string-open',
        offset: key.offset,
        length: end - key.offset,
        message: `The key ${name} is not closed: add a double quote at its end.`,
        fix: {
          title: 'Insert the quote',
          edits: isDouble ? [closing] : [{ offset: key.offset, length: 1, text: '"' }, closing],
        },
      })
      this.#pendingKey = { kind: 'string', offset: key.offset, end, value: name }
      this.#pos = key.end - 1
      this.#expect = 'value'
      return
    }
    nextKey.lastIndex = this.#pos
    if (nextKey.test(this.#text)) {
      // The next key is not the value: this key is being typed before it.
      this.#handleMissingValue()
      return
    }
    this.#report({
      code: 'syntax-colon-missing',
      offset: key.end,
      length: 0,
      message: `Missing colon after the key "${shorten(key.value)}".`,
      fix: singleEdit('Insert the colon', key.end, 0, ':'),
    })
    this.#expect = 'value'
  }

  #handleMissingValue(): void {
    const key = this.#pendingKey!
    this.#report({
      code: 'syntax-value-missing',
      offset: key.offset,
      length: key.end - key.offset,
      message: `"${shorten(key.value)}" has no value: add one, or remove the key.`,
    })
    this.#attach({ kind: 'missing', offset: this.#lastEnd, end: this.#lastEnd })
  }

  /** `{ …, {` in a list: the first object is not closed. */
  #isBetweenItems(): boolean {
    const top = this.#top
    return top?.kind === 'object' && top.properties.length > 0 && this.#parent?.kind === 'list'
  }

  #closeBeforeItem(): void {
    const top = this.#top as ObjectNode
    const at = top.properties.at(-1)!.value.end
    this.#report({
      code: 'syntax-bracket-open',
      offset: at,
      length: 0,
      message: 'Missing "}": the object before the comma is not closed.',
      fix: singleEdit('Insert "}"', at, 0, '}'),
      related: [openBracket(top)],
    })
    this.#pop(at)
    this.#expect = 'value'
  }

  #handleMissingComma(code: number): void {
    const top = this.#top!
    const at = this.#lastEnd
    const isItem = top.kind === 'object' && this.#parent?.kind === 'list'
    if (isItem && code === openCurly) {
      // `{ … {` in a list: the first object is not closed.
      this.#report({
        code: 'syntax-bracket-open',
        offset: at,
        length: 0,
        message: 'Missing "},": the object before it is not closed.',
        fix: singleEdit('Insert "},"', at, 0, '},'),
        related: [openBracket(top)],
      })
      this.#pop(at)
      this.#expect = 'value'
      return
    }
    if (isItem && this.#isAtFirstKeyOf(top)) {
      this.#report({
        code: 'syntax-bracket-missing',
        offset: at,
        length: 0,
        message: `Missing "}, {": another object begins with the key "${shorten(top.properties[0]!.key.value)}".`,
        fix: singleEdit('Insert "}, {"', at, 0, '}, {'),
        related: [openBracket(top)],
      })
      this.#pop(at)
      this.#push({ kind: 'object', offset: this.#pos, end: this.#pos, properties: [] })
      return
    }
    this.#report({
      code: 'syntax-comma-missing',
      offset: at,
      length: 0,
      message: `Missing comma between two ${top.kind === 'object' ? 'keys' : 'items'}.`,
      fix: singleEdit('Insert the comma', at, 0, ','),
    })
    this.#expect = top.kind === 'object' ? 'key' : 'value'
  }

  /** `{ "path": …, "style": … "path": … }`: the objects of a list have the same first key. */
  #isAtFirstKeyOf({ properties }: ObjectNode): boolean {
    const key = /^"([^"\\\r\n]{1,60})"\s*:/.exec(this.#text.slice(this.#pos, this.#pos + 100))?.[1]
    return key !== undefined && key === properties[0]?.key.value
  }

  // --- brackets ------------------------------------------------------------------------------------------------------

  #close(code: number): void {
    const at = this.#pos
    const sign = code === closeCurly ? '}' : ']'
    const kind = code === closeCurly ? 'object' : 'list'
    if (this.#isEmptyValue(code)) {
      this.#readUnopened(kind)
      return
    }
    if (!this.#open.some((node) => node.kind === kind) && !(code === closeSquare && this.#reopenAsList())) {
      this.#reportUnopened(sign, at, { runs: true })
      this.#pos += 1
      this.#skipRun(code)
      return
    }
    if (this.#top!.kind !== kind && this.#isBetweenObjects(code)) {
      this.#reportExtra(sign, at)
      return
    }
    if (this.#top!.kind !== kind && this.#isSuperfluous(code)) return
    if (this.#top!.kind !== kind) {
      const end = this.#endBetween(this.#lastEnd, at)
      while (this.#top!.kind !== kind) this.#closeMissing(sign, end)
    }
    if (this.#pendingKey) this.#handleMissingValue()
    this.#pos = at + 1
    this.#pop(this.#pos)
  }

  /** `"subPackages": ]`: the closing bracket of an empty value that was not opened. */
  #isEmptyValue(code: number): boolean {
    if (this.#pendingKey === undefined || this.#expect !== 'value') return false
    return (code === closeCurly ? this.#brackets.curly : this.#brackets.square) < 0
  }

  /** Continues as if the opening bracket before the closing one were there. */
  #readUnopened(kind: 'object' | 'list'): void {
    const at = this.#pos
    this.#pos = at + 1
    this.#lastEnd = this.#pos
    if (kind === 'object') {
      this.#reportMissingBracket('{', at, 'this "}"')
      this.#brackets.curly += 1
      this.#attach({ kind, offset: at, end: this.#pos, properties: [] })
    } else {
      this.#reportMissingBracket('[', at, 'this "]"')
      this.#brackets.square += 1
      this.#attach({ kind, offset: at, end: this.#pos, items: [] })
    }
  }

  /** Handles a bracket of the wrong kind if the text has too many of its kind: ignores it, or reads the other kind. */
  #isSuperfluous(code: number): boolean {
    const at = this.#pos
    const balance = this.#brackets
    const [kind, other] = code === closeCurly ? (['curly', 'square'] as const) : (['square', 'curly'] as const)
    const [sign, wanted] = code === closeCurly ? ['}', ']'] : [']', '}']
    if (balance[kind] >= 0) return false
    balance[kind] += 1
    this.#pos += 1
    if (balance[other] <= 0) {
      this.#reportUnopened(sign, at)
      return true
    }
    balance[other] -= 1
    this.#report({
      code: 'syntax-bracket-wrong',
      offset: at,
      length: 1,
      message: `This "${sign}" closes a "${wanted === '}' ? '{' : '['}": write "${wanted}".`,
      fix: singleEdit(`Write "${wanted}"`, at, 1, wanted),
      related: [openBracket(this.#top!)],
    })
    if (this.#pendingKey) this.#handleMissingValue()
    this.#pop(this.#pos)
    return true
  }

  #reportUnopened(sign: string, at: number, more: Pick<Finding, 'runs'> = {}): void {
    this.#report({
      code: 'syntax-bracket-extra',
      offset: at,
      length: 1,
      message: `This "${sign}" has no opening bracket: remove it.`,
      fix: singleEdit(`Remove "${sign}"`, at, 1, ''),
      ...more,
    })
  }

  /** `{ … }, }, {` in a list: the second bracket is superfluous. */
  #isBetweenObjects(code: number): boolean {
    const top = this.#top!
    if (code !== closeCurly || top.kind !== 'list' || top.items.length === 0 || this.#expect !== 'value') return false
    return /^\}\s*,\s*\{/.test(this.#text.slice(this.#pos, this.#pos + 200))
  }

  #reportExtra(sign: string, at: number): void {
    const end = this.#text.indexOf(',', at) + 1
    this.#report({
      code: 'syntax-bracket-extra',
      offset: at,
      length: 1,
      message: `This "${sign}" has no opening bracket: remove it and its comma.`,
      fix: singleEdit(`Remove "${sign},"`, at, end - at, ''),
    })
    this.#pos = end
  }

  /**
   * Returns where an object or list ends whose last token ends at `from`, and whose closing bracket is missing: before
   * `to` if there are comments between, since conditional ones may contain further items for other platforms.
   */
  #endBetween(from: number, to: number): number {
    return this.#text.slice(from, to).trim() === '' ? from : to
  }

  #closeMissing(before: string, at: number): void {
    const top = this.#top!
    const sign = top.kind === 'object' ? '}' : ']'
    if (this.#pendingKey) this.#handleMissingValue()
    const place = before === '' ? 'at the end' : `before this "${before}"`
    this.#report({
      code: 'syntax-bracket-open',
      offset: at,
      length: 0,
      message: `Missing "${sign}" ${place}.`,
      fix: singleEdit(`Insert "${sign}"`, at, 0, sign),
      related: [openBracket(top)],
    })
    this.#pop(at)
  }

  #closeAll(): void {
    while (this.#open.length > 0) this.#closeMissing('', this.#lastEnd)
  }

  #pop(end: number): void {
    const node = this.#open.pop()!
    node.end = end
    if (node.kind === 'object') this.#findDuplicates(node)
    const hasNoFindings = this.#findingsBefore.pop() === this.#findings.length
    if (node.kind === 'object' && hasNoFindings) this.#cache?.add(node, this.#text, this.#open.length)
    this.#lastEnd = end
    this.#pendingKey = undefined
    this.#expect = 'after'
  }

  #push(node: ObjectNode | ListNode): void {
    this.#attach(node)
    this.#open.push(node)
    this.#findingsBefore.push(this.#findings.length)
    this.#expect = node.kind === 'object' ? 'key' : 'value'
  }

  // --- keys and values -----------------------------------------------------------------------------------------------

  #readKey(code: number, odd: boolean): void {
    if (code === quote || code === apostrophe || odd) {
      this.#pendingKey = this.#readString(code, true)
    } else if (isWord(code)) {
      const start = this.#pos
      this.#pos = wordEnd(this.#text, start)
      const value = this.#text.slice(start, this.#pos)
      this.#reportQuotes(value, start, 'key')
      this.#pendingKey = { kind: 'string', offset: start, end: this.#pos, value }
    } else if (code === openCurly && this.#isBetweenItems()) {
      this.#closeBeforeItem()
      return
    } else if (code === openCurly && this.#reopenAsList()) {
      this.#expect = 'value'
      return
    } else if (code === openCurly || code === openSquare) {
      this.#report({
        code: 'syntax-key-missing',
        offset: this.#pos,
        length: 1,
        message: 'Missing key before this value, which has no effect: an object contains "key": value pairs.',
      })
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
    if (code === openCurly) {
      const cached = this.#cache?.find(start, this.#text, this.#open.length)
      if (cached) this.#skipTo(cached)
      else this.#openBracket({ kind: 'object', offset: start, end: start + 1, properties: [] })
    } else if (code === openSquare) {
      this.#openBracket({ kind: 'list', offset: start, end: start + 1, items: [] })
    } else if (code === quote || code === apostrophe || odd) {
      this.#attachLeaf(this.#readString(code, false))
    } else if (isDigit(code) || code === minus || code === plus || code === dot) {
      this.#attachLeaf(this.#readNumber())
    } else if (this.#isAtUnopenedString()) {
      this.#attachLeaf(this.#readUnopenedString())
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
    this.#report({
      code: 'syntax-depth',
      offset: node.offset,
      length: 1,
      message: `Brackets are nested more than ${maxDepth} levels deep: the contents are ignored.`,
    })
    this.#pos = bracketEnd(this.#text, node.offset)
    node.end = this.#pos
    this.#attachLeaf({ kind: 'null', offset: node.offset, end: this.#pos, value: null })
  }

  /** Reuses an object of another variant. */
  #skipTo(object: ObjectNode): void {
    this.#pos = object.end
    this.#attachLeaf(object)
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
    while ((isWordPart(text.charCodeAt(end)) || text.charCodeAt(end) === plus) && !isComment(text, end)) end += 1
    this.#pos = end
    const raw = text.slice(start, end)
    const value = Number(raw)
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw) && Number.isFinite(value)) {
      return { kind: 'number', offset: start, end, value }
    }
    const plain = raw !== '' && Number.isFinite(value) ? String(value) : undefined
    const written = plain ?? JSON.stringify(raw)
    this.#report({
      code: 'syntax-number',
      offset: start,
      length: raw.length,
      message: `${shorten(raw)} is not a valid number in JSON: write ${shorten(written)}.`,
      fix: singleEdit(`Write ${shorten(written)}`, start, raw.length, written),
    })
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
    if (this.#text.charCodeAt(end) === quote) {
      this.#reportQuotes(raw, start, 'string')
      return { kind: 'string', offset: start, end: this.#pos, value: raw }
    }
    const literal = /^(true|false|null)$/i.test(raw)
      ? raw.toLowerCase()
      : /^(undefined|None|nil|NaN|Infinity)$/.test(raw)
        ? 'null'
        : undefined
    const written = literal ?? JSON.stringify(raw)
    this.#report({
      code: 'syntax-quotes',
      offset: start,
      length: raw.length,
      message: literal
        ? `${raw} is not valid in JSON: write ${literal}.`
        : `The string ${shorten(raw)} needs double quotes.`,
      fix: singleEdit(`Write ${shorten(written)}`, start, raw.length, written),
    })
    if (literal === 'null') return { kind: 'null', offset: start, end, value: null }
    if (literal) return { kind: 'boolean', offset: start, end, value: literal === 'true' }
    return { kind: 'string', offset: start, end, value: raw }
  }

  #isAtUnopenedString(): boolean {
    unopenedString.lastIndex = this.#pos
    const written = unopenedString.exec(this.#text)?.[0]
    // The quote may also be part of a comment.
    return written !== undefined && !/(?:^|\s)\/[/*]/.test(written)
  }

  /** `?id=7"`: reads up to the closing quote; nothing of it may be removed. */
  #readUnopenedString(): Node {
    const start = this.#pos
    const end = this.#text.indexOf('"', start)
    this.#pos = end + 1
    this.#report({
      code: 'syntax-quotes',
      offset: start,
      length: end - start,
      message: `The string ${shorten(this.#text.slice(start, end))} needs double quotes.`,
      ...(!this.#followsQuote(start) && { fix: singleEdit('Put the string in quotes', start, 0, '"') }),
    })
    return { kind: 'string', offset: start, end: end + 1, value: this.#unescape(start, end) }
  }

  /** Reports a word without quotes, or without the opening quote. */
  #reportQuotes(word: string, start: number, what: string): void {
    const closed = this.#text.charCodeAt(this.#pos) === quote
    if (closed) this.#pos += 1
    const edits = [{ offset: start, length: closed ? 0 : word.length, text: closed ? '"' : JSON.stringify(word) }]
    this.#report({
      code: 'syntax-quotes',
      offset: start,
      length: word.length,
      message: `The ${what} ${shorten(word)} needs double quotes.`,
      ...(!(closed && this.#followsQuote(start)) && { fix: { title: `Put the ${what} in quotes`, edits } }),
    })
  }

  /** After a string, a word with only a closing quote means that a quote before that string is missing. */
  #followsQuote(offset: number): boolean {
    return this.#text.charCodeAt(offset - 1) === quote
  }

  #skipUnknown(): void {
    const text = this.#text
    const start = this.#pos
    let end = start + 1
    while (end < text.length && !startsToken(text.charCodeAt(end))) end += 1
    this.#pos = end
    const raw = text.slice(start, end)
    if (/^={7}$/.test(raw)) {
      this.#report({
        code: 'syntax-conflict',
        offset: start,
        length: end - start,
        message: 'This line is left over from a merge conflict: remove it.',
      })
      return
    }
    this.#report({
      code: 'syntax-character',
      offset: start,
      length: end - start,
      message: `Unexpected ${JSON.stringify(shorten(raw))}: remove it.`,
      fix: singleEdit('Remove it', start, end - start, ''),
    })
  }

  #reportRest(): void {
    const start = this.#pos
    const rest = this.#text.slice(start).trimEnd()
    const brackets = /^[\]}\s,]*$/.test(rest)
    // As after a statement of JavaScript.
    const isSemicolon = /^[;\s]*$/.test(rest)
    this.#report({
      code: 'syntax-after-end',
      offset: start,
      length: rest.length,
      message: isSemicolon
        ? 'JSON has no semicolons: remove it.'
        : brackets
          ? `${shorten(rest)} after the end of the file's root value: remove it, or find a bracket above that closes too early.`
          : 'Only one root value is allowed, and what follows has no effect. A bracket above may close too early.',
      ...((brackets || isSemicolon) && { fix: singleEdit('Remove it', start, rest.length, '') }),
    })
    this.#pos = this.#text.length
  }

  // --- strings -------------------------------------------------------------------------------------------------------

  /** `code` is the opening quote: double, single or typographic. */
  #readString(code: number, isKey: boolean): StringNode {
    const text = this.#text
    const start = this.#pos
    const curly = code === 0x201c || code === 0x201d
    let pos = start + 1
    let plain = true
    let hasControls = false
    for (;;) {
      const next = text.charCodeAt(pos)
      if (next === code || (curly && (next === 0x201c || next === 0x201d))) break
      if (next === backslash) {
        plain = false
        const escaped = text.charCodeAt(pos + 1)
        // A backslash does not escape the line break.
        pos += isLineBreak(escaped) || pos + 1 >= text.length ? 1 : 2
      } else if (next < 32 || pos >= text.length) {
        if (isLineBreak(next) || pos >= text.length) {
          const lineBreak = Math.min(pos, text.length)
          // `“menu"`: another quote closes the string.
          const double = code === quote ? -1 : text.slice(start + 1, lineBreak).indexOf('"')
          if (double < 0) return this.#readOpenString(start, lineBreak, isKey)
          pos = start + 1 + double
          break
        }
        hasControls = true
        pos += 1
      } else {
        pos += 1
      }
    }
    const end = pos + 1
    this.#pos = end
    if (hasControls) this.#reportControls(start + 1, pos)
    const value = plain ? this.#slice(start + 1, pos, isKey) : this.#unescape(start + 1, pos)
    if (code !== quote) {
      this.#report({
        code: 'syntax-quotes',
        offset: start,
        length: end - start,
        message: 'Strings need double quotes in JSON.',
        fix: singleEdit('Write double quotes', start, end - start, inDoubleQuotes(text.slice(start + 1, pos))),
      })
    }
    return { kind: 'string', offset: start, end, value }
  }

  #slice(start: number, end: number, isKey: boolean): string {
    const slice = this.#text.slice(start, end)
    if (!isKey) return slice
    const cached = this.#keys.get(slice)
    if (cached !== undefined) return cached
    this.#keys.set(slice, slice)
    return slice
  }

  /**
   * Reads a string without closing quote, up to the end of the line. A trailing comma, colon or bracket is not part of
   * it.
   */
  #readOpenString(start: number, lineBreak: number, isKey: boolean): StringNode {
    const text = this.#text
    let end = lineBreak
    const skip = (test: (code: number) => boolean) => {
      while (end > start + 1 && test(text.charCodeAt(end - 1))) end -= 1
    }
    const isSpace = (code: number) => code === space || code === tab
    skip(isSpace)
    if (isKey) {
      const keyLength = text.slice(start, lineBreak).indexOf(':')
      if (keyLength > 0) end = start + keyLength
    } else {
      skip((code) => code === comma || code === closeCurly || code === closeSquare || isSpace(code))
    }
    this.#pos = end
    // Those after the string separate it from what follows.
    this.#reportControls(start + 1, end)
    const value = this.#unescape(start + 1, end)
    const isDouble = text.charCodeAt(start) === quote
    const advice = isDouble ? 'add a double quote at its end' : 'write double quotes around it'
    this.#report({
      code: 'syntax-string-open',
      offset: start,
      length: end - start,
      message: `This string is not closed: ${advice}.`,
      fix: isDouble
        ? singleEdit('Insert the quote', end, 0, '"')
        : singleEdit('Write double quotes', start, end - start, inDoubleQuotes(text.slice(start + 1, end))),
    })
    return { kind: 'string', offset: start, end, value }
  }

  #reportControls(start: number, end: number): void {
    for (let at = start; at < end; at += 1) {
      const code = this.#text.charCodeAt(at)
      // Escapes are checked where they are read.
      if (code === backslash) at += 1
      if (code >= 32) continue
      const written = code === tab ? '\\t' : `\\u${code.toString(16).padStart(4, '0')}`
      this.#report({
        code: 'syntax-control-character',
        offset: at,
        length: 1,
        message: `Control characters are not allowed in strings: write ${written}.`,
        fix: singleEdit(`Write ${written}`, at, 1, written),
      })
    }
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

  /** Returns the offset to continue from. */
  #reportEscape(at: number, sign: string, end: number): number {
    const raw = `\\${sign}`
    if (sign === 'e' && isHex(this.#text.charCodeAt(at + 2))) {
      // Font icons are often copied from style sheets, where \e600 is valid (pages-json §2.6.1).
      this.#report({
        code: 'icon-escape',
        offset: at,
        length: 2,
        message: 'Write a font icon as \\u and four digits, as in "\\ue600"; "\\e" is not a valid escape.',
        fix: singleEdit('Write \\u', at, 1, '\\u'),
      })
      return at + 2
    }
    const message =
      sign === 'u'
        ? '\\u must be followed by four hexadecimal digits, as in "\\ue600".'
        : `${JSON.stringify(raw).slice(1, -1)} is not a valid escape in JSON: write \\\\ for a backslash.`
    this.#report({
      code: 'syntax-escape',
      offset: at,
      length: Math.min(raw.length, end - at),
      message,
      fix: singleEdit('Double the backslash', at, 0, '\\'),
    })
    return Math.min(at + 1 + sign.length, end)
  }

  // --- duplicate keys ------------------------------------------------------------------------------------------------

  #findDuplicates(object: ObjectNode): void {
    const { properties } = object
    if (properties.length < 2) return
    const reopened = this.#reopened.get(object)
    if (reopened === undefined && properties.length <= 8) {
      for (let later = 1; later < properties.length; later += 1) {
        for (let earlier = later - 1; earlier >= 0; earlier -= 1) {
          if (properties[earlier]!.key.value !== properties[later]!.key.value) continue
          this.#reportDuplicate(properties[earlier]!.key, properties[later]!.key)
          break
        }
      }
      return
    }
    const seen = reopened?.keys ?? new Map<string, StringNode>()
    for (let index = reopened?.count ?? 0; index < properties.length; index += 1) {
      const { key } = properties[index]!
      const earlier = seen.get(key.value)
      if (earlier) this.#reportDuplicate(earlier, key)
      seen.set(key.value, key)
    }
    if (reopened) reopened.count = properties.length
  }

  #reportDuplicate(earlier: StringNode, later: StringNode): void {
    if (isMissingKey(earlier)) return
    this.#report({
      code: 'key-duplicate',
      offset: earlier.offset,
      length: earlier.end - earlier.offset,
      message: `"${shorten(earlier.value)}" is repeated below, so this one has no effect. Remove one of the two.`,
      related: [{ offset: later.offset, length: later.end - later.offset, message: 'This one takes effect.' }],
    })
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

const singleEdit = (title: string, offset: number, length: number, text: string): Fix => ({
  title,
  edits: [{ offset, length, text }],
})

/** Replacements in a string that gets double quotes. Invalid escapes stay: their own fixes preserve the backslash. */
const doubleQuoted: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\'": "'",
  '\\“': '“',
  '\\”': '”',
  // At the end of a string that is not closed.
  '\\': '\\\\',
}

const inDoubleQuotes = (inside: string): string =>
  `"${inside.replace(/\\.?|"/g, (sign) => doubleQuoted[sign] ?? sign)}"`

const openBracket = ({ offset }: Node): Related => ({ offset, length: 1, message: 'This bracket is not closed.' })

/** Returns whether a key stands for one that the text lacks. */
const isMissingKey = ({ offset, end }: StringNode): boolean => offset === end

/** Truncates quoted text for messages. */
function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
