import type MiniSearch from 'minisearch'
import type { Query, SearchResult } from 'minisearch'
import { type Concept, conceptsOf } from './question.ts'

/** A section of a page. */
export interface Section {
  /** Address below the base of the site, such as `/guides/money#refunds`. */
  id: string
  title: string
  /** Headings above it, the page's first. */
  titles: string[]
}

export interface Answer {
  sections: Section[]
  /**
   * How well the first section fits, from 0 to 3: the shares of the question in the section and in its headings, and 1
   * if the question is the title of its page.
   */
  fit: number
}

/** Number of sections that are listed of a page. */
const maxSections = 3

/**
 * Weights of pages by the start of their address, the first that fits. Someone who asks wants to do something: guides
 * say how, while decisions and threats say why.
 */
const weights: readonly [start: string, weight: number][] = [
  ['/adr/', 0.15],
  ['/security/', 0.2],
  ['/operations/', 0.7],
  ['/neu/', 0.8],
  ['/tags/', 0.8],
  ['/repository/', 0.5],
  ['/spec/', 0.6],
  ['/errors/', 0.75],
  ['/generated/pages-gallery', 0.3],
  ['/generated/reference', 0.4],
  ['/generated/errors', 1],
  ['/generated/', 0.7],
]

/**
 * Returns the sections that answer a question, grouped by page, the best page first. `english` tells that the pages of
 * the index are in English, so that they are also searched for synonyms of the question's words.
 */
export function answer(index: MiniSearch, question: string, { english }: { english: boolean }): Answer {
  const asked = question.trim().replace(/^(?:uni|wx)\./, 'neu.')
  const concepts = conceptsOf(question).map((concept) => (english ? concept : { ...concept, written: [] }))
  const results = index
    .search({ combineWith: 'OR', queries: concepts.flatMap(queriesOf) }, options)
    .map((result) => ({ ...result, score: result.score * share(concepts, result.queryTerms) ** 2 }))
    .sort((a, b) => b.score - a.score)
  const isAsked = ({ title, titles }: SearchResult) => titles.length === 0 && title === asked
  const pages = [...Map.groupBy(results, ({ id }) => String(id).split('#')[0]).values()]
    .map((sections) => ({ sections, score: scoreOf(sections) * (isAsked(sections[0]!) ? 100 : 1) }))
    .sort((a, b) => b.score - a.score)
  const best = pages[0]?.sections[0]
  return {
    sections: pages.flatMap(({ sections }) => sections.slice(0, maxSections) as unknown as Section[]),
    fit: best ? share(concepts, best.queryTerms) + share(concepts, termsOfTitles(best)) + Number(isAsked(best)) : 0,
  }
}

function queriesOf({ asked, parts, written }: Concept): Query[] {
  const query = (terms: readonly string[], boost: number): Query => ({
    combineWith: 'OR',
    queries: [...terms],
    boostTerm: () => boost,
  })
  return [query(asked, 1), query(parts, 0.25), ...written.map((terms) => query(terms, 1 / terms.length))]
}

const options = {
  tokenize: (term: string) => [term],
  processTerm: (term: string) => term,
  boost: { title: 4, titles: 4, text: 1 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (/^[a-z]{5,}$/.test(term) ? 0.2 : false),
  weights: { prefix: 0.2, fuzzy: 0.1 },
  boostDocument: (id: string) =>
    weights.find(([start]) => id.replace(/^\/(?:zh|ar)\//, '/').startsWith(start))?.[1] ?? 1,
}

/** Returns the share of a question that is among terms, in its own words or in synonyms. */
function share(concepts: readonly Concept[], terms: readonly string[]): number {
  const shareOf = (words: readonly string[]) => words.filter((word) => terms.includes(word)).length / words.length
  const shares = concepts.map(({ asked, parts, written }) =>
    Math.max(...[asked, ...written].map(shareOf), parts.length > 0 ? shareOf(parts) / 2 : 0),
  )
  return shares.reduce((sum, one) => sum + one, 0) / shares.length
}

function termsOfTitles({ match, queryTerms }: SearchResult): string[] {
  const matched = Object.entries(match).flatMap(([term, fields]) => (fields.some((f) => f !== 'text') ? [term] : []))
  return queryTerms.filter((term) => matched.includes(term))
}

/** A page is as good as its best section, and a little better if others fit too. */
const scoreOf = (sections: readonly SearchResult[]) =>
  sections.slice(0, maxSections).reduce((sum, { score }, at) => sum + score / (1 + 5 * at), 0)
