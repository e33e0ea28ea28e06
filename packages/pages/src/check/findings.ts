import { type Diagnostic, type Finding, type Platform, platforms } from '../diagnostic.ts'
import type { Property } from '../parse/nodes.ts'
import { codes } from './codes.ts'
import { at } from './context.ts'

type Idle = {
  readonly property: Property
  readonly works: readonly Platform[]
  readonly section: string
  readonly concerned: Set<Platform>
}

/** What the checks find in the variants of a file; what several of them find is one diagnostic. */
export class Findings {
  readonly #found = new Map<string, { readonly finding: Finding; readonly concerned: Set<Platform> }>()
  /** Keys by their offsets: those that some builds see in vain, and those that work in some build. */
  readonly #idle = new Map<number, Idle>()
  readonly #working = new Set<number>()

  add(finding: Finding, concerned: readonly Platform[]): void {
    if (concerned.length === 0) return
    const key = `${finding.code} ${finding.offset} ${finding.length} ${finding.message}`
    const known = this.#found.get(key)
    if (known === undefined) this.#found.set(key, { finding, concerned: new Set(concerned) })
    else for (const platform of concerned) known.concerned.add(platform)
  }

  /** A key that works on some platforms only: `key-platform` where none of the builds that see it has one of them. */
  addRestricted(property: Property, works: readonly Platform[], section: string, seenBy: readonly Platform[]): void {
    const { offset } = property.key
    const known = this.#idle.get(offset)
    if (works.some((platform) => seenBy.includes(platform))) this.#working.add(offset)
    else if (known) for (const platform of seenBy) known.concerned.add(platform)
    else this.#idle.set(offset, { property, works, section, concerned: new Set(seenBy) })
  }

  /** Sorted by place. */
  diagnostics(): Diagnostic[] {
    for (const [offset, { property, works, section, concerned }] of this.#idle) {
      if (this.#working.has(offset)) continue
      const message = `"${property.key.value}" has no effect here: it works on ${works.join(' and ')} (§${section}), and this block is only for ${[...concerned].join(' and ')}.`
      this.add({ code: 'key-platform', ...at(property.key), message }, [...concerned])
    }
    return [...this.#found.values()]
      .map(({ finding, concerned }) => toDiagnostic(finding, concerned))
      .sort((a, b) => a.offset - b.offset || b.length - a.length)
  }
}

function toDiagnostic(
  { code, offset, length, message, fix, related }: Finding,
  concerned: ReadonlySet<Platform>,
): Diagnostic {
  return {
    code,
    severity: codes[code][0],
    offset,
    length,
    message,
    platforms: platforms.filter((platform) => concerned.has(platform)),
    ...(fix && { fix }),
    ...(related && { related }),
  }
}
