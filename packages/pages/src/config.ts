import { type Block, blank, readConditionals, splitIntoVariants } from './conditional/blocks.ts'
import { type Build, buildOf, foreignBuilds, type Os } from './conditional/builds.ts'
import type { Finding, Platform } from './diagnostic.ts'
import type { Files } from './files.ts'
import { Interpreter } from './interpret.ts'
import type { Theme } from './manifest.ts'
import { type Model, readModel } from './model.ts'
import { groupByNames, type Names, readNames } from './names.ts'
import { readConflicts } from './parse/conflicts.ts'
import { Lines } from './parse/lines.ts'
import type { Node } from './parse/nodes.ts'
import { ObjectCache } from './parse/objectCache.ts'
import { parse } from './parse/parse.ts'

/** A file after conditional compilation, as one or more builds see it. */
export type Variant = {
  /** The text of the file, with spaces for what these builds do not include. */
  readonly text: string
  readonly builds: readonly Build[]
  readonly platforms: readonly Platform[]
  readonly root: Node | undefined
  /** Syntax errors, and names that are not defined. */
  readonly syntax: readonly Finding[]
  readonly model: Model
  /** Origin of named values, by offset: a sentence for messages about them. */
  readonly origins: ReadonlyMap<number, string>
}

/** A parsed pages.json. Every text can be parsed, however broken. */
export type PagesConfig = {
  readonly text: string
  readonly lines: Lines
  /** Each build belongs to exactly one variant. */
  readonly variants: readonly Variant[]
  /** Parts that only some builds include. */
  readonly blocks: readonly Block[]
  /** Merge conflicts, and errors in the conditional comments themselves. */
  readonly preliminary: readonly Finding[]
  /** Undefined if only pages.json is known. */
  readonly names: Names | undefined
  readonly theme: Theme
}

export type ReadOptions = {
  /** The project's files, for `@name` of theme.json and `%key%` of locale/*.json. */
  readonly files?: Files | undefined
  /** Default: light. */
  readonly theme?: Theme
  /** BCP 47. Default: English, or the first language of the project. */
  readonly language?: string
}

/**
 * Parses a pages.json with comments, trailing commas, conditional comments and an optional byte order mark. Never
 * throws: errors are part of the result.
 */
export function readPages(text: string, options: ReadOptions = {}): PagesConfig {
  const { files, theme = 'light', language } = options
  const conflicts = readConflicts(text)
  const chosen = blank(text, conflicts.ignored)
  const { blocks, findings } = readConditionals(chosen)
  const names = files && readNames(files)
  const texts = splitIntoVariants(chosen, blocks)
  return {
    text,
    lines: new Lines(text),
    blocks,
    preliminary: [...conflicts.findings, ...findings],
    names,
    theme,
    variants: groupByNames(names).flatMap((platforms) => {
      const interpreter = new Interpreter(names, platforms, { theme, ...(language && { language }) })
      const cache = blocks.length > 0 ? new ObjectCache() : undefined
      return texts.flatMap((variant) => {
        const builds = variant.builds.filter(({ platform }) => platforms.includes(platform))
        return builds.length > 0 ? [readVariant(variant.text, builds, interpreter, cache)] : []
      })
    }),
  }
}

function readVariant(
  text: string,
  builds: readonly Build[],
  interpreter: Interpreter,
  cache: ObjectCache | undefined,
): Variant {
  const { root, findings } = parse(text, cache)
  const unresolved = interpreter.interpret(root)
  return {
    text,
    builds,
    platforms: [...new Set(builds.map(({ platform }) => platform))],
    root,
    syntax: [...findings, ...unresolved],
    model: readModel(root),
    origins: interpreter.origins,
  }
}

/** Lists the variants that contain what is at an offset. */
export function variantsAt({ text, variants }: PagesConfig, offset: number): readonly Variant[] {
  return variants.filter((variant) => variant.text[offset] === text[offset])
}

/**
 * Returns a function that tells whether the text at an offset is also for a build of another tool chain, which a
 * condition around it names and which is for one of the platforms. It looks at each block once, so it takes offsets in
 * ascending order.
 */
export function foreignBuildTest({ blocks }: PagesConfig): (offset: number, wanted: readonly Platform[]) => boolean {
  /** The blocks around the offset, outermost first, with the builds that include them and the names in conditions. */
  const around: { end: number; builds: readonly (readonly [string, Build])[]; named: ReadonlySet<string> }[] = []
  let next = 0
  const closeBefore = (offset: number) => {
    while (around.length > 0 && around.at(-1)!.end <= offset) around.pop()
  }
  return (offset, wanted) => {
    for (let block = blocks[next]; block && block.offset <= offset; block = blocks[next]) {
      const { isIncludedIn, names, end } = block
      closeBefore(block.offset)
      const { builds, named } = around.at(-1) ?? { builds: [...foreignBuilds], named: [] }
      const own = names.filter((name) => foreignBuilds.has(name))
      const included = builds.filter(([, build]) => isIncludedIn(build))
      around.push({ end, builds: included, named: new Set([...named, ...own]) })
      next += 1
    }
    closeBefore(offset)
    const { builds, named } = around.at(-1) ?? { builds: [], named: new Set() }
    return builds.some(([name, { platform }]) => named.has(name) && wanted.includes(platform))
  }
}

/** Returns the variant for a platform; for App and Mini App `os` defaults to Android. */
export function variantFor(config: PagesConfig, platform: Platform, os?: Os): Variant {
  const build = buildOf(platform, os)
  return config.variants.find(({ builds }) => builds.includes(build))!
}
