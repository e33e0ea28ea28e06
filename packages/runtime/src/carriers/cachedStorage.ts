import { entrySize, storageLimits } from '@souk/contract/bridge'
import type { CarrierStorage } from './carrier.ts'

/** Persistent storage behind the in-memory copy. Writes may complete later. */
export interface StorageBackend {
  set(key: string, text: string): void
  remove(key: string): void
  clear(): void
}

/** Creates the storage of an app: kept in memory, written through to `backend`, and limited in size. */
export function cachedStorage(entries: Iterable<[key: string, text: string]>, backend: StorageBackend): CarrierStorage {
  const cache = new Map(entries)
  let size = 0
  for (const [key, text] of cache) size += entrySize(key, text)
  const sizeOf = (key: string) => (cache.has(key) ? entrySize(key, cache.get(key)!) : 0)

  return {
    get: (key) => cache.get(key),
    set(key, text) {
      const added = entrySize(key, text)
      if (entrySize(key, '') > storageLimits.key) throw new Error('the key exceeds 1 KB')
      if (added > storageLimits.entry) throw new Error('the entry exceeds 1 MB')
      const after = size - sizeOf(key) + added
      if (after > storageLimits.total) throw new Error('the storage is full: the limit is 10 MB')
      backend.set(key, text)
      cache.set(key, text)
      size = after
    },
    remove(key) {
      if (!cache.has(key)) return
      backend.remove(key)
      size -= sizeOf(key)
      cache.delete(key)
    },
    clear() {
      backend.clear()
      cache.clear()
      size = 0
    },
    keys: () => [...cache.keys()],
    size: () => size,
  }
}
