import { closest } from '../closest.ts'
import { char, isLineBreak, lineEnd } from '../parse/characters.ts'

const keywords = ['ifdef', 'ifndef', 'else', 'endif'] as const

/** A comment that opens, divides or closes a conditional block. `offset` and `end` are those of the comment. */
export type Directive = {
  readonly word: (typeof keywords)[number] | 'unknown'
  readonly raw: string
  readonly offset: number
  readonly end: number
  readonly expression: string
  readonly expressionOffset: number
}

/**
 * Finds the comments that begin with a directive such as `#ifdef`: `//`, `/* … *​/` and `<!-- … -->`. Ignores strings,
 * and comments with other words before the directive.
 */
export function findDirectives(text: string): Directive[] {
  if (!/#(?:if|el|end)/i.test(text)) return []
  const found: Directive[] = []
  // Searching for it at each comment that is not closed would take quadratic time.
  const lastMarkupEnd = text.lastIndexOf('-->')
  const add = (comment: Comment) => {
    const directive = readDirective(text, comment)
    if (directive) found.push(directive)
    return comment.end
  }
  let pos = 0
  while (pos < text.length) {
    const code = text.charCodeAt(pos)
    if (code === char.quote || code === char.apostrophe) {
      pos = quoteEnd(text, pos, code)
    } else if (code === char.slash && text.charCodeAt(pos + 1) === char.slash) {
      const end = lineEnd(text, pos)
      pos = add({ offset: pos, end, from: pos + 2, to: end })
    } else if (code === char.slash && text.charCodeAt(pos + 1) === char.asterisk) {
      const close = text.indexOf('*/', pos + 2)
      const end = close < 0 ? text.length : close + 2
      pos = add({ offset: pos, end, from: pos + 2, to: close < 0 ? end : close })
    } else if (code === char.lessThan && text.startsWith('<!--', pos)) {
      const close = pos + 4 > lastMarkupEnd ? -1 : text.indexOf('-->', pos + 4)
      const end = close < 0 ? lineEnd(text, pos) : close + 3
      pos = add({ offset: pos, end, from: pos + 4, to: close < 0 ? end : close })
    } else {
      pos += 1
    }
  }
  return found
}

/** A comment; its content is between `from` and `to`. */
type Comment = { readonly offset: number; readonly end: number; readonly from: number; readonly to: number }

/** Parses a comment. Undefined if it is not a directive. */
export function readDirective(text: string, { offset, end, from, to }: Comment): Directive | undefined {
  let start = from
  while (start < to && (text.charCodeAt(start) === char.space || text.charCodeAt(start) === char.tab)) start += 1
  const found = readWord(text, start)
  if (found === undefined) return undefined
  const { expressionOffset } = found
  return { ...found, offset, end, expression: text.slice(expressionOffset, lineEnd(text, start, to)).trimEnd() }
}

const hashWord = /#(\w+)[ \t]*/y

/** Reads the `#` and the word of a directive at `start`. Undefined if there is none. */
export function readWord(
  text: string,
  start: number,
): Pick<Directive, 'word' | 'raw' | 'expressionOffset'> | undefined {
  hashWord.lastIndex = start
  const match = hashWord.exec(text)
  const raw = match?.[1]
  if (match === null || raw === undefined) return undefined
  const word = keywords.find((each) => each === raw) ?? 'unknown'
  // Ignore words that are not misspelled directives, such as #region.
  if (word === 'unknown' && !/^(?:if|elif|elseif|end)$/i.test(raw) && !closest(raw, keywords)) return undefined
  return { word, raw, expressionOffset: start + match[0].length }
}

/** Returns the end of a string: at its quote or, if that is missing, at the end of the line, as in the parser. */
function quoteEnd(text: string, start: number, quote: number): number {
  for (let pos = start + 1; pos < text.length; pos += 1) {
    const code = text.charCodeAt(pos)
    if (code === quote) return pos + 1
    if (isLineBreak(code)) return pos
    if (code === char.backslash && !isLineBreak(text.charCodeAt(pos + 1))) pos += 1
  }
  return text.length
}
