/**
 * Returns a function that imports a module. All its callers share one promise, so that they continue in the order of
 * their calls; separate imports of a module resolve in any order. After a failure, the next call imports the module
 * again: the network may be back.
 */
export function importOnce<M>(importModule: () => Promise<M>): () => Promise<M> {
  let loading: Promise<M> | undefined
  return () => {
    loading ??= importModule().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
