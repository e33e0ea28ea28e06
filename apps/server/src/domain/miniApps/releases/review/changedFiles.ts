/** A path that differs; sizes are in bytes, and null where a release does not have the file. */
export interface PathChange {
  path: string
  change: 'added' | 'changed' | 'removed'
  size: number | null
  earlierSize: number | null
}

/** A file that differs. `earlierPath` is null unless its name in the earlier release has another hash. */
export interface ChangedFile extends PathChange {
  earlierPath: string | null
}

/**
 * Pairs added and removed files whose names differ only in a hash, as builds write them, so that they count as changed.
 * Of several with the same name, those of similar size are pairs.
 */
export function pairByName(changes: readonly PathChange[]): ChangedFile[] {
  const nameOf = ({ path }: PathChange) => nameWithoutHash(path) ?? ''
  const added = Map.groupBy(ofKind(changes, 'added'), nameOf)
  const removed = Map.groupBy(ofKind(changes, 'removed'), nameOf)
  added.delete('')
  const earlierOf = new Map<PathChange, PathChange>()
  for (const [name, files] of added) {
    const earlier = removed.get(name)?.toSorted(bySize) ?? []
    for (const [index, file] of files.toSorted(bySize).entries()) {
      const found = earlier[index]
      if (found) earlierOf.set(file, found)
    }
  }
  const paired = new Set(earlierOf.values())
  return changes
    .filter((change) => !paired.has(change))
    .map((change) => {
      const earlier = earlierOf.get(change)
      if (!earlier) return { ...change, earlierPath: null }
      return { ...change, change: 'changed', earlierPath: earlier.path, earlierSize: earlier.earlierSize }
    })
}

const ofKind = (changes: readonly PathChange[], kind: PathChange['change']) =>
  changes.filter(({ change }) => change === kind)
const bySize = (a: PathChange, b: PathChange) => (a.size ?? a.earlierSize ?? 0) - (b.size ?? b.earlierSize ?? 0)

/**
 * Returns a path without the hash in its name, which follows a hyphen or is between dots: `assets/index.js` for
 * `assets/index-B3x_fG2k.js`; undefined without one.
 */
export function nameWithoutHash(path: string): string | undefined {
  const slash = path.lastIndexOf('/') + 1
  const [first = '', ...others] = path.slice(slash).split('.')
  if (others.length === 0) return undefined
  const hyphen = first.lastIndexOf('-', first.length - shortestHash - 1)
  const start = path.slice(0, slash)
  if (hyphen > 0 && isHash(first.slice(hyphen + 1))) return [start + first.slice(0, hyphen), ...others].join('.')
  const part = others.findIndex((each, index) => index < others.length - 1 && isHash(each))
  return part < 0 ? undefined : [start + first, ...others.toSpliced(part, 1)].join('.')
}

const shortestHash = 8

/** A word of letters and hyphens, the first of which may be a capital, is not a hash. */
function isHash(text: string): boolean {
  return /^[\w-]{8,32}$/.test(text) && !/^[a-z-]+$/.test(text.slice(1))
}
