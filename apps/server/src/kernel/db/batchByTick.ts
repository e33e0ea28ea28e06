import DataLoader from 'dataloader'
import type { Sql } from './pool.ts'

/**
 * Batches lookups made in the same event-loop tick into one query, which costs little more than a query for one.
 * Results are not cached: each lookup is answered by a query that starts after it was made.
 *
 * @param load returns one result per key, in the same order; if it rejects, all lookups of the batch reject
 */
export function batchByTick<Key, Result>(
  load: (sql: Sql, keys: readonly Key[]) => Promise<readonly Result[]>,
): (sql: Sql, key: Key) => Promise<Result> {
  const loaders = new WeakMap<Sql, DataLoader<Key, Result>>()
  return (sql, key) => {
    let loader = loaders.get(sql)
    if (!loader) {
      loader = new DataLoader((keys) => load(sql, keys), { cache: false, batchScheduleFn: setImmediate })
      loaders.set(sql, loader)
    }
    return loader.load(key)
  }
}
