import { Lines, type Platform, platforms } from '@souk/pages'

export interface Place {
  /** Path relative to the project's folder, with forward slashes. */
  readonly file: string
  /** From 1; columns count UTF-16 code units. */
  readonly line: number
  readonly column: number
}

/**
 * missing: Souk does not have it. change: the project must be changed for Souk. differs: it works, with a difference
 * that may matter.
 */
export type Section = 'missing' | 'change' | 'differs'

export interface Finding {
  readonly section: Section
  /** Subject of the finding, such as `uni.share` or `<map>`. */
  readonly subject: string
  readonly message: string
  /** Affected platforms. */
  readonly platforms: readonly Platform[]
  readonly places: readonly Place[]
  /** Set if `--write` makes the change. */
  readonly isAutomatic?: true
}

/** A finding at one place. */
export interface Report {
  section: Section
  subject: string
  message: string
  /** Default: all platforms of the report. */
  platforms?: readonly Platform[]
  file: string
  offset?: number
  isAutomatic?: boolean
}

/** Collects findings, and groups those that differ in their place or platform only. */
export class Findings {
  readonly #groups = new Map<string, { report: Report; platforms: Set<Platform>; places: Map<string, Place> }>()
  readonly #lines = new Map<string, Lines>()
  readonly #asked: readonly Platform[]

  constructor(asked: readonly Platform[]) {
    this.#asked = asked
  }

  /** @param text content of the file, without which there is no line */
  add(report: Report, text?: string): void {
    const affected = (report.platforms ?? platforms).filter((each) => this.#asked.includes(each))
    if (affected.length === 0) return
    const { section, subject, message, file, offset = 0, isAutomatic = false } = report
    const key = JSON.stringify([section, subject, message, isAutomatic])
    const group = this.#groups.get(key) ?? { report, platforms: new Set(), places: new Map() }
    this.#groups.set(key, group)
    for (const platform of affected) group.platforms.add(platform)
    const lines = this.#lines.get(file) ?? new Lines(text ?? '')
    if (text !== undefined) this.#lines.set(file, lines)
    group.places.set(`${file}:${offset}`, { file, ...lines.positionAt(offset) })
  }

  all(): Finding[] {
    return [...this.#groups.values()].map(
      ({ report: { section, subject, message, isAutomatic }, platforms: affected, places }) => ({
        section,
        subject,
        message,
        platforms: platforms.filter((each) => affected.has(each)),
        places: [...places.values()],
        ...(isAutomatic && { isAutomatic }),
      }),
    )
  }
}
