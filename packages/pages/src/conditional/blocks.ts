import { closest } from '../closest.ts'
import type { Finding } from '../diagnostic.ts'
import { type Build, builds, definedNames, foreignNames } from './builds.ts'
import { type Directive, findDirectives } from './directives.ts'
import { type Expression, readExpression } from './expression.ts'

/** A stretch of text that only some builds keep. */
export type Block = { readonly offset: number; readonly end: number; readonly keptBy: (build: Build) => boolean }

export type Conditionals = { readonly blocks: readonly Block[]; readonly findings: readonly Finding[] }

/**
 * Pairs the conditional comments of a text. What is out of balance is reported and has no effect, so that the rest of the file is
 * still read.
 */
export function readConditionals(text: string, directives: Iterable<Directive> = findDirectives(text)): Conditionals {
  const findings: Finding[] = []
  const blocks: Block[] = []
  // A file has many blocks and few conditions.
  const read = new Map<string, Expression | string>()
  const open: { directive: Directive; from: number; keptBy: Block['keptBy']; isElse: boolean }[] = []
  for (const directive of directives) {
    const { word, offset, end } = directive
    const length = end - offset
    if (word === 'ifdef' || word === 'ifndef') {
      open.push({ directive, from: end, keptBy: readTest(directive, findings, read), isElse: false })
    } else if (word === 'unknown') {
      const message = `#${directive.raw} is not known: there are #ifdef, #ifndef, #else and #endif.`
      findings.push({ code: 'conditional-unknown', offset, length, message })
    } else {
      const start = open.at(-1)
      if (start === undefined) {
        const message = `This #${word} has no #ifdef or #ifndef before it: remove it, or write the one that is missing.`
        findings.push({ code: 'conditional-unbalanced', offset, length, message })
        continue
      }
      if (word === 'else' && start.isElse) {
        const message = `This #${start.directive.raw} has an #else already: remove one of the two, which has no effect.`
        findings.push({ code: 'conditional-unbalanced', offset, length, message })
        continue
      }
      blocks.push({ offset: start.from, end: offset, keptBy: start.keptBy })
      open.pop()
      if (word === 'else') {
        open.push({ directive: start.directive, from: end, keptBy: (build) => !start.keptBy(build), isElse: true })
      }
    }
  }
  for (const { directive } of open) {
    const { offset, end } = directive
    const message = `This #${directive.raw} is never closed, so that it has no effect: write "// #endif" where its block ends.`
    findings.push({ code: 'conditional-unbalanced', offset, length: end - offset, message })
  }
  blocks.sort((a, b) => a.offset - b.offset)
  return { blocks, findings }
}

/** What cannot be read keeps its block in every build: leaving it out would hide it from every check. */
function readTest(
  { word, raw, expression, expressionOffset, offset, end }: Directive,
  findings: Finding[],
  known: Map<string, Expression | string>,
): Block['keptBy'] {
  const read = known.get(expression) ?? readExpression(expression)
  known.set(expression, read)
  if (typeof read === 'string') {
    const place =
      expression === '' ? { offset, length: end - offset } : { offset: expressionOffset, length: expression.length }
    const message = `#${raw} cannot be read: ${read}. Write names of builds with ||, &&, ! and parentheses, as in "#ifdef H5 || APP".`
    findings.push({ code: 'conditional-expression', ...place, message })
    return () => true
  }
  for (const { name, offset: inner } of read.names) {
    if (definedNames.has(name) || foreignNames.has(name)) continue
    const meant = closest(name, [...definedNames, ...foreignNames])
    const message = `No build is called ${name}${meant ? `: did you mean ${meant}?` : ': what depends on it is never built.'}`
    const place = { offset: expressionOffset + inner, length: name.length }
    const fix = meant && { title: `Write ${meant}`, edits: [{ ...place, text: meant }] }
    findings.push({ code: 'conditional-name', ...place, message, ...(fix && { fix }) })
  }
  return word === 'ifdef' ? ({ defines }) => read.holds(defines) : ({ defines }) => !read.holds(defines)
}

/**
 * The builds grouped by the text that they see: within a group it is the same one. What a group leaves out is blanked, so
 * that every offset stays true (ADR 102).
 */
export function splitIntoVariants(
  text: string,
  blocks: readonly Block[],
): { text: string; builds: readonly Build[] }[] {
  const groups = new Map<string, { text: string; builds: Build[] }>()
  for (const build of builds) {
    const kept = blocks.map((block) => block.keptBy(build))
    const signature = kept.map((keeps) => (keeps ? '1' : '0')).join('')
    const group = groups.get(signature)
    if (group) group.builds.push(build)
    else
      groups.set(signature, {
        text: blank(
          text,
          blocks.filter((_, index) => !kept[index]),
        ),
        builds: [build],
      })
  }
  return [...groups.values()]
}

/** Line breaks stay, because a fault of form may need to know where its line ends. */
export function blank(text: string, left: readonly { offset: number; end: number }[]): string {
  if (left.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { offset, end } of left) {
    if (end <= from) continue
    const start = Math.max(offset, from)
    parts.push(
      text.slice(from, start),
      text.slice(start, end).replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length)),
    )
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}
