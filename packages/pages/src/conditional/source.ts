import type { Finding, Platform } from '../diagnostic.ts'
import { lineEnd } from '../parse/parse.ts'
import { blank, readConditionals } from './blocks.ts'
import { buildOf, type Os } from './builds.ts'
import { type Directive, readDirective } from './directives.ts'

/**
 * The text of a source file (script, template, style, JSON) as the build of a platform sees it: what its conditional comments leave out and the
 * comments themselves are blanked, so that every offset stays true. Without such comments it is the text itself.
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
  const left = [...directives, ...blocks.filter((block) => !block.keptBy(build))]
  return {
    text: blank(
      text,
      left.sort((a, b) => a.offset - b.offset || b.end - a.end),
    ),
    findings,
  }
}

const opening = /(\/\/|\/\*|<!--)[ \t]*(?=#(?:if|el|end))/gi

/**
 * Unlike in pages.json a file mixes languages, in some of which an apostrophe is no quote. So a quote counts only where its counterpart stands on the
 * same line, behind the comment.
 */
function findSourceDirectives(text: string): Directive[] {
  if (!/#(?:if|el|end)/i.test(text)) return []
  const found: Directive[] = []
  opening.lastIndex = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const offset = match.index
    const line = lineEnd(text, offset)
    const [close, width] = match[1] === '//' ? [line, 0] : closing(text, offset, match[1] === '/*' ? '*/' : '-->')
    const directive = readDirective(text, offset, close + width, offset + match[0].length, close)
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
    const sign = text[pos]!
    if (sign === '\\') pos += 1
    else if (quote === '' && (sign === '"' || sign === "'" || sign === '`')) quote = sign
    else if (sign === quote) quote = ''
  }
  return quote !== '' && text.slice(offset, line).includes(quote)
}
