/**
 * Returns the candidate that `word` is most likely a misspelling of, for "did you mean" messages: the closest one
 * within a third of the word's length (at least 1, at most 4 edits). Case is ignored. Undefined if none is close
 * enough.
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

/** Computes the Damerau–Levenshtein distance (optimal string alignment). Above `limit` it is a lower bound. */
function editDistance(a: string, b: string, limit: number): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, beforePrevious[j - 2]! + 1)
      current.push(cost)
      if (cost < least) least = cost
    }
    if (least > limit) return limit + 1
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}
