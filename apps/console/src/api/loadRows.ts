export interface PageOfRows<T> {
  items: T[]
  next: string | null
}

export interface LoadedRows<T> {
  rows: T[]
  /** True if the list has more rows. */
  hasMore: boolean
}

/** Loads rows from the first page on, up to about `max`. Starts again if `countChanges` differs after a page. */
export async function loadRows<T>(
  loadPage: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOfRows<T>>,
  max: number,
  countChanges: () => number,
): Promise<LoadedRows<T>> {
  const { signal } = new AbortController()
  const before = countChanges()
  const rows: T[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await loadPage(cursor, signal)
    if (countChanges() !== before) return loadRows(loadPage, max, countChanges)
    rows.push(...items)
    cursor = next ?? undefined
  } while (cursor && rows.length < max)
  return { rows, hasMore: cursor !== undefined }
}
