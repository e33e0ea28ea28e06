import { importOnce } from '../carriers/importOnce.ts'

/**
 * Returns a function that wraps functions of a module that few apps call. The module is loaded when one of them is
 * called first; they run in the order of their calls.
 */
export function loadedWhenCalled<M extends object>(importModule: () => Promise<M>) {
  const load = importOnce(importModule)
  return <N extends keyof M>(name: N) =>
    (async (options: unknown) => {
      const loaded = await load()
      return (loaded[name] as (options: unknown) => unknown)(options)
    }) as Loaded<M[N]>
}

type Loaded<F> = F extends (options: infer O) => infer R ? (options: O) => Promise<Awaited<R>> : never
