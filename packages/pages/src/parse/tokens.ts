import { char, isComment, isHex, isHex4, isLineBreak, isWordPart, wordEnd } from './characters.ts'
import { inDoubleQuotes, shorten, singleEdit } from './edits.ts'
import type { Node, StringNode } from './nodes.ts'
import type { ParserState } from './state.ts'

// Not used as `char.comma`: V8 inlines constants of this module only, and these are compared for each character.
const { backslash, closeCurly, closeSquare, comma, plus, quote, space, tab } = char

/**
 * Matches a string without its opening quote, up to the quote that ends the value. It does not begin with a word of
 * JSON, because the quote after such a word may be that of the next string.
 */
const unopenedString =
  /(?!(?:true|false|null|undefined|none|nil|nan|infinity)\b)[^"\r\n]{1,200}"(?=[ \t]*(?:[,}\]\r\n]|$))/iy

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

export function readNumber(state: ParserState): Node {
  const text = state.text
  const start = state.pos
  let end = start + 1
  while ((isWordPart(text.charCodeAt(end)) || text.charCodeAt(end) === plus) && !isComment(text, end)) end += 1
  state.pos = end
  const raw = text.slice(start, end)
  const value = Number(raw)
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw) && Number.isFinite(value)) {
    return { kind: 'number', offset: start, end, value }
  }
  const plain = raw !== '' && Number.isFinite(value) ? String(value) : undefined
  const written = plain ?? JSON.stringify(raw)
  state.report({
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

export function readWord(state: ParserState): Node {
  const start = state.pos
  const end = wordEnd(state.text, start)
  state.pos = end
  const raw = state.text.slice(start, end)
  if (raw === 'true' || raw === 'false') return { kind: 'boolean', offset: start, end, value: raw === 'true' }
  if (raw === 'null') return { kind: 'null', offset: start, end, value: null }
  if (state.text.charCodeAt(end) === quote) {
    reportQuotes(state, raw, start, 'string')
    return { kind: 'string', offset: start, end: state.pos, value: raw }
  }
  const literal = /^(true|false|null)$/i.test(raw)
    ? raw.toLowerCase()
    : /^(undefined|None|nil|NaN|Infinity)$/.test(raw)
      ? 'null'
      : undefined
  const written = literal ?? JSON.stringify(raw)
  state.report({
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

export function isAtUnopenedString(state: ParserState): boolean {
  unopenedString.lastIndex = state.pos
  const written = unopenedString.exec(state.text)?.[0]
  // The quote may also be part of a comment.
  return written !== undefined && !/(?:^|\s)\/[/*]/.test(written)
}

/** `?id=7"`: reads up to the closing quote; nothing of it may be removed. */
export function readUnopenedString(state: ParserState): Node {
  const start = state.pos
  const end = state.text.indexOf('"', start)
  state.pos = end + 1
  state.report({
    code: 'syntax-quotes',
    offset: start,
    length: end - start,
    message: `The string ${shorten(state.text.slice(start, end))} needs double quotes.`,
    ...(!followsQuote(state, start) && { fix: singleEdit('Put the string in quotes', start, 0, '"') }),
  })
  return { kind: 'string', offset: start, end: end + 1, value: unescaped(state, start, end) }
}

/** Reports a word without quotes, or without the opening quote. */
export function reportQuotes(state: ParserState, word: string, start: number, what: string): void {
  const closed = state.text.charCodeAt(state.pos) === quote
  if (closed) state.pos += 1
  const edits = [{ offset: start, length: closed ? 0 : word.length, text: closed ? '"' : JSON.stringify(word) }]
  state.report({
    code: 'syntax-quotes',
    offset: start,
    length: word.length,
    message: `The ${what} ${shorten(word)} needs double quotes.`,
    ...(!(closed && followsQuote(state, start)) && { fix: { title: `Put the ${what} in quotes`, edits } }),
  })
}

/** After a string, a word with only a closing quote means that a quote before that string is missing. */
function followsQuote(state: ParserState, offset: number): boolean {
  return state.text.charCodeAt(offset - 1) === quote
}

/** `code` is the opening quote: double, single or typographic. */
export function readString(state: ParserState, code: number, isKey: boolean): StringNode {
  const text = state.text
  const start = state.pos
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
        if (double < 0) return readOpenString(state, start, lineBreak, isKey)
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
  state.pos = end
  if (hasControls) reportControls(state, start + 1, pos)
  const value = plain ? slice(state, start + 1, pos, isKey) : unescaped(state, start + 1, pos)
  if (code !== quote) {
    state.report({
      code: 'syntax-quotes',
      offset: start,
      length: end - start,
      message: 'Strings need double quotes in JSON.',
      fix: singleEdit('Write double quotes', start, end - start, inDoubleQuotes(text.slice(start + 1, pos))),
    })
  }
  return { kind: 'string', offset: start, end, value }
}

function slice(state: ParserState, start: number, end: number, isKey: boolean): string {
  const slice = state.text.slice(start, end)
  if (!isKey) return slice
  const cached = state.keys.get(slice)
  if (cached !== undefined) return cached
  state.keys.set(slice, slice)
  return slice
}

/**
 * Reads a string without closing quote, up to the end of the line. A trailing comma, colon or bracket is not part of
 * it.
 */
function readOpenString(state: ParserState, start: number, lineBreak: number, isKey: boolean): StringNode {
  const text = state.text
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
  state.pos = end
  // Those after the string separate it from what follows.
  reportControls(state, start + 1, end)
  const value = unescaped(state, start + 1, end)
  const isDouble = text.charCodeAt(start) === quote
  const advice = isDouble ? 'add a double quote at its end' : 'write double quotes around it'
  state.report({
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

function reportControls(state: ParserState, start: number, end: number): void {
  for (let at = start; at < end; at += 1) {
    const code = state.text.charCodeAt(at)
    // Escapes are checked where they are read.
    if (code === backslash) at += 1
    if (code >= 32) continue
    const written = code === tab ? '\\t' : `\\u${code.toString(16).padStart(4, '0')}`
    state.report({
      code: 'syntax-control-character',
      offset: at,
      length: 1,
      message: `Control characters are not allowed in strings: write ${written}.`,
      fix: singleEdit(`Write ${written}`, at, 1, written),
    })
  }
}

function unescaped(state: ParserState, start: number, end: number): string {
  const text = state.text
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
      from = reportEscape(state, pos, sign, end)
      value += text.slice(pos + 1, from)
    }
    pos = text.indexOf('\\', from)
  }
  return value + text.slice(from, end)
}

/** Returns the offset to continue from. */
function reportEscape(state: ParserState, at: number, sign: string, end: number): number {
  const raw = `\\${sign}`
  if (sign === 'e' && isHex(state.text.charCodeAt(at + 2))) {
    // Font icons are often copied from style sheets, where \e600 is valid (pages-json §2.6.1).
    state.report({
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
  state.report({
    code: 'syntax-escape',
    offset: at,
    length: Math.min(raw.length, end - at),
    message,
    fix: singleEdit('Double the backslash', at, 0, '\\'),
  })
  return Math.min(at + 1 + sign.length, end)
}
