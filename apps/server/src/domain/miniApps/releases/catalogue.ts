import { categoryNames, type Language, minute } from '@souk/contract'
import type { Catalogue, CatalogueEntry, FullContext } from '../../context.ts'
import { type CatalogueRow, listCatalogueRows } from './store.ts'

/** Maximum age of the list: the delay after which a change counts even if its notification was lost. */
const maxAge = minute

/**
 * The list of mini apps in memory, since all users read it and few change it: sorting by the names of a language and
 * searching in all of them cost one process some milliseconds after a change, and the database nothing (ADR 398).
 * `forget` is called for each notification on `souk_app`, as of {@link AppDirectory}.
 */
export class MiniAppCatalogue implements Catalogue {
  readonly #context: Pick<FullContext, 'sql' | 'clock'>
  readonly #entries = new Map<string, CatalogueEntry>()
  readonly #orders = new Map<Language, readonly CatalogueEntry[]>()
  /** The mini apps to read again, or all. */
  #changed: Set<string> | 'all' = 'all'
  /** When all were read, ms. */
  #readTime = 0
  #loading: Promise<void> | undefined

  constructor(context: Pick<FullContext, 'sql' | 'clock'>) {
    this.#context = context
  }

  async sortedFor(language: Language): Promise<readonly CatalogueEntry[]> {
    if (this.#context.clock.real() - this.#readTime > maxAge) this.forgetAll()
    // A load in progress may have read before the last change.
    await this.#loading
    if (this.#changed === 'all' || this.#changed.size > 0) {
      this.#loading ??= this.#load()
      await this.#loading
    }
    return this.#orders.get(language) ?? this.#sort(language)
  }

  forget(appid: string): void {
    if (this.#changed !== 'all') this.#changed.add(appid)
  }

  forgetAll(): void {
    this.#changed = 'all'
  }

  async #load(): Promise<void> {
    const changed = this.#changed
    this.#changed = new Set()
    if (changed === 'all') this.#readTime = this.#context.clock.real()
    try {
      const rows = await listCatalogueRows(this.#context.sql, changed === 'all' ? undefined : [...changed])
      if (changed === 'all') this.#entries.clear()
      else for (const appid of changed) this.#entries.delete(appid)
      for (const row of rows) this.#entries.set(row.appid, entryOf(row))
      this.#orders.clear()
    } catch (error) {
      this.forgetAll()
      throw error
    } finally {
      this.#loading = undefined
    }
  }

  #sort(language: Language): readonly CatalogueEntry[] {
    const compare = compareIn(language)
    const sorted = [...this.#entries.values()].sort(compare)
    this.#orders.set(language, sorted)
    return sorted
  }
}

/** Returns the comparison of two mini apps by their names in a language. */
export function compareIn(language: Language) {
  const { compare } = new Intl.Collator(language.replaceAll('_', '-'))
  type Named = Pick<CatalogueEntry, 'appid' | 'name' | 'names'>
  return (one: Named, other: Named): number =>
    compare(nameIn(language, one), nameIn(language, other)) || compareTexts(one.appid, other.appid)
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/** Returns the name of a mini app in a language. */
export function nameIn(language: Language, { name, names }: Pick<CatalogueEntry, 'name' | 'names'>): string {
  return names[language] ?? name
}

/** Reduces a text to what counts in a search: no case, accents, vowel marks or forms of the same Arabic letter. */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .replaceAll('\u0671', '\u0627')
    .replaceAll('\u0649', '\u064a')
    .replaceAll('\u0629', '\u0647')
}

function entryOf({ keywords, tabs, ...row }: CatalogueRow): CatalogueEntry {
  const searchedNames = [row.name, ...Object.values(row.names)].map((name) => searchable(name!))
  const { category } = row
  const names = category === null ? [] : categoryNames.map((byCategory) => byCategory[category])
  return {
    ...row,
    searchedNames,
    searched: [...searchedNames, ...[...keywords, ...names].map(searchable)].join('\n'),
    tabs: tabs.map((tab) => ({ ...tab, searched: [tab.title, ...Object.values(tab.titles)].map(searchable) })),
  }
}
