/** A pair of a canonical string. */
export interface Pair {
  name: string
  value: string
}

/**
 * Splits a canonical string (open-api §4.1) into its pairs. They have no separator, so this needs the possible names:
 * those of the operation and `secret`. Names are sorted and unique, which distinguishes most values that look like a
 * pair.
 */
export function canonicalPairs(text: string, names: readonly string[]): Pair[] {
  const sortedNames = [...new Set([...names, 'secret'])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const pairs: Pair[] = []
  let rest = text
  let next = 0
  while (rest !== '') {
    const found = first(rest, sortedNames, next, pairs.length === 0)
    const previous = pairs.at(-1)
    if (!found) {
      if (previous) previous.value += rest
      else pairs.push({ name: '', value: rest })
      break
    }
    const before = rest.slice(0, found.at)
    if (previous) previous.value += before
    else if (before !== '') pairs.push({ name: '', value: before })
    pairs.push({ name: found.name, value: '' })
    rest = rest.slice(found.at + found.name.length + 1)
    next = found.index + 1
  }
  return pairs
}

/** Finds the earliest pair among the names from index `from`; `appid=` wins over its suffix `pid=`. */
function first(text: string, sortedNames: readonly string[], from: number, atStart: boolean) {
  let best: { at: number; index: number; name: string } | undefined
  for (const [index, name] of sortedNames.entries()) {
    if (index < from) continue
    const at = text.indexOf(`${name}=`)
    if (at === -1 || (atStart && at !== 0)) continue
    if (!best || at < best.at || (at === best.at && name.length > best.name.length)) best = { at, index, name }
  }
  return best
}
