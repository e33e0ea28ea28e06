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
    know let like make makes me mean means might must my need needs no not now of off on one only or our out over own
    please possible put s same say says see set should show so some souk still t tell that the their them then there
    these they thing this those through to too until up us use used uses using ve very want was way we were what when
    where which while who whom whose why will with within without won would you your
    怎么 怎么办 如何 怎样 为什么 什么 哪里 哪些 可以 能 能否 的 了 吗 呢 我 我的 你 是 在 有 和 把 被 一个 这个 那个 要 会 到 不 没有 没 里
    كيف لماذا ما ماذا هل أين متى من في على إلى عن مع هو هي هذا هذه ذلك التي الذي أنا يمكن يمكنني أو أن لا لم لي بي`).map(
    stemOf,
  ),
)

/** Returns the words of a text, each with its parts, without those that say nothing if there are others. */
function tellingWords(text: string): string[][] {
  const words = wordsWithParts(text).map((word) => word.map(stemOf))
  const telling = words.filter(([word]) => !stopWords.has(word!))
  return telling.length > 0 ? telling : words
}

const tellingStems = (text: string) => tellingWords(text).map(([word]) => word!)

const phrases = Object.entries(synonyms)
  .flatMap(([written, asked]) => asked.map((one) => ({ asked: tellingStems(one), written: tellingStems(written) })))
  .sort((a, b) => b.asked.length - a.asked.length)

/** Splits a question into what it asks about, in its order: the longest phrases that have synonyms, and other words. */
export function conceptsOf(question: string): Concept[] {
  const rest = tellingWords(question)
  const concepts: Concept[] = []
  while (rest.length > 0) {
    const found = phrases.filter(({ asked }) => asked.every((word, at) => rest[at]?.[0] === word))
    const length = found[0]?.asked.length ?? 1
    const written = found.filter(({ asked }) => asked.length === length).map((one) => one.written)
    const words = rest.splice(0, length)
    concepts.push({ asked: words.map(([word]) => word!), parts: words.flatMap((word) => word.slice(1)), written })
  }
  return concepts
}
