import { asProblem, type Problem, type Query } from '@souk/web'
import { keepPreviousData, useQuery as useCached } from '@tanstack/vue-query'
import { computed, type Ref, ref, type ShallowRef, shallowRef } from 'vue'
import { call, type Input, type OperationId, type Result } from './client.ts'
import { results } from './results.ts'

export { type Query, useQuery } from '@souk/web'

/** Results are typed where they are read: TanStack Query's types do not follow the operation's. */
const optionsOf = (id: OperationId, input: object) => ({
  queryKey: [id, input],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<unknown> => call(id as 'getApp', input as never, signal),
})

/**
 * Loads the result of an operation now and whenever its input changes. Parts of a page that need the same result share
 * one request, and a page that is shown again starts with the last one. The old result stays available while a new one
 * is loading.
 */
export function useOperation<Id extends OperationId>(
  id: Id,
  input: () => Input<Id> = () => ({}) as Input<Id>,
): Query<Result<Id>> {
  const { data, error, isFetching, refetch } = useCached(
    () => ({ ...optionsOf(id, input()), placeholderData: keepPreviousData, shallow: true }),
    results,
  )
  return {
    // An action that returns the new state writes it.
    data: computed({
      get: () => data.value as Result<Id> | undefined,
      set: (value) => results.setQueryData([id, input()], value),
    }),
    problem: computed(() => (error.value ? asProblem(error.value) : undefined)),
    loading: isFetching,
    async reload() {
      await refetch()
    },
  }
}

/**
 * Returns a query without its result until others are settled, which parts of the page above it show. Otherwise they
 * would move it.
 */
export function below<T>(query: Query<T>, ...above: Query<unknown>[]): Query<T> {
  const isSettled = computed(() => above.every(({ data, problem }) => data.value !== undefined || problem.value))
  return {
    ...query,
    data: computed({
      get: () => (isSettled.value ? query.data.value : undefined),
      set: (value) => {
        query.data.value = value
      },
    }),
    loading: computed(() => query.loading.value || !isSettled.value),
  }
}

/** Returns the result of an operation, which it shares with `useOperation`. */
export async function read<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Result<Id>> {
  return (await results.fetchQuery(optionsOf(id, input))) as Result<Id>
}

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
