import { onScopeDispose, type Ref, ref, shallowRef, type WatchSource, watch } from 'vue'
import { asProblem, type Problem } from './problem.ts'

/** Data that is loaded from the server and can be reloaded. */
export interface Query<T> {
  data: Ref<T | undefined>
  problem: Readonly<Ref<Problem | undefined>>
  loading: Readonly<Ref<boolean>>
  reload(): Promise<void>
}

/**
 * Loads data now and again whenever `source` changes. A reload aborts the previous one, and unmounting aborts all. The
 * old data stay available while new data are loading.
 */
export function useQuery<T>(load: (signal: AbortSignal) => Promise<T>, source?: WatchSource | WatchSource[]): Query<T> {
  const data = shallowRef<T>()
  const problem = shallowRef<Problem>()
  const loading = ref(false)
  let current = new AbortController()

  async function reload(): Promise<void> {
    current.abort()
    const controller = new AbortController()
    current = controller
    loading.value = true
    try {
      const found = await load(controller.signal)
      if (controller.signal.aborted) return
      data.value = found
      problem.value = undefined
    } catch (error) {
      if (!controller.signal.aborted) problem.value = asProblem(error)
    } finally {
      if (!controller.signal.aborted) loading.value = false
    }
  }

  if (source) watch(source, reload)
  onScopeDispose(() => current.abort())
  void reload()
  return { data, problem, loading, reload }
}
