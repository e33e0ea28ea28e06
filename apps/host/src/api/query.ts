import { asProblem, type Problem } from '@souk/web'
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** Something that is read from the server and can be read again. */
export interface Query<T> {
  data: ShallowRef<T | undefined>
  problem: ShallowRef<Problem | undefined>
  reload(): Promise<void>
}

/**
 * Reads with `load` at once, and anew by `reload`. A newer reading aborts an older one, and leaving the page aborts them all. While
 * it reads anew, the old data stay.
 */
export function useQuery<T>(load: (signal: AbortSignal) => Promise<T>): Query<T> {
  const data = shallowRef<T>()
  const problem = shallowRef<Problem>()
  let current = new AbortController()

  async function reload(): Promise<void> {
    current.abort()
    const mine = new AbortController()
    current = mine
    try {
      const found = await load(mine.signal)
      if (mine.signal.aborted) return
      data.value = found
      problem.value = undefined
    } catch (error) {
      if (!mine.signal.aborted) problem.value = asProblem(error)
    }
  }

  onScopeDispose(() => current.abort())
  void reload()
  return { data, problem, reload }
}
