import { readConditionals, splitIntoVariants } from './conditional/blocks.ts'
import { type Build, buildOf, type Os } from './conditional/builds.ts'
import type { Finding, Platform } from './diagnostic.ts'
import { type Model, readModel } from './model.ts'
import { Lines } from './parse/lines.ts'
import type { Node } from './parse/nodes.ts'
import { ObjectCache } from './parse/objectCache.ts'
import { parse } from './parse/parse.ts'

/** A file after conditional compilation, as one or more builds see it. */
export type Variant = {
  readonly builds: readonly Build[]
  readonly platforms: readonly Platform[]
  readonly root: Node | undefined
  /** Syntax errors. */
  readonly syntax: readonly Finding[]
  readonly model: Model
}

/** A parsed pages.json. Every text can be parsed, however broken. */
export type PagesConfig = {
  readonly text: string
  readonly lines: Lines
  /** Each build belongs to exactly one variant. */
  readonly variants: readonly Variant[]
  /** Errors in the conditional comments themselves. */
  readonly conditionals: readonly Finding[]
}

/**
 * Parses a pages.json with comments, trailing commas, conditional comments and an optional byte order mark. Never
 * throws: errors are part of the result.
 */
export function readPages(text: string): PagesConfig {
  const { blocks, findings } = readConditionals(text)
  const cache = blocks.length > 0 ? new ObjectCache() : undefined
  return {
    text,
    lines: new Lines(text),
    conditionals: findings,
    variants: splitIntoVariants(text, blocks).map((variant) => {
      const { root, findings: syntax } = parse(variant.text, cache)
      return {
        builds: variant.builds,
        platforms: [...new Set(variant.builds.map(({ platform }) => platform))],
        root,
        syntax,
        model: readModel(root),
      }
    }),
  }
}

/** Returns the variant for a platform; for App and Mini App `os` defaults to Android. */
export function variantFor(config: PagesConfig, platform: Platform, os?: Os): Variant {
  const build = buildOf(platform, os)
  return config.variants.find(({ builds }) => builds.includes(build))!
}
