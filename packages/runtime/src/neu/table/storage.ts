import { call, inPage, required, sync, text, type, unchecked } from './entry.ts'

const stored = { ...inPage, module: 'storage' } as const
const key = required(text)

/** Sizes in KB. */
export interface StorageInfo {
  keys: string[]
  currentSize: number
  limitSize: number
}

/** Values that the mini app keeps. */
export const storage = {
  setStorage: call({ ...stored, options: { key, data: unchecked<unknown>() } }),
  /** Fails if nothing is stored. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the stored value
  getStorage: call({ ...stored, options: { key }, result: type<{ data: any }>() }),
  removeStorage: call({ ...stored, options: { key } }),
  clearStorage: call(stored),
  getStorageInfo: call({ ...stored, result: type<StorageInfo>() }),
  /** Throws if data cannot be serialized as JSON or exceeds 1 MB, or if the app's storage would exceed 10 MB. */
  setStorageSync: sync({ ...stored, is: type<(key: string, data: unknown) => void>() }),
  /** Returns an empty string if nothing is stored. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the stored value
  getStorageSync: sync({ ...stored, is: type<(key: string) => any>() }),
  removeStorageSync: sync({ ...stored, is: type<(key: string) => void>() }),
  clearStorageSync: sync({ ...stored, is: type<() => void>() }),
  getStorageInfoSync: sync({ ...stored, is: type<() => StorageInfo>() }),
}
