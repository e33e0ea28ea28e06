import { closest } from '../closest.ts'
import type { PagesConfig } from '../config.ts'
import type { Edit, Finding, Platform } from '../diagnostic.ts'
import type { Files } from '../files.ts'
import type { Model, PageEntry } from '../model.ts'
import type { Node, ObjectNode, Property } from '../parse/nodes.ts'

/** The oldest versions that the mini app is to run on, as in `{ App: '2.6.0' }`; none means the newest. */
export type Targets = Partial<Record<Platform, string>>

/** What a check works with: one variant of the file, and where to say what it finds. */
export type Context = {
  readonly config: PagesConfig
  readonly root: Node | undefined
  readonly model: Model
  /** The builds that see what is checked. */
  readonly platforms: readonly Platform[]
  readonly files: Files | undefined
  readonly targets: Targets
  readonly hasTargets: boolean
  /** Without `concerned` it concerns all of `platforms`. */
  readonly report: (finding: Finding, concerned?: readonly Platform[]) => void
  /** What the object of a page is checked in: it concerns all builds that see it. Undefined where it has been checked for them. */
  readonly contextOf: (page: ObjectNode) => Context | undefined
  /** For keys that work on some platforms only: `key-platform` is reported where no variant has one of them. */
  readonly reportPlatform: (property: Property, works: readonly Platform[], section: string) => void
  /** A did-you-mean; after many of them in one file it stays silent, so that checking stays linear. */
  readonly suggest: (word: string, candidates: ReadonlySet<string> | ReadonlyMap<string, unknown>) => string | undefined
}

/** A single rule of the document, or of Souk, about the file as a whole. */
export type Check = (context: Context) => void

/**
 * A rule about each page: prepares what it needs, and then looks at one page after the other, and at globalStyle, which is no page. Pages that
 * several builds see are looked at once.
 */
export type PageCheck = (context: Context) => (style: ObjectNode | undefined, page: PageEntry | undefined) => void

export const at = (node: Node): { offset: number; length: number } => ({
  offset: node.offset,
  length: node.end - node.offset,
})

/** Puts a property at the beginning of an object, in the form of the one that stands there. */
export function insertion(text: string, node: ObjectNode, key: string, value: string): Edit {
  const first = node.properties[0]
  const space = first === undefined ? '' : text.slice(node.offset + 1, first.key.offset)
  const form = /^\s*$/.test(space) ? space : ' '
  const written = `${form}${JSON.stringify(key)}: ${value}${first === undefined ? '' : ','}`
  return { offset: node.offset + 1, length: 0, text: written }
}

/** Allows about as many comparisons as keep a file of any size fast. */
export function createSuggester(): Context['suggest'] {
  let left = 200_000
  return (word, candidates) => {
    left -= candidates.size
    return left < 0 ? undefined : closest(word, candidates.keys())
  }
}
