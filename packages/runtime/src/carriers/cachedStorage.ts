import { entrySize, storageLimits } from '@souk/contract/bridge'
import type { CarrierStorage } from '../carrier.ts'

/** Where what is kept in memory is written to; may be late. */
export interface StorageBackend {
  set(key: string, text: string): void
  remove(key: string): void
  clear(): void
}

/** The storage of an app, in memory and written through to `store`, within the limits that hold everywhere. */
export function cachedStorage(entries: Iterable<[key: string, text: string]>, backend: StorageBackend): CarrierStorage {
  const cache = new Map(entries)
  let size = 0
  for (const [key, text] of cache) size += entrySize(key, text)
  const sizeOf = (key: string) => (cache.has(key) ? entrySize(key, cache.get(key)!) : 0)

  return {
    get: (key) => cache.get(key),
    set(key, text) {
      const added = entrySize(key, text)
      if (entrySize(key, '') > storageLimits.key) throw new Error('the key takes more than 1 KB')
      if (added > storageLimits.entry) throw new Error('the entry takes more than 1 MB')
      const after = size - sizeOf(key) + added
      if (after > storageLimits.total) throw new Error('the storage of the app is full, which is 10 MB')
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
