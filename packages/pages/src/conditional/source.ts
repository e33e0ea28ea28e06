import type { Finding, Platform } from '../diagnostic.ts'
import { lineEnd } from '../parse/characters.ts'
import { blank, readConditionals } from './blocks.ts'
import { buildOf, type Os } from './builds.ts'
import { type Directive, readDirective, readWord } from './directives.ts'

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

/** Finds the directives of a source file. A comment mark in a string does not count. */
export function findSourceDirectives(text: string): Directive[] {
  if (!/#(?:if|el|end)/i.test(text)) return []
  const found: Directive[] = []
  let line = new Line(text, 0)
  opening.lastIndex = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const offset = match.index
    if (offset > line.end) line = new Line(text, offset)
    const from = offset + match[0].length
    // The end is only searched for at a directive: searching at each comment would take quadratic time.
    if (readWord(text, from) === undefined || line.isQuoted(offset)) continue
    const [close, width] = match[1] === '//' ? [line.end, 0] : closing(text, offset, match[1] === '/*' ? '*/' : '-->')
    const directive = readDirective(text, { offset, end: close + width, from, to: close })
    if (directive === undefined) continue
    found.push(directive)
    opening.lastIndex = directive.end
  }
  return found
}

function closing(text: string, offset: number, mark: string): [close: number, width: number] {
  const close = text.indexOf(mark, offset + 2)
  return close < 0 ? [text.length, 0] : [close, mark.length]
}

/**
 * The line that contains `offset`. Source files mix languages, and an apostrophe is not a quote in all of them. A quote
 * therefore only counts if it is closed on the same line.
 */
class Line {
  readonly end: number
  readonly #text: string
  readonly #lastQuotes = new Map<string, number>()
  #pos: number
  #quote = ''

  constructor(text: string, offset: number) {
    this.#text = text
    this.#pos = text.lastIndexOf('\n', offset - 1) + 1
    this.end = lineEnd(text, offset)
  }

  /** Returns whether an offset is inside a string. Offsets must increase: each character is read once. */
  isQuoted(offset: number): boolean {
    for (; this.#pos < offset; this.#pos += 1) {
      const character = this.#text[this.#pos]!
      if (character === '\\') this.#pos += 1
      else if (this.#quote === '' && (character === '"' || character === "'" || character === '`'))
        this.#quote = character
      else if (character === this.#quote) this.#quote = ''
    }
    return this.#quote !== '' && this.#lastIndexOf(this.#quote) > offset
  }

  #lastIndexOf(quote: string): number {
    const index = this.#lastQuotes.get(quote) ?? this.#text.lastIndexOf(quote, this.end - 1)
    this.#lastQuotes.set(quote, index)
    return index
  }
}
