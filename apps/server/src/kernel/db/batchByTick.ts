import DataLoader from 'dataloader'
import { isDatabaseError } from './databaseError.ts'
import type { Sql } from './pool.ts'

/** A larger batch gains little, and keeps all its callers waiting. */
const maxBatchSize = 100

/**
 * Batches calls made in the same event-loop tick into one statement, which costs little more than a statement for one.
 * Results are not cached: each call is answered by a statement that starts after it was made.
 *
 * @param load returns one result or error per key, in the same order; if it rejects, all calls of the batch reject
 */
export function batchByTick<Key, Result>(
  load: (sql: Sql, keys: readonly Key[]) => Promise<readonly (Result | Error)[]>,
): (sql: Sql, key: Key) => Promise<Result> {
  const loaders = new WeakMap<Sql, DataLoader<Key, Result>>()
  return (sql, key) => {
    let loader = loaders.get(sql)
    if (!loader) {
      loader = new DataLoader((keys) => load(sql, keys), {
        cache: false,
        maxBatchSize,
        batchScheduleFn: setImmediate,
      })
      loaders.set(sql, loader)
    }
    return loader.load(key)
  }
}

/**
 * Batches writes made in the same event-loop tick into one statement. If the database refuses it, which undoes all of
 * it, each write is tried alone, so that one cannot fail the others.
 *
 * @param write executes one statement, and returns one result per input, in the same order
 */
export function batchWritesByTick<Input, Result>(
  write: (sql: Sql, inputs: readonly Input[]) => Promise<readonly Result[]>,
): (sql: Sql, input: Input) => Promise<Result> {
  return batchByTick<Input, Result>(async (sql, inputs) => {
    try {
      return await write(sql, inputs)
    } catch (error) {
      if (inputs.length === 1 || !isDatabaseError(error)) throw error
      const results = await Promise.allSettled(inputs.map((input) => write(sql, [input])))
      return results.map((result) => (result.status === 'fulfilled' ? result.value[0]! : result.reason))
    }
  })
}
