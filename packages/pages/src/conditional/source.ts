import type { Finding, Platform } from '../diagnostic.ts'
import { lineEnd } from '../parse/characters.ts'
import { blank, readConditionals } from './blocks.ts'
import { buildOf, type Os } from './builds.ts'
import { type Directive, readDirective } from './directives.ts'

/**
 * Applies the conditional comments of a source file (script, template, style, JSON) for a platform. Excluded blocks and
 * the comments themselves are replaced by spaces, so that offsets stay valid.
 */
export function sourceFor(
  text: string,
  platform: Platform,
  os?: Os,
): { readonly text: string; readonly findings: readonly Finding[] } {
  const directives = findSourceDirectives(text)
  if (directives.length === 0) return { text, findings: [] }
  const { blocks, findings } = readConditionals(text, directives)
  const build = buildOf(platform, os)
  const excluded = [...directives, ...blocks.filter((block) => !block.isIncludedIn(build))]
  excluded.sort((a, b) => a.offset - b.offset || b.end - a.end)
  return { text: blank(text, excluded), findings }
}

const opening = /(\/\/|\/\*|<!--)[ \t]*(?=#(?:if|el|end))/gi

/**
 * Source files mix languages, in some of which an apostrophe is not a quote. A quote therefore only counts if it is
 * closed on the same line after the comment.
 */
function findSourceDirectives(text: string): Directive[] {
  if (!/#(?:if|el|end)/i.test(text)) return []
  const found: Directive[] = []
  opening.lastIndex = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const offset = match.index
    const line = lineEnd(text, offset)
    const [close, width] = match[1] === '//' ? [line, 0] : closing(text, offset, match[1] === '/*' ? '*/' : '-->')
    const directive = readDirective(text, { offset, end: close + width, from: offset + match[0].length, to: close })
    if (directive === undefined || isQuoted(text, offset, line)) continue
    found.push(directive)
    opening.lastIndex = directive.end
  }
  return found
}

function closing(text: string, offset: number, mark: string): [close: number, width: number] {
  const close = text.indexOf(mark, offset + 2)
  return close < 0 ? [text.length, 0] : [close, mark.length]
}

function isQuoted(text: string, offset: number, line: number): boolean {
  let quote = ''
  for (let pos = text.lastIndexOf('\n', offset - 1) + 1; pos < offset; pos += 1) {
    const character = text[pos]!
    if (character === '\\') pos += 1
    else if (quote === '' && (character === '"' || character === "'" || character === '`')) quote = character
    else if (character === quote) quote = ''
  }
  return quote !== '' && text.slice(offset, line).includes(quote)
}
