import { closest } from '../closest.ts'
import type { Finding } from '../diagnostic.ts'
import { type Build, builds, definedNames, foreignNames } from './builds.ts'
import { type Directive, findDirectives } from './directives.ts'
import { type Expression, parseExpression } from './expression.ts'

/** A range of text that only some builds include. */
export type Block = {
  readonly offset: number
  readonly end: number
  /** The comments around it. */
  readonly opening: Directive
  readonly closing: Directive
  readonly isIncludedIn: (build: Build) => boolean
  /** The builds that its condition names. */
  readonly names: readonly string[]
}

export type Conditionals = { readonly blocks: readonly Block[]; readonly findings: readonly Finding[] }

/**
 * Pairs the conditional comments of a text. Unbalanced ones are reported and have no effect, so that the rest of the
 * file is still checked.
 */
export function readConditionals(text: string, directives: Iterable<Directive> = findDirectives(text)): Conditionals {
  const findings: Finding[] = []
  const blocks: Block[] = []
  // A file has many blocks, but few distinct conditions.
  const parsed = new Map<string, Expression | string>()
  const open: OpenBlock[] = []
  for (const directive of directives) {
    const { word, offset, end } = directive
    const length = end - offset
    if (word === 'ifdef' || word === 'ifndef') {
      open.push({
        directive,
        opening: directive,
        from: end,
        ...conditionOf(directive, findings, parsed),
        beforeElse: [],
      })
    } else if (word === 'unknown') {
      const message = `#${directive.raw} is not a directive: use #ifdef, #ifndef, #else or #endif.`
      findings.push({ code: 'conditional-unknown', offset, length, message })
    } else {
      const start = open.at(-1)
      if (start === undefined) {
        const message = `This #${word} has no matching #ifdef or #ifndef: remove it, or add the missing one.`
        findings.push({ code: 'conditional-unbalanced', offset, length, message })
        continue
      }
      if (word === 'else' && start.beforeElse.length > 0) {
        const message = `This #${start.directive.raw} already has an #else: this one has no effect. Remove one of the two.`
        findings.push({ code: 'conditional-unbalanced', offset, length, message })
        continue
      }
      const { isIncludedIn, names, opening } = start
      const block = { offset: start.from, end: offset, opening, closing: directive, isIncludedIn, names }
      open.pop()
      if (word === 'else') {
        const isOther = (build: Build) => !isIncludedIn(build)
        open.push({ ...start, opening: directive, from: end, isIncludedIn: isOther, beforeElse: [block] })
      } else blocks.push(...start.beforeElse, block)
    }
  }
  for (const { directive } of open) {
    const { offset, end } = directive
    const message = `This #${directive.raw} is not closed and has no effect: write "// #endif" at the end of its block.`
    findings.push({ code: 'conditional-unbalanced', offset, length: end - offset, message })
  }
  blocks.sort((a, b) => a.offset - b.offset)
  return { blocks, findings }
}

type Condition = Pick<Block, 'isIncludedIn' | 'names'>

/** `beforeElse` contains the part before the `#else`, if there is one: it only counts if the block is closed. */
type OpenBlock = Condition & {
  readonly directive: Directive
  readonly opening: Directive
  readonly from: number
  readonly beforeElse: readonly Block[]
}

/**
 * Parses the condition of a block. A block with an invalid condition is included in every build, so that it is still
 * checked.
 */
function conditionOf(
  { word, raw, expression, expressionOffset, offset, end }: Directive,
  findings: Finding[],
  cache: Map<string, Expression | string>,
): Condition {
  const condition = cache.get(expression) ?? parseExpression(expression)
  cache.set(expression, condition)
  if (typeof condition === 'string') {
    const place =
      expression === '' ? { offset, length: end - offset } : { offset: expressionOffset, length: expression.length }
    const message = `The condition of this #${raw} is not valid: ${condition}. Combine build names with ||, &&, ! and parentheses, as in "#ifdef H5 || APP".`
    findings.push({ code: 'conditional-expression', ...place, message })
    return { isIncludedIn: () => true, names: [] }
  }
  for (const { name, offset: inner } of condition.names) {
    if (definedNames.has(name) || foreignNames.has(name)) continue
    const suggestion = closest(name, [...definedNames, ...foreignNames])
    const message = `There is no build named ${name}${suggestion ? `: did you mean ${suggestion}?` : ', so this condition is never met.'}`
    const place = { offset: expressionOffset + inner, length: name.length }
    const fix = suggestion && { title: `Write ${suggestion}`, edits: [{ ...place, text: suggestion }] }
    findings.push({ code: 'conditional-name', ...place, message, ...(fix && { fix }) })
  }
  return {
    isIncludedIn: ({ defines }) => condition.holds(defines) === (word === 'ifdef'),
    names: condition.names.map(({ name }) => name),
  }
}

/**
 * Groups the builds that see the same text. Excluded blocks are replaced by spaces, so that offsets stay valid (ADR
 * 102).
 */
export function splitIntoVariants(
  text: string,
  blocks: readonly Block[],
): { text: string; builds: readonly Build[] }[] {
  const groups = new Map<string, { text: string; builds: Build[] }>()
  for (const build of builds) {
    const included = blocks.map((block) => block.isIncludedIn(build))
    const signature = included.map((is) => (is ? '1' : '0')).join('')
    const group = groups.get(signature)
    if (group) {
      group.builds.push(build)
    } else {
      const excluded = blocks.filter((_, index) => !included[index])
      groups.set(signature, { text: blank(text, excluded), builds: [build] })
    }
  }
  return [...groups.values()]
}

/** Replaces ranges, sorted by offset, with spaces. Line breaks stay, because syntax errors depend on them. */
export function blank(text: string, ranges: readonly { offset: number; end: number }[]): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { offset, end } of ranges) {
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
