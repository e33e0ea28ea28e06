import MiniSearch from 'minisearch'
import { answer, type Section } from './rank.ts'

export interface Indexes {
  english: MiniSearch
  /** Of the reader's language, unless it is English. Pages of a locale are below its name. */
  own?: { locale: string; index: MiniSearch }
}

/** Results in one language. */
export interface Results {
  language: 'own' | 'english'
  sections: Section[]
}

/** Number of results in each language. */
const maxResults = 16

/** Reads an index that the build of the site has written. */
export const readIndex = (json: string): MiniSearch =>
  MiniSearch.loadJSON(json, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] })

/**
 * Finds the sections that answer a question. Pages that are not translated are found in English, and listed first if
 * they fit better.
 */
export function find(question: string, { english, own }: Indexes): Results[] {
  const inEnglish = answer(english, question, { english: true })
  if (!own) return withResults([{ language: 'english', sections: inEnglish.sections }])
  const inOwn = answer(own.index, question, { english: false })
  const translations = startsOfPages(own.index)
  const translationOf = ({ id }: Section) => translations.get(`/${own.locale}${pageOf(id)}`)

  // Pages that are found by their English text only are listed in their translation.
  const listed = new Set(inOwn.sections.map(({ id }) => pageOf(id)))
  const found = new Set(inEnglish.sections.map(translationOf).filter((start) => start !== undefined))
  const translated = [...found].filter(({ id }) => !listed.has(pageOf(id)))
  const ownResults: Results = { language: 'own', sections: [...inOwn.sections, ...translated] }
  const others: Results = { language: 'english', sections: inEnglish.sections.filter((one) => !translationOf(one)) }

  const best = inEnglish.sections[0]
  const isEnglishBetter = best && !translationOf(best) && inEnglish.fit > inOwn.fit
  return withResults(isEnglishBetter ? [others, ownResults] : [ownResults, others])
}

const withResults = (results: Results[]) =>
  results
    .map(({ language, sections }) => ({ language, sections: sections.slice(0, maxResults) }))
    .filter(({ sections }) => sections.length > 0)

/** Returns the first section of each page. */
function startsOfPages(index: MiniSearch): Map<string, Section> {
  const sections = index.search(MiniSearch.wildcard) as unknown as Section[]
  return new Map(sections.filter(({ titles }) => titles.length === 0).map((section) => [pageOf(section.id), section]))
}

const pageOf = (id: string) => id.split('#')[0]!
