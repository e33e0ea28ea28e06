/**
 * Splits a text into words: at spaces and punctuation, Chinese also between its words. An identifier is followed by its
 * parts, so that `sign_mismatch` and `outTradeNo` are found as such and by `sign` or `trade`.
 */
export const wordsOf = (text: string): string[] => wordsWithParts(text).flat()

/** Splits a text into words, each with the parts that it has as an identifier. */
export function wordsWithParts(text: string): string[][] {
  const words = text.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((word) => word !== '')
  return words.flatMap((word) => {
    if (/\p{Script=Han}/u.test(word)) return Array.from(chinese.segment(word), ({ segment }) => [segment])
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== '')
    return [parts.length > 1 ? [word, ...parts] : [word]]
  })
}

const chinese = new Intl.Segmenter('zh', { granularity: 'word' })

/** Returns the form of a word that is in the index: without case, endings and Arabic articles. */
export function stemOf(word: string): string {
  const text = word.normalize('NFKC').toLowerCase()
  if (/\p{Script=Arabic}/u.test(text)) return arabicStemOf(text)
  return /^[a-z]{4,}$/.test(text) ? englishStemOf(text) : text
}

/** Joins the forms of a word: refund, refunds, refunded, refunding. */
function englishStemOf(word: string): string {
  const singular = word
    .replace(/ie[sd]$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<![su])s$/, '')
  const base = singular.replace(/(?<=[aeiouy].*)(?:ing|ed)$/, '')
  if (base.length < 3) return singular
  const short = base === singular ? base : base.replace(/([bdgmnprt])\1$/, '$1')
  return short.length > 3 ? short.replace(/e$/, '') : short
}

/** Drops what is written or not by taste: marks of vowels, forms of alif, and the article with its prepositions. */
function arabicStemOf(word: string): string {
  const letters = word
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
  return letters.replace(/^و?(?:ال|بال|كال|فال|لل)(?=.{3})/, '')
}
