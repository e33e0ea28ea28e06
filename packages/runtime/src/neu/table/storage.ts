import { call, inPage, required, sync, text, type, unchecked } from './entry.ts'

const stored = { ...inPage, module: 'storage' } as const
const key = required(text)

/** Sizes in KB. */
export interface StorageInfo {
  /** Keys of all entries. */
  keys: string[]
  /** Size of all entries in KB. */
  currentSize: number
  /** Limit of the size in KB. */
  limitSize: number
}

/** Values that the mini app keeps. */
export const storage = {
  /**
   * Stores a value. Fails if it cannot be serialized as JSON or exceeds 1 MB, or if the app would store more than 10
   * MB.
   */
  setStorage: call({
    ...stored,
    fails: ['keyWrong', 'notJson', 'entryLarge', 'storageFull'],
    options: {
      /** Key of the entry. */
      key,
      /** The value, as JSON can contain it. */
      data: unchecked<unknown>(),
    },
  }),
  /** Returns a stored value. Fails if there is none. */
  getStorage: call({
    ...stored,
    fails: ['keyWrong', 'dataMissing'],
    options: {
      /** Key of the entry. */
      key,
    },
    result: type<{
      /** The stored value. */
      // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the stored value
      data: any
    }>(),
  }),
  /** Removes a stored value. Succeeds if there is none. */
  removeStorage: call({
    ...stored,
    fails: ['keyWrong'],
    options: {
      /** Key of the entry. */
      key,
    },
  }),
  /** Removes all stored values. */
  clearStorage: call(stored),
  /** Returns the keys and the size of what is stored. */
  getStorageInfo: call({ ...stored, result: type<StorageInfo>() }),
  /**
   * Stores a value. Throws if it cannot be serialized as JSON or exceeds 1 MB, or if the app would store more than 10
   * MB.
   * @param key Key of the entry.
   * @param data The value, as JSON can contain it.
   */
  setStorageSync: sync({
    ...stored,
    fails: ['keyWrong', 'notJson', 'entryLarge', 'storageFull'],
    is: type<(key: string, data: unknown) => void>(),
  }),
  /**
   * Returns a stored value, or an empty string if there is none.
   * @param key Key of the entry.
   * @returns The stored value.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the stored value
  getStorageSync: sync({ ...stored, fails: ['keyWrong'], is: type<(key: string) => any>() }),
  /**
   * Removes a stored value.
   * @param key Key of the entry.
   */
  removeStorageSync: sync({ ...stored, fails: ['keyWrong'], is: type<(key: string) => void>() }),
  /** Removes all stored values. */
  clearStorageSync: sync({ ...stored, is: type<() => void>() }),
  /** Returns the keys and the size of what is stored. */
  getStorageInfoSync: sync({ ...stored, is: type<() => StorageInfo>() }),
}
