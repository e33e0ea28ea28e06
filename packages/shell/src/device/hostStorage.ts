import { entrySize, storageLimits } from '@souk/contract/bridge'
import { ApiError } from '../apiError.ts'
import type { HostMethods } from '../host.ts'
import { createQueue } from '../queue.ts'

/** The storage methods of a host. */
export type HostStorage = Pick<HostMethods, 'readStorage' | 'setStorage' | 'removeStorage' | 'clearStorage'>

/** Persistent entries of one mini app. */
export interface EntryStore {
  read(): Promise<[key: string, text: string][]>
  set(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
  clear(): Promise<void>
}

/**
 * Creates the storage of one mini app on its host. The host enforces the limit of 10 MB itself, and runs calls in
 * order. `store` defaults to IndexedDB.
 */
export function hostStorage(appid: string, store: EntryStore = databaseStore(appid)): HostStorage {
  let sizes: Promise<Map<string, number>> | undefined
  const { add: enqueue } = createQueue()
  const read = async () => {
    const entries = await store.read()
    sizes = Promise.resolve(new Map(entries.map(([key, text]) => [key, entrySize(key, text)])))
    return entries
  }
  const loadSizes = async () => {
    if (!sizes) await read()
    return sizes!
  }

  return {
    readStorage: () => enqueue(read),
    setStorage: ({ key, data }) =>
      enqueue(async () => {
        const all = await loadSizes()
        const size = entrySize(key, data)
        let sum = size
        for (const [other, taken] of all) if (other !== key) sum += taken
        if (size > storageLimits.entry) throw new ApiError('setStorage:fail the entry exceeds 1 MB')
        if (sum > storageLimits.total) throw new ApiError('setStorage:fail the storage is full: the limit is 10 MB')
        await store.set(key, data)
        all.set(key, size)
        return {}
      }),
    removeStorage: ({ key }) =>
      enqueue(async () => {
        const all = await loadSizes()
        await store.remove(key)
        all.delete(key)
        return {}
      }),
    clearStorage: () =>
      enqueue(async () => {
        await store.clear()
        sizes = undefined
        return {}
      }),
  }
}

const table = 'entries'
/** Delay before the second attempt of a transaction, ms. Connections opened while Chromium deletes data are closed. */
const retryDelay = 200
let database: Promise<IDBDatabase> | undefined

/** Stores entries in the IndexedDB database `souk-storage`: one table for all mini apps, keyed by appid and key. */
export function databaseStore(appid: string): EntryStore {
  const all = () => IDBKeyRange.bound([appid], [appid, []])
  return {
    async read() {
      const [keys, texts] = await transact('readonly', (entries) => [
        entries.getAllKeys(all()) as IDBRequest<unknown> as IDBRequest<[string, string][]>,
        entries.getAll(all()) as IDBRequest<string[]>,
      ])
      return keys.map(([, key], index) => [key, texts[index]!])
    },
    async set(key, text) {
      await transact('readwrite', (entries) => [entries.put(text, [appid, key])])
    },
    async remove(key) {
      await transact('readwrite', (entries) => [entries.delete([appid, key])])
    },
    async clear() {
      await transact('readwrite', (entries) => [entries.delete(all())])
    },
  }
}

type MakeRequests<R extends unknown[]> = (entries: IDBObjectStore) => { [I in keyof R]: IDBRequest<R[I]> }

/**
 * Runs the requests in one transaction and returns their results when it has completed. If that fails, tries again on
 * a new connection: the browser may close the database, for example Safari in the background, or when the user deletes
 * data.
 */
async function transact<R extends unknown[]>(mode: IDBTransactionMode, make: MakeRequests<R>): Promise<R> {
  database ??= openDatabase()
  const used = database
  try {
    return await transactOn(await used, mode, make)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryDelay))
    if (database === used) database = openDatabase()
    return transactOn(await database, mode, make)
  }
}

async function transactOn<R extends unknown[]>(
  connection: IDBDatabase,
  mode: IDBTransactionMode,
  make: MakeRequests<R>,
): Promise<R> {
  const transaction = connection.transaction(table, mode)
  const requests = make(transaction.objectStore(table)) as IDBRequest[]
  const ended = new AbortController()
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    // Chromium does not abort each transaction of a connection that it closes.
    const closed = () => reject(new Error('the browser has closed the database'))
    connection.addEventListener('close', closed, { signal: ended.signal })
  }).finally(() => ended.abort())
  return requests.map(({ result }) => result) as R
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('souk-storage', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(table)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
