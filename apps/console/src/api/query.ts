import { asProblem, type Problem } from '@souk/web'
import { type Ref, ref, type ShallowRef, shallowRef } from 'vue'

export { type Query, useQuery } from '@souk/web'

/** The progress and the error of an action. */
export interface ActionState {
  running: Ref<boolean>
  problem: ShallowRef<Problem | undefined>
}

/** A user-triggered action. Runs at most once at a time. */
export interface Action<A extends unknown[], T> extends ActionState {
  run(...input: A): Promise<T | undefined>
}

/** Runs `work` on demand. On failure, stores the problem for the page to show, and `run` resolves to undefined. */
export function useAction<A extends unknown[], T>(work: (...input: A) => Promise<T>): Action<A, T> {
  const running = ref(false)
  const problem = shallowRef<Problem>()
  return {
    running,
    problem,
    async run(...input) {
      if (running.value) return undefined
      running.value = true
      problem.value = undefined
      try {
        return await work(...input)
      } catch (error) {
        problem.value = asProblem(error)
        return undefined
      } finally {
        running.value = false
      }
    },
  }
}
