/** Replaces lone surrogates by U+FFFD, as `toWellFormed`, which Node 18 does not have. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
