import { onScopeDispose, type Ref, ref, type ShallowRef, shallowRef, type WatchSource, watch } from 'vue'
import { asProblem, type Problem } from './problem.ts'

/** Something that is read from the server and can be read again. */
export interface Query<T> {
  data: ShallowRef<T | undefined>
  problem: ShallowRef<Problem | undefined>
  loading: Ref<boolean>
  reload(): Promise<void>
}

/**
 * Reads with `load` now, and anew whenever `source` changes. A newer reading aborts an older one, and leaving the page aborts
 * them all. While it reads anew, the old data stay.
 */
export function useQuery<T>(load: (signal: AbortSignal) => Promise<T>, source?: WatchSource | WatchSource[]): Query<T> {
  const data = shallowRef<T>()
  const problem = shallowRef<Problem>()
  const loading = ref(false)
  let current = new AbortController()

  async function reload(): Promise<void> {
    current.abort()
    const mine = new AbortController()
    current = mine
    loading.value = true
    try {
      const found = await load(mine.signal)
      if (mine.signal.aborted) return
      data.value = found
      problem.value = undefined
    } catch (error) {
      if (!mine.signal.aborted) problem.value = asProblem(error)
    } finally {
      if (!mine.signal.aborted) loading.value = false
    }
  }

  if (source) watch(source, reload)
  onScopeDispose(() => current.abort())
  void reload()
  return { data, problem, loading, reload }
}
