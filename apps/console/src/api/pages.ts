import type { PageTotal } from '@souk/contract'
import { computed, type Ref, ref, shallowRef, type WatchSource, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { type FollowedList, useChanges } from './changes.ts'
import { type LoadedRows, loadRows, type PageOfRows } from './loadRows.ts'
import { type Query, useQuery } from './query.ts'

/** Parameters of a page of a list. */
export interface PageInput<S extends string> {
  cursor?: string
  sort?: S
  /** Counts the rows of all pages if true. */
  total?: boolean
}

interface Page<T> extends PageOfRows<T> {
  total?: PageTotal
}

/** A paginated list and its navigation. */
export interface Pages<T> {
  query: Query<Page<T>>
  rows: Ref<T[] | undefined>
  /** Total of all pages; undefined if the server does not count this list. */
  total: Ref<PageTotal | undefined>
  /** Undefined if there is no such page. */
  older: Ref<(() => void) | undefined>
  newer: Ref<(() => void) | undefined>
  /** Page number, from 1. */
  number: Ref<number>
  /** Column that the list is sorted by, with - in descending order; undefined if it has one order. */
  sort: Ref<string | undefined>
  sortBy(sort: string): void
  /** True if the first page follows changes now; undefined if this list does not. */
  live: Ref<boolean> | undefined
  /** Loads rows from the first page on, up to about `max`. */
  loadRows(max: number): Promise<LoadedRows<T>>
}

/**
 * Loads a list with cursor pagination, and returns to the first page when `filter` changes. There are no page numbers,
 * because only cursors stay cheap for distant pages. With `inUrl`, the query string has the cursor, so that a reload
 * and a link show the same page; the filter has to be in the query string, too. With `follow`, the first page is
 * reloaded when that list changes. `sorts` are the orders of the list, the first one is the default.
 */
export function usePages<T, const S extends string = never>(
  load: (page: PageInput<S>, signal: AbortSignal) => Promise<Page<T>>,
  filter?: WatchSource | WatchSource[],
  { inUrl = false, follow, sorts = [] }: { inUrl?: boolean; follow?: FollowedList; sorts?: readonly S[] } = {},
): Pages<T> {
  const { cursors, skipped, chosenSort } = useCursors(inUrl, sorts)
  if (filter) {
    watch(filter, () => {
      cursors.value = [undefined]
    })
  }
  /** Counts changes of what the list shows and in which order. */
  let changes = 0
  watch([chosenSort, ...(filter ? [filter].flat() : [])], () => changes++, { flush: 'sync' })
  const pageAt = (cursor: string | undefined): PageInput<S> => ({
    ...(cursor ? { cursor } : {}),
    ...(chosenSort.value ? { sort: chosenSort.value } : {}),
  })
  const total = shallowRef<PageTotal>()
  /** Cursors of the previous load. The same again mean a reload of the page, whose rows may have changed. */
  let loaded: unknown
  const query = useQuery(async (signal) => {
    const cursor = cursors.value.at(-1)
    // The total stays as it is while the user pages.
    const isCounted = cursor === undefined || total.value === undefined || loaded === cursors.value
    loaded = cursors.value
    const page = await load({ ...pageAt(cursor), ...(isCounted ? { total: true } : {}) }, signal)
    if (signal.aborted) return page
    if (isCounted) total.value = page.total
    // The last row of the last page was deleted.
    if (page.items.length === 0 && !page.next && cursors.value.length > 1) cursors.value = cursors.value.slice(0, -1)
    return page
  }, cursors)
  const number = computed(() => cursors.value.length + skipped.value)
  const live =
    follow &&
    useChanges(follow, () => {
      if (number.value === 1) void query.reload()
    })
  return {
    query,
    live,
    rows: computed(() => query.data.value?.items),
    total,
    sort: computed(() => chosenSort.value ?? sorts[0]),
    sortBy(sort) {
      const found = sorts.find((each) => each === sort)
      chosenSort.value = found === sorts[0] ? undefined : found
      cursors.value = [undefined]
    },
    number,
    loadRows: (max) =>
      loadRows(
        (cursor, signal) => load(pageAt(cursor), signal),
        max,
        () => changes,
      ),
    older: computed(() => {
      const next = query.data.value?.next
      if (!next) return undefined
      return () => {
        cursors.value = [...cursors.value, next]
      }
    }),
    newer: computed(() => {
      if (cursors.value.length === 1) return undefined
      return () => {
        cursors.value = cursors.value.slice(0, -1)
      }
    }),
  }
}

/** Keeps the cursors of the pages up to the current one, and the order; with `inUrl` in the query string, too. */
function useCursors<S extends string>(inUrl: boolean, sorts: readonly S[]) {
  const route = useRoute()
  const router = useRouter()
  const { cursor: first, page } = inUrl ? route.query : {}
  // Cursors of the pages up to the current one; the first page has none. Those before a page from a link are unknown.
  const cursors = ref<(string | undefined)[]>(typeof first === 'string' ? [undefined, first] : [undefined])
  /** Number of pages before the one from a link that are not in `cursors`. */
  const skipped = ref(typeof first === 'string' ? Math.max(Number(page) || 2, 2) - 2 : 0)
  const chosenSort = ref(inUrl ? sorts.find((each) => each === route.query.sort) : undefined) as Ref<S | undefined>
  if (inUrl) {
    watch([cursors, chosenSort], async ([now, sort]) => {
      const { cursor: _, page: __, sort: ___, ...others } = route.query
      const cursor = now.at(-1)
      if (now.length === 1) skipped.value = 0
      if (route.query.cursor === cursor && route.query.sort === sort) return
      const place = cursor ? { cursor, page: String(now.length + skipped.value) } : {}
      await router.replace({ query: { ...others, ...(sort ? { sort } : {}), ...place }, hash: route.hash })
    })
    const list = route.path
    // A link to the list itself, such as that of the navigation, shows its first page in the default order.
    watch(
      () => route.query,
      (now) => {
        if (route.path !== list) return
        if (now.cursor === undefined && cursors.value.length > 1) cursors.value = [undefined]
        if (now.sort === undefined) chosenSort.value = undefined
      },
    )
  }
  return { cursors, skipped, chosenSort }
}
