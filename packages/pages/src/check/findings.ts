import { type Diagnostic, type Finding, type Platform, platforms } from '../diagnostic.ts'
import type { Property } from '../parse/nodes.ts'
import { codes } from './codes.ts'
import { at } from './context.ts'

/** A key that works on some platforms only, and the platforms of the variants that contain it. */
type RestrictedKey = {
  readonly property: Property
  readonly works: readonly Platform[]
  readonly section: string
  readonly affected: Set<Platform>
}

/** Collects the findings of all variants and merges equal ones into one diagnostic. */
export class Findings {
  readonly #found = new Map<string, { readonly finding: Finding; readonly affected: Set<Platform> }>()
  /** Keys, by offset, that have no effect in some variant. */
  readonly #ineffective = new Map<number, RestrictedKey>()
  /** Offsets of keys that work in some variant. */
  readonly #working = new Set<number>()

  add(finding: Finding, affected: readonly Platform[]): void {
    if (affected.length === 0) return
    const key = `${finding.code} ${finding.offset} ${finding.length} ${finding.message}`
    const known = this.#found.get(key)
    if (known === undefined) this.#found.set(key, { finding, affected: new Set(affected) })
    else for (const platform of affected) known.affected.add(platform)
  }

  /** Adds a key that only works on some platforms: `key-platform` is reported unless it works in some variant. */
  addRestricted(property: Property, works: readonly Platform[], section: string, seenBy: readonly Platform[]): void {
    const { offset } = property.key
    const known = this.#ineffective.get(offset)
    if (works.some((platform) => seenBy.includes(platform))) this.#working.add(offset)
    else if (known) for (const platform of seenBy) known.affected.add(platform)
    else this.#ineffective.set(offset, { property, works, section, affected: new Set(seenBy) })
  }

  /** Returns the diagnostics, sorted by offset. */
  diagnostics(): Diagnostic[] {
    for (const [offset, { property, works, section, affected }] of this.#ineffective) {
      if (this.#working.has(offset)) continue
      const message = `"${property.key.value}" has no effect: it works on ${works.join(' and ')} (pages-json §${section}), but this block is only for ${[...affected].join(' and ')}.`
      this.add({ code: 'key-platform', ...at(property.key), message }, [...affected])
    }
    return [...this.#found.values()]
      .map(({ finding, affected }) => toDiagnostic(finding, affected))
      .sort((a, b) => a.offset - b.offset || b.length - a.length)
  }
}

function toDiagnostic(
  { code, offset, length, message, fix, related }: Finding,
  affected: ReadonlySet<Platform>,
): Diagnostic {
  return {
    code,
    severity: codes[code][0],
    offset,
    length,
    message,
    platforms: platforms.filter((platform) => affected.has(platform)),
    ...(fix && { fix }),
    ...(related && { related }),
  }
}
