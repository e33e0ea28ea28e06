import { synonyms } from './synonyms.ts'
import { stemOf, wordsOf, wordsWithParts } from './words.ts'

/** A word or phrase of a question, and what pages in English say instead. */
export interface Concept {
  asked: string[]
  /** Parts of an identifier that is asked for. */
  parts: string[]
  written: string[][]
}

/** Words that say nothing about the subject of a question. */
const stopWords = new Set(
  wordsOf(`
    a about after all always am an and any are as at be because been but by can cannot could did do does doesn doing don
    for from get gets getting give go goes got had happen has have having he her his how i if in into is isn it its just
    know let long like make makes me mean means might must my need needs no not now of off on one only or our out over own
    please possible put s same say says see set should show so some souk still t tell that the their them then there
    these they thing this those through to too until up us use used uses using ve very want was way we were what when
    where which while who whom whose why will with within without won would you your
    怎么 怎么办 如何 怎样 为什么 什么 哪里 哪些 可以 能 能否 的 了 吗 呢 我 我的 你 是 在 有 和 把 被 一个 这个 那个 要 会 到 不 没有 没 里
    كيف لماذا ما ماذا هل أين متى من في على إلى عن مع هو هي هذا هذه ذلك التي الذي أنا يمكن يمكنني أو أن لا لم لي بي`).map(
    stemOf,
  ),
)

const stemsOf = (text: string) => wordsWithParts(text).map(([word]) => stemOf(word!))
const isTelling = (word: string) => !stopWords.has(word)

const phrases = Object.entries(synonyms)
  .flatMap(([written, asked]) =>
    asked.map((one) => ({ asked: stemsOf(one), written: stemsOf(written).filter(isTelling) })),
  )
  .sort((a, b) => b.asked.length - a.asked.length)

/**
 * Splits a question into what it asks about, in its order: the longest phrases that have synonyms, and other words.
 * Words that say nothing count only if it has no others.
 */
export function conceptsOf(question: string): Concept[] {
  const words = wordsWithParts(question).map((word) => word.map(stemOf))
  const concepts: Concept[] = []
  for (let at = 0; at < words.length; ) {
    const found = phrases
      .map((phrase) => ({ ...phrase, end: endOf(phrase.asked, words, at) }))
      .filter(({ end }) => end > at)
    const longest = found.filter(({ asked }) => asked.length === found[0]!.asked.length)
    const end = longest[0]?.end ?? at + 1
    const asked = words.slice(at, end)
    const telling = asked.filter(([word]) => isTelling(word!))
    // A phrase of words that say nothing alone, such as "go live", is a concept.
    const kept = telling.length > 0 || longest.length === 0 ? telling : asked
    if (kept.length > 0)
      concepts.push(
        conceptOf(
          kept,
          longest.map(({ written }) => written),
        ),
      )
    at = end
  }
  return concepts.length > 0 ? concepts : words.map((word) => conceptOf([word]))
}

const conceptOf = (words: readonly string[][], written: string[][] = []): Concept => ({
  asked: words.map(([word]) => word!),
  parts: words.flatMap((word) => word.slice(1)),
  written,
})

/** Returns where a phrase ends that begins at a word, with words between that say nothing; -1 if it does not. */
function endOf(phrase: readonly string[], words: readonly string[][], start: number): number {
  let at = start
  for (const word of phrase) {
    while (at > start && words[at] && words[at]![0] !== word && !isTelling(words[at]![0]!)) at += 1
    if (words[at]?.[0] !== word) return -1
    at += 1
  }
  return at
}
