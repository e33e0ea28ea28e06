/** Maximum number of words of a message that are looked up as numbers of trades. */
const maxNumbers = 5

/**
 * Splits a text into parts; every second one may be the number of a trade or order: a word of 3 to 64 letters, digits
 * and . _ - with a digit. Only the first `maxNumbers` different ones are looked up.
 */
export function partsOf(text: string): { parts: readonly string[]; numbers: readonly string[] } {
  const parts = text.split(/((?<![\w.-])(?=[\w.-]*\d)\w[\w.-]{1,62}\w(?![\w-]))/u)
  return { parts, numbers: [...new Set(parts.filter((_, index) => index % 2 === 1))].slice(0, maxNumbers) }
}
