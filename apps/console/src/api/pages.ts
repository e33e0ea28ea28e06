import { computed, type Ref, ref, type WatchSource, watch } from 'vue'
import { type Query, useQuery } from './query.ts'

/** A list that the server gives page by page, and the way through it. */
export interface Pages<T> {
  query: Query<{ items: T[]; next: string | null }>
  rows: Ref<T[] | undefined>
  /** Undefined where there is no such page. */
  older: Ref<(() => void) | undefined>
  newer: Ref<(() => void) | undefined>
  /** From 1. */
  number: Ref<number>
}

/**
 * Reads a list by cursors. When `filter` changes, it begins at the first page again. Cursors stay cheap on the server however
 * far one goes; that is why there are no page numbers to jump to.
 */
export function usePages<T>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<{ items: T[]; next: string | null }>,
  filter?: WatchSource | WatchSource[],
): Pages<T> {
  // The cursors of the pages up to the one on screen; the first has none.
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
