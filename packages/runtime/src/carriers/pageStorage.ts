import { cachedStorage } from './cachedStorage.ts'
import type { CarrierStorage } from './carrier.ts'

/**
 * Creates the storage of an app on H5: localStorage, with the app's address as key prefix because all apps of an
 * origin share it. If the browser denies access, values last as long as the page. Windows of the same app see each
 * other's changes.
 */
export function pageStorage(
  area: Storage | undefined = browserStorage(),
  address: string = location.href,
): CarrierStorage {
  const prefix = `souk:${new URL('.', address).pathname}:`
  const keys = () => (area ? Object.keys(area).filter((key) => key.startsWith(prefix)) : [])
  const entries = () => keys().map((key): [string, string] => [key.slice(prefix.length), area!.getItem(key) ?? ''])
  const load = () =>
    cachedStorage(entries(), {
      set: (key, text) => area?.setItem(prefix + key, text),
      remove: (key) => area?.removeItem(prefix + key),
      clear: () => {
        for (const key of keys()) area?.removeItem(key)
      },
    })
  let cached: CarrierStorage | undefined
  const storage = () => (cached ??= load())
  // Fires for changes made by other windows only.
  if (area && typeof addEventListener === 'function') {
    addEventListener('storage', ({ storageArea, key }) => {
      if (storageArea === area && (key === null || key.startsWith(prefix))) cached = undefined
    })
  }
  return {
    get: (key) => storage().get(key),
    set: (key, text) => storage().set(key, text),
    remove: (key) => storage().remove(key),
    clear: () => storage().clear(),
    keys: () => storage().keys(),
    size: () => storage().size(),
  }
}

function browserStorage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
