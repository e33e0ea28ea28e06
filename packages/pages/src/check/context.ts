import { closest } from '../closest.ts'
import type { PagesConfig } from '../config.ts'
import type { Edit, Finding, Platform } from '../diagnostic.ts'
import type { Files } from '../files.ts'
import type { Model, PageEntry } from '../model.ts'
import type { Node, ObjectNode, Property } from '../parse/nodes.ts'

/** The oldest supported version of each platform, as in `{ App: '2.6.0' }`. Default: the newest. */
export type Targets = Partial<Record<Platform, string>>

/** The input of a check, one variant of the file, and functions that report findings. */
export type Context = {
  readonly config: PagesConfig
  readonly root: Node | undefined
  readonly model: Model
  /** The platforms whose builds contain what is checked. */
  readonly platforms: readonly Platform[]
  readonly files: Files | undefined
  readonly targets: Targets
  readonly hasTargets: boolean
  /** The platform of the build, where attributes that it drops are reported. */
  readonly build: Platform | undefined
  /** If `affected` is omitted, applies to all `platforms`. */
  readonly report: (finding: Finding, affected?: readonly Platform[]) => void
  /**
   * Returns the context for the object of a page, which several variants may share; undefined if it was already
   * checked.
   */
  readonly contextOf: (page: ObjectNode) => Context | undefined
  /** Reports `key-platform` for a key that works on none of the platforms whose variants contain it. */
  readonly reportPlatform: (property: Property, works: readonly Platform[], section: string) => void
  /** Suggests a correction. Stops after many comparisons, so that checking stays linear. */
  readonly suggest: (word: string, candidates: ReadonlySet<string> | ReadonlyMap<string, unknown>) => string | undefined
}

/** Checks a single rule for the whole file. */
export type Check = (context: Context) => void

/**
 * Checks a single rule for each page. The returned function is called for every page, and for globalStyle without a
 * page. Pages that variants share are checked once.
 */
export type PageCheck = (context: Context) => (style: ObjectNode | undefined, page: PageEntry | undefined) => void

export const at = (node: Node): { offset: number; length: number } => ({
  offset: node.offset,
  length: node.end - node.offset,
})

/** Inserts a property at the beginning of an object, formatted like the first one. */
export function insertion(text: string, node: ObjectNode, key: string, value: string): Edit {
  const first = node.properties[0]
  const space = first === undefined ? '' : text.slice(node.offset + 1, first.key.offset)
  const separator = /^\s*$/.test(space) ? space : ' '
  const written = `${separator}${JSON.stringify(key)}: ${value}${first === undefined ? '' : ','}`
  return { offset: node.offset + 1, length: 0, text: written }
}

/** Creates a `suggest` function with a limited number of comparisons. */
export function createSuggester(): Context['suggest'] {
  let comparisons = 200_000
  return (word, candidates) => {
    comparisons -= candidates.size
    return comparisons < 0 ? undefined : closest(word, candidates.keys())
  }
}
