import { readConditionals, splitIntoVariants } from './conditional/blocks.ts'
import { type Build, buildOf, type Os } from './conditional/builds.ts'
import type { Finding, Platform } from './diagnostic.ts'
import { type Model, readModel } from './model.ts'
import { Lines } from './parse/lines.ts'
import type { Node } from './parse/nodes.ts'
import { ObjectCache } from './parse/objectCache.ts'
import { parse } from './parse/parse.ts'

/** What one or more builds see of a file. `syntax` are its faults of form. */
export type Variant = {
  readonly builds: readonly Build[]
  readonly platforms: readonly Platform[]
  readonly root: Node | undefined
  readonly syntax: readonly Finding[]
  readonly model: Model
}

/** A pages.json that has been read; any text gives one, however broken. */
export type PagesConfig = {
  readonly text: string
  readonly lines: Lines
  /** Every build is in exactly one variant. */
  readonly variants: readonly Variant[]
  /** Faults of the conditional comments themselves. */
  readonly conditionals: readonly Finding[]
}

/** Reads the text of a pages.json: comments, trailing commas, conditional comments and a byte order mark are fine. Never throws. */
export function readPages(text: string): PagesConfig {
  const { blocks, findings } = readConditionals(text)
  const shared = blocks.length > 0 ? new ObjectCache() : undefined
  return {
    text,
    lines: new Lines(text),
    conditionals: findings,
    variants: splitIntoVariants(text, blocks).map((group) => {
      const { root, findings: syntax } = parse(group.text, shared)
      return {
        builds: group.builds,
        platforms: [...new Set(group.builds.map(({ platform }) => platform))],
        root,
        syntax,
        model: readModel(root),
      }
    }),
  }
}

/** What the build of a platform sees; App without a system is Android. */
export function variantFor(config: PagesConfig, platform: Platform, os?: Os): Variant {
  const build = buildOf(platform, os)
  return config.variants.find(({ builds }) => builds.includes(build))!
}
