import { type Locale, locales } from '@souk/web'
import type { MiniApp } from './miniApps.ts'

/** A page that the user can open from the home page. */
export interface FoundPage {
  app: MiniApp
  path: string
  title: string
}

/** Returns the name of a mini app in a language. */
export function nameIn(locale: Locale, { name, names }: Pick<MiniApp, 'name' | 'names'>): string {
  return names[locales[locale].language] ?? name
}

/** Reduces a text to what counts in a search: no case, accents, vowel marks or forms of the same Arabic letter. */
function searchable(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .replaceAll('\u0671', '\u0627')
    .replaceAll('\u0649', '\u064a')
    .replaceAll('\u0629', '\u0647')
}

/**
 * Finds mini apps by their names in all languages, keywords, category and appid, and their tabs by title. Each word of
 * the query must be a part of one of these; mini apps whose name begins with the query come first.
 *
 * @param categoryText returns the category of a mini app in the language of the user
 */
export function findMiniApps(
  apps: readonly MiniApp[],
  query: string,
  locale: Locale,
  categoryText: (app: MiniApp) => string,
): { apps: MiniApp[]; pages: FoundPage[] } {
  const normalizedQuery = searchable(query.trim())
  const words = normalizedQuery.split(/\s+/)
  const hasAll = (text: string) => words.every((word) => text.includes(word))
  const found = apps.flatMap((app) => {
    const names = [app.name, ...Object.values(app.names)].map(searchable)
    const terms = [...names, ...[...app.keywords, categoryText(app)].map(searchable)]
    if (!hasAll(terms.join('\n')) && app.appid !== normalizedQuery) return []
    return [{ app, isNamed: names.some((name) => name.startsWith(normalizedQuery)) }]
  })
  return {
    apps: found.toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed)).map(({ app }) => app),
    pages: apps.flatMap((app) => pagesOf(app, locale).filter(({ titles }) => titles.some(hasAll))),
  }
}

function pagesOf(app: MiniApp, locale: Locale): (FoundPage & { titles: string[] })[] {
  return app.tabs.map(({ path, title, titles }) => {
    const own = Object.entries(titles).find(([language]) => primary(language) === primary(locale))
    return { app, path, title: own?.[1] ?? title, titles: [title, ...Object.values(titles)].map(searchable) }
  })
}

const primary = (language: string) => language.split(/[-_]/)[0]
