import { type Platform, platforms } from '../diagnostic.ts'
import { type Block, readConditionals } from './blocks.ts'
import { type Build, builds } from './builds.ts'
import { findSourceDirectives } from './source.ts'

/** A guarded block that the build for a platform drops, while no branch for that platform exists. */
export type DroppedBlock = {
  /** Place of the comment that opens the block. */
  readonly offset: number
  readonly length: number
  /** Its condition, such as `#ifdef APP-PLUS`. */
  readonly condition: string
  /** The other platforms whose builds include the block; at least one. */
  readonly keptBy: readonly Platform[]
}

/**
 * Returns the blocks of a source file (script, template, style, JSON) that the build for a platform drops in silence:
 * other platforms keep them, and neither a block beside them nor one that declares the same name is for this platform.
 * Blocks that no platform of Souk keeps, such as those for MP-WEIXIN, are not among them.
 */
export function droppedBlocks(text: string, platform: Platform): DroppedBlock[] {
  const directives = findSourceDirectives(text)
  if (directives.length === 0) return []
  const nested = nest(readConditionals(text, directives).blocks)
  const declared = new Set(
    nested
      .filter((block) => isIn(block, platform))
      .flatMap(({ offset, end }) => declarationIn(text, offset, end) ?? []),
  )
  return groups(nested, text).flatMap((group) => {
    if (group.some((block) => isIn(block, platform))) return []
    return group.flatMap((block) => {
      const { offset, end, opening, parent } = block
      // The block around it is reported instead.
      if (parent !== undefined && !isIn(parent, platform)) return []
      const keptBy = platforms.filter((each) => isIn(block, each))
      const name = declarationIn(text, offset, end)
      if (keptBy.length === 0 || !hasContent(text, offset, end) || (name !== undefined && declared.has(name))) return []
      const condition = `#${opening.raw} ${opening.expression}`
      return [{ offset: opening.offset, length: opening.end - opening.offset, condition, keptBy }]
    })
  })
}

/** Returns a sentence about a block that the build for a platform drops. */
export const droppedMessage = ({ condition, keptBy }: DroppedBlock, platform: Platform): string =>
  `The block of ${condition} is not in a build for ${platform}, which has no branch of its own: it is kept by ${keptBy.join(' and ')} only.`

/** A block, the one that contains it, and the builds that include both. */
type Nested = Block & { readonly parent: Nested | undefined; readonly builds: readonly Build[] }

function nest(blocks: readonly Block[]): Nested[] {
  const around: Nested[] = []
  return blocks.map((block) => {
    while (around.length > 0 && around.at(-1)!.end <= block.offset) around.pop()
    const parent = around.at(-1)
    const nested = { ...block, parent, builds: (parent?.builds ?? builds).filter(block.isIncludedIn) }
    around.push(nested)
    return nested
  })
}

/** Returns whether a build for a platform, on any system, includes a block. */
const isIn = (block: Nested, platform: Platform): boolean => block.builds.some((build) => build.platform === platform)

/** Groups blocks that are branches of one decision: those of an #else, and those with nothing between them. */
function groups(blocks: readonly Nested[], text: string): Nested[][] {
  const last = new Map<Nested | undefined, Nested[]>()
  const all: Nested[][] = []
  for (const block of blocks) {
    const group = last.get(block.parent)
    const from = group?.at(-1)?.closing.end
    const isNext =
      from !== undefined && (from > block.opening.offset || isBlank(text.slice(from, block.opening.offset)))
    if (group !== undefined && isNext) group.push(block)
    else {
      const next = [block]
      last.set(block.parent, next)
      all.push(next)
    }
  }
  return all
}

/** Accepts white space, separators and line comments. */
const isBlank = (text: string): boolean => /^(?:[\s,;]|\/\/[^\n]*(?:\n|$))*$/.test(text)

const hasContent = (text: string, offset: number, end: number): boolean => !isBlank(text.slice(offset, end))

/**
 * Returns what the first line of a block declares: a variable, function, import, option, assigned property or CSS rule;
 * undefined if it is another statement.
 */
function declarationIn(text: string, offset: number, end: number): string | undefined {
  const start = text.slice(offset, Math.min(end, offset + 1000))
  const line = /^(?:[\s,;]|\/\/[^\n]*(?:\n|$))*(.*)/.exec(start)?.[1] ?? ''
  const found = declarations.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined)
  return found?.replace(/\s+/g, ' ')
}

const declarations = [
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:import|const|let|var|function|class)\s+(\{[^}]*\}|[\w$]+)/,
  /^((?:this\.)?[\w$]+)\s*=(?!=)/,
  /^["']?([\w$-]+)["']?\s*:(?!:)/,
  /^(?:async\s+)?([\w$]+)\s*\([^()]*\)\s*\{$/,
  /^([.#@\w][^{};]*)\{/,
]
