// Character classes and scanning. Characters are UTF-16 code units.

/** Characters with a meaning in JSON or in a comment. */
export const char = {
  tab: 9,
  lineFeed: 10,
  carriageReturn: 13,
  space: 32,
  quote: 34,
  dollar: 36,
  apostrophe: 39,
  asterisk: 42,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  colon: 58,
  lessThan: 60,
  at: 64,
  openSquare: 91,
  backslash: 92,
  closeSquare: 93,
  underscore: 95,
  openCurly: 123,
  closeCurly: 125,
} as const
const {
  apostrophe,
  asterisk,
  at,
  backslash,
  carriageReturn,
  closeCurly,
  closeSquare,
  colon,
  comma,
  dollar,
  dot,
  lineFeed,
  minus,
  openCurly,
  openSquare,
  quote,
  slash,
  space,
  underscore,
} = char

export const isLineBreak = (code: number) => code === lineFeed || code === carriageReturn
export const isDigit = (code: number) => code >= 48 && code <= 57
export const isWord = (code: number) =>
  isDigit(code) ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === underscore ||
  code === dollar ||
  (code > 0x7f && !isOddSpace(code) && !fullWidth.has(code))
/** Returns whether an unquoted word may contain a character after its first one; words may be page paths. */
export const isWordPart = (code: number) =>
  isWord(code) || code === minus || code === dot || code === slash || code === at
export const isOddSpace = (code: number) =>
  code === 0xa0 ||
  code === 0x3000 ||
  code === 0xfeff ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 11 ||
  code === 12

/** Punctuation of Chinese input methods that is easily confused with ASCII. */
export const fullWidth = new Map([
  [0xff0c, ','],
  [0xff1a, ':'],
  [0x201c, '"'],
  [0x201d, '"'],
])

export const isHex = (code: number) => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

export function isHex4(text: string, start: number, end: number): boolean {
  if (start + 4 > end) return false
  for (let index = start; index < start + 4; index += 1) if (!isHex(text.charCodeAt(index))) return false
  return true
}

/** Returns whether a token or white space may begin with this code unit. */
export function startsToken(code: number): boolean {
  return (
    code <= space ||
    code === quote ||
    code === apostrophe ||
    code === comma ||
    code === minus ||
    code === slash ||
    code === colon ||
    code === openSquare ||
    code === closeSquare ||
    code === openCurly ||
    code === closeCurly ||
    isWord(code) ||
    isOddSpace(code) ||
    fullWidth.has(code)
  )
}

export function wordEnd(text: string, start: number): number {
  let end = start + 1
  while (isWordPart(text.charCodeAt(end)) && !isComment(text, end)) end += 1
  return end
}

export const isComment = (text: string, at: number) =>
  text.charCodeAt(at) === slash && (text.charCodeAt(at + 1) === slash || text.charCodeAt(at + 1) === asterisk)

/** Returns the offset of the next line break, at most `limit`. */
export function lineEnd(text: string, start: number, limit = text.length): number {
  let end = start
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (isLineBreak(code)) break
    end += 1
  }
  return end
}

/** Returns the offset after the bracket that closes the one at `start`, or the end of the text. */
export function bracketEnd(text: string, start: number): number {
  let depth = 0
  for (let pos = start; pos < text.length; pos += 1) {
    const code = text.charCodeAt(pos)
    if (code === quote) {
      pos = stringEnd(text, pos)
    } else if (code === openCurly || code === openSquare) {
      depth += 1
    } else if (code === closeCurly || code === closeSquare) {
      depth -= 1
      if (depth === 0) return pos + 1
    }
  }
  return text.length
}

/** Counts opening minus closing brackets outside of strings and comments. */
export function bracketBalance(text: string): { curly: number; square: number } {
  const balance = { curly: 0, square: 0 }
  for (let pos = 0; pos < text.length; pos += 1) {
    const code = text.charCodeAt(pos)
    if (code === quote) pos = stringEnd(text, pos)
    else if (isComment(text, pos)) pos = commentEnd(text, pos)
    else if (code === openCurly) balance.curly += 1
    else if (code === closeCurly) balance.curly -= 1
    else if (code === openSquare) balance.square += 1
    else if (code === closeSquare) balance.square -= 1
  }
  return balance
}

/** Returns the offset of the closing quote, or of the line break before it. */
function stringEnd(text: string, start: number): number {
  for (let pos = start + 1; pos < text.length; pos += 1) {
    const code = text.charCodeAt(pos)
    if (code === quote || code === lineFeed) return pos
    if (code === backslash) pos += 1
  }
  return text.length
}

/** Returns the offset of the last character of a comment. */
function commentEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) === slash) return lineEnd(text, start)
  const end = text.indexOf('*/', start + 2)
  return end < 0 ? text.length : end + 1
}

/** Matches a key and its colon. The quantifiers are bounded, because it is tested at every key. */
export const nextKey = /"(?:[^"\\\r\n]|\\.){0,100}"\s{0,20}:/y
