import { computed, type Ref, ref, type WatchSource, watch } from 'vue'
import { type Query, useQuery } from './query.ts'

/** A paginated list and its navigation. */
export interface Pages<T> {
  query: Query<{ items: T[]; next: string | null }>
  rows: Ref<T[] | undefined>
  /** Undefined if there is no such page. */
  older: Ref<(() => void) | undefined>
  newer: Ref<(() => void) | undefined>
  /** Page number, from 1. */
  number: Ref<number>
}

/**
 * Loads a list with cursor pagination, and returns to the first page when `filter` changes. There are no page numbers,
 * because only cursors stay cheap for distant pages.
 */
export function usePages<T>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<{ items: T[]; next: string | null }>,
  filter?: WatchSource | WatchSource[],
): Pages<T> {
  // Cursors of the pages up to the current one; the first page has none.
  const cursors = ref<(string | undefined)[]>([undefined])
  if (filter) {
    watch(filter, () => {
      cursors.value = [undefined]
    })
  }
  const query = useQuery((signal) => load(cursors.value.at(-1), signal), cursors)
  return {
    query,
    rows: computed(() => query.data.value?.items),
    number: computed(() => cursors.value.length),
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
