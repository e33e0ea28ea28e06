import { closest } from '../closest.ts'
import { lineEnd } from '../parse/parse.ts'

const words = ['ifdef', 'ifndef', 'else', 'endif'] as const

/** A comment that starts, turns or ends a conditional block. Offsets are those of the comment and of what follows its word. */
export type Directive = {
  readonly word: (typeof words)[number] | 'unknown'
  readonly raw: string
  readonly offset: number
  readonly end: number
  readonly expression: string
  readonly expressionOffset: number
}

/**
 * Finds the comments that begin with `#ifdef` and its like, in `//`, `/* … *​/` and `<!-- … -->`. What stands inside a text in quotes
 * is no comment, and what stands inside a comment after other words is no directive.
 */
export function findDirectives(text: string): Directive[] {
  if (!/#(?:if|el|end)/i.test(text)) return []
  const found: Directive[] = []
  let pos = 0
  while (pos < text.length) {
    const code = text.charCodeAt(pos)
    if (code === 34 || code === 39) {
      pos = quoteEnd(text, pos, code)
    } else if (code === 47 && text.charCodeAt(pos + 1) === 47) {
      const end = lineEnd(text, pos)
      add(found, text, pos, end, pos + 2, end)
      pos = end
    } else if (code === 47 && text.charCodeAt(pos + 1) === 42) {
      const close = text.indexOf('*/', pos + 2)
      const end = close < 0 ? text.length : close + 2
      add(found, text, pos, end, pos + 2, close < 0 ? text.length : close)
      pos = end
    } else if (code === 60 && text.startsWith('<!--', pos)) {
      const close = text.indexOf('-->', pos + 4)
      const end = close < 0 ? lineEnd(text, pos) : close + 3
      add(found, text, pos, end, pos + 4, close < 0 ? end : close)
      pos = end
    } else {
      pos += 1
    }
  }
  return found
}

function add(found: Directive[], text: string, offset: number, end: number, from: number, to: number): void {
  let start = from
  while (start < to && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start += 1
  const directive = readDirective(text, offset, end, start, to)
  if (directive) found.push(directive)
}

/** Reads the comment from `offset` to `end`, whose words stand from `start` to `to`; undefined where it is no directive. */
export function readDirective(
  text: string,
  offset: number,
  end: number,
  start: number,
  to: number,
): Directive | undefined {
  if (text.charCodeAt(start) !== 35) return undefined
  const lineTo = Math.min(to, lineEnd(text, start))
  const match = /^#(\w+)[ \t]*/.exec(text.slice(start, lineTo))
  const raw = match?.[1]
  if (match === null || raw === undefined) return undefined
  const word = words.find((each) => each === raw) ?? 'unknown'
  // Other words behind a # are no directives that went wrong.
  if (word === 'unknown' && !/^(?:if|elif|elseif|end)$/i.test(raw) && !closest(raw, words)) return undefined
  const expressionOffset = start + match[0].length
  return {
    word,
    raw,
    offset,
    end,
    expression: text.slice(expressionOffset, lineTo).trimEnd(),
    expressionOffset,
  }
}

/** As the parser sees it: a text ends at its quote or, where that is missing, with its line. */
function quoteEnd(text: string, start: number, quote: number): number {
  for (let pos = start + 1; pos < text.length; pos += 1) {
    const code = text.charCodeAt(pos)
    if (code === quote) return pos + 1
    if (code === 10 || code === 13) return pos
    if (code === 92 && text.charCodeAt(pos + 1) !== 10 && text.charCodeAt(pos + 1) !== 13) pos += 1
  }
  return text.length
}
