/**
 * The candidate that was probably meant by `word`: the closest one within a third of its length (at least 1, at most 4 changes;
 * swapped neighbours count as one). Case alone costs nothing, so "NavigationStyle" finds "navigationStyle".
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 200) return undefined
  const lower = word.toLowerCase()
  let limit = Math.max(1, Math.min(4, Math.floor(word.length / 3)))
  let best: string | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue
    const distance = candidate.toLowerCase() === lower ? 0 : editDistance(lower, candidate.toLowerCase(), limit)
    if (distance > limit || (best !== undefined && distance === limit)) continue
    best = candidate
    limit = distance
    if (distance === 0) break
  }
  return best
}

/** Damerau-Levenshtein with adjacent swaps; any number above `limit` means "further than that". */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      current.push(cost)
      if (cost < least) least = cost
    }
    if (least > limit) return limit + 1
    before = previous
    previous = current
  }
  return previous[b.length]!
}

/** `a, b or c`, each in quotes. */
export function oneOf(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`)
  return quoted.length < 2 ? (quoted[0] ?? '') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
