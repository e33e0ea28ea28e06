import type { EntryStore } from '../src/device/hostStorage.ts'

/** Creates a store whose entries a test can read. */
export function memoryStore(entries: [string, string][] = []): EntryStore & { kept: Map<string, string> } {
  const kept = new Map(entries)
  return {
    kept,
    read: async () => [...kept],
    set: async (key, text) => void kept.set(key, text),
    remove: async (key) => void kept.delete(key),
    clear: async () => kept.clear(),
  }
}
