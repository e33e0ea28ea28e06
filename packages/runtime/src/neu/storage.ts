import { storageLimits } from '@souk/contract/bridge'
import type { CarrierStorage } from '../carriers/carrier.ts'
import { currentCarrier } from '../carriers/current.ts'
import { pageStorage } from '../carriers/pageStorage.ts'
import { ApiError } from './api.ts'
import { provide } from './functions.ts'
import type { StorageInfo } from './table/storage.ts'
import type { Options, Result } from './table/types.ts'

/** Stores a value as JSON; `undefined`, which JSON lacks, as an empty string. */
function write(name: string, key: string, data: unknown): void {
  if (typeof key !== 'string' || key === '') throw new ApiError(`${name}:fail key must be a non-empty string`)
  let text: string
  try {
    text = JSON.stringify(data) ?? ''
  } catch {
    throw new ApiError(`${name}:fail data cannot be converted to JSON`)
  }
  try {
    storage().set(key, text)
  } catch (error) {
    throw new ApiError(`${name}:fail ${(error as Error).message}`)
  }
}

function read(key: string): { data: unknown } | undefined {
  const text = storage().get(key)
  if (text === undefined) return undefined
  if (text === '') return { data: undefined }
  try {
    return { data: JSON.parse(text) }
  } catch {
    // Not written by `setStorage`.
    return { data: text }
  }
}

let ownStorage: CarrierStorage | undefined

function storage(): CarrierStorage {
  if (__SOUK_PLATFORM__ !== 'H5') return currentCarrier().storage!
  ownStorage ??= pageStorage()
  return ownStorage
}

export function setStorageSync(key: string, data: unknown): void {
  write('setStorageSync', key, data)
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the stored value
export function getStorageSync(key: string): any {
  const data = read(key)?.data
  return data === undefined ? '' : data
}

export function removeStorageSync(key: string): void {
  storage().remove(key)
}

export function clearStorageSync(): void {
  storage().clear()
}

export function getStorageInfoSync(): StorageInfo {
  return {
    keys: storage().keys(),
    currentSize: Math.ceil(storage().size() / 1024),
    limitSize: storageLimits.total / 1024,
  }
}

export async function setStorage({ key, data }: Options<'setStorage'>): Promise<void> {
  write('setStorage', key, data)
}

export async function getStorage({ key }: Options<'getStorage'>): Promise<Result<'getStorage'>> {
  const found = read(key)
  if (!found) throw new Error('data not found')
  return found
}

export async function removeStorage({ key }: Options<'removeStorage'>): Promise<void> {
  removeStorageSync(key)
}

export async function clearStorage(): Promise<void> {
  clearStorageSync()
}

export async function getStorageInfo(): Promise<StorageInfo> {
  return getStorageInfoSync()
}

export const storageFunctions = {
  setStorageSync,
  getStorageSync,
  removeStorageSync,
  clearStorageSync,
  getStorageInfoSync,
}

provide(storageFunctions)
