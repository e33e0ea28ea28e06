import { entrySize, storageLimits } from '@souk/contract/bridge'
import type { CarrierStorage } from '../carrier.ts'

/** Where what is kept in memory is written to; may be late. */
export interface Store {
  set(key: string, text: string): void
  remove(key: string): void
  clear(): void
}

/** The storage of an app, in memory and written through to `store`, within the limits that hold everywhere. */
export function keptStorage(entries: Iterable<[key: string, text: string]>, store: Store): CarrierStorage {
  const kept = new Map(entries)
  let size = 0
  for (const [key, text] of kept) size += entrySize(key, text)
  const sizeOf = (key: string) => (kept.has(key) ? entrySize(key, kept.get(key)!) : 0)

  return {
    get: (key) => kept.get(key),
    set(key, text) {
      const added = entrySize(key, text)
      if (entrySize(key, '') > storageLimits.key) throw new Error('the key takes more than 1 KB')
      if (added > storageLimits.entry) throw new Error('the entry takes more than 1 MB')
      const after = size - sizeOf(key) + added
      if (after > storageLimits.total) throw new Error('the storage of the app is full, which is 10 MB')
      store.set(key, text)
      kept.set(key, text)
      size = after
    },
    remove(key) {
      if (!kept.has(key)) return
      store.remove(key)
      size -= sizeOf(key)
      kept.delete(key)
    },
    clear() {
      store.clear()
      kept.clear()
      size = 0
    },
    keys: () => [...kept.keys()],
    size: () => size,
  }
}
