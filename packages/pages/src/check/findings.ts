import { foreignBuildTest, type PagesConfig, type Variant, variantsAt } from '../config.ts'
import { type Diagnostic, type Finding, type Platform, platforms } from '../diagnostic.ts'
import type { Property } from '../parse/nodes.ts'
import { type Code, codes, type Severity } from './codes.ts'
import { at } from './context.ts'

/** A key that works on some platforms only, and the platforms of the variants that contain it. */
type RestrictedKey = {
  readonly property: Property
  readonly works: readonly Platform[]
  readonly section: string
  readonly affected: Set<Platform>
}

/** Codes of keys without effect, which are only reported if no build that contains the key has a use for it. */
const ineffective: ReadonlySet<Code> = new Set(['key-no-effect', 'bar-hidden'])

/** Collects the findings of all variants and merges equal ones into one diagnostic. */
export class Findings {
  readonly #found = new Map<string, { readonly finding: Finding; readonly affected: Set<Platform> }>()
  /** Keys, by offset, that have no effect in some variant. */
  readonly #ineffective = new Map<number, RestrictedKey>()
  /** Offsets of keys that work in some variant. */
  readonly #working = new Set<number>()
  /** The platforms of each variant for which a finding of a key without effect was added, by code and offset. */
  readonly #useless = new Map<string, Map<Variant, Set<Platform>>>()

  readonly #config: PagesConfig

  constructor(config: PagesConfig) {
    this.#config = config
  }

  /** `variants` are those in which the finding was found. */
  add(finding: Finding, affected: readonly Platform[], variants: readonly Variant[] = []): void {
    if (affected.length === 0) return
    if (ineffective.has(finding.code)) this.#addUseless(finding, affected, variants)
    const key = `${finding.code} ${finding.offset} ${finding.length} ${finding.message}`
    const existing = this.#found.get(key)
    if (existing === undefined) this.#found.set(key, { finding, affected: new Set(affected) })
    else for (const platform of affected) existing.affected.add(platform)
  }

  #addUseless({ code, offset }: Finding, affected: readonly Platform[], variants: readonly Variant[]): void {
    const key = `${code} ${offset}`
    const useless = this.#useless.get(key) ?? new Map<Variant, Set<Platform>>()
    this.#useless.set(key, useless)
    for (const variant of variants) useless.set(variant, new Set([...(useless.get(variant) ?? []), ...affected]))
  }

  /** Returns whether no build on any platform has a use for what a finding is about. */
  #isUseless({ code, offset }: Finding): boolean {
    const useless = this.#useless.get(`${code} ${offset}`)
    return variantsAt(this.#config, offset).every((variant) =>
      variant.platforms.every((platform) => useless?.get(variant)?.has(platform)),
    )
  }

  /** Adds a key that only works on some platforms: `key-platform` is reported unless it works in some variant. */
  addRestricted(property: Property, works: readonly Platform[], section: string, seenBy: readonly Platform[]): void {
    const { offset } = property.key
    const existing = this.#ineffective.get(offset)
    if (works.some((platform) => seenBy.includes(platform))) this.#working.add(offset)
    else if (existing) for (const platform of seenBy) existing.affected.add(platform)
    else this.#ineffective.set(offset, { property, works, section, affected: new Set(seenBy) })
  }

  /** Returns the diagnostics, sorted by offset. */
  diagnostics(): Diagnostic[] {
    const isForForeignBuild = foreignBuildTest(this.#config)
    for (const [offset, { property, works, section, affected }] of [...this.#ineffective].sort(([a], [b]) => a - b)) {
      if (this.#working.has(offset) || isForForeignBuild(offset, works)) continue
      const message = `"${property.key.value}" has no effect: it works on ${works.join(' and ')} (pages-json §${section}), but this block is only for ${[...affected].join(' and ')}.`
      this.add({ code: 'key-platform', ...at(property.key), message }, [...affected])
    }
    return [...this.#found.values()]
      .filter(({ finding }) => !ineffective.has(finding.code) || this.#isUseless(finding))
      .map(({ finding, affected }) => toDiagnostic(finding, affected))
      .sort((a, b) => a.offset - b.offset || b.length - a.length)
  }
}

function toDiagnostic(
  { code, offset, length, message, fix, related, runs }: Finding,
  affected: ReadonlySet<Platform>,
): Diagnostic {
  const [severity, , runsAlways] = codes[code] as readonly [Severity, string, 'runs'?]
  return {
    code,
    severity,
    blocks: severity === 'error' && !runsAlways && !runs,
    offset,
    length,
    message,
    platforms: platforms.filter((platform) => affected.has(platform)),
    ...(fix && { fix }),
    ...(related && { related }),
  }
}
