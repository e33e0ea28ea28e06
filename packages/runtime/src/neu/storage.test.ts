import { afterEach, beforeEach, expect, test } from 'vitest'
import { cachedStorage } from '../carriers/cachedStorage.ts'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import {
  clearStorageSync,
  getStorage,
  getStorageInfoSync,
  getStorageSync,
  removeStorageSync,
  setStorage,
  setStorageSync,
} from './storage.ts'

// A constant of the build.
Object.assign(globalThis, { __SOUK_PLATFORM__: 'App' })

beforeEach(() => {
  const storage = cachedStorage([['foreign', 'not JSON']], { set: () => {}, remove: () => {}, clear: () => {} })
  setCarrier({ storage } as Carrier)
})
afterEach(() => clearStorageSync())

test.each([
  ['a string', '12'],
  ['a number', 12],
  ['false', false],
  ['null', null],
  ['an empty string', ''],
  ['an array', [1, [2]]],
  ['an object', { a: { b: 'ü' } }],
])('restores %s', (_, data) => {
  setStorageSync('key', data)
  expect(getStorageSync('key')).toEqual(data)
})

test('returns an empty string for missing and undefined values', () => {
  setStorageSync('key', undefined)
  expect(getStorageSync('key')).toBe('')
  expect(getStorageSync('never')).toBe('')
  removeStorageSync('key')
  expect(getStorageInfoSync()).toEqual({ keys: ['foreign'], currentSize: 1, limitSize: 10240 })
})

test('rejects if nothing is stored', async () => {
  await expect(getStorage({ key: 'never' })).rejects.toThrow('data not found')
  await setStorage({ key: 'key', data: null })
  expect(await getStorage({ key: 'key' })).toEqual({ data: null })
})

test('returns values that are not JSON as text', () => {
  expect(getStorageSync('foreign')).toBe('not JSON')
})

test('explains why a value cannot be stored, and keeps the old one', () => {
  setStorageSync('key', 1)
  const circle: { self?: object } = {}
  circle.self = circle
  expect(() => setStorageSync('key', circle)).toThrow('setStorageSync:fail data cannot be converted to JSON')
  expect(() => setStorageSync('key', 'x'.repeat(1024 ** 2))).toThrow('setStorageSync:fail the entry exceeds 1 MB')
  expect(() => setStorageSync('', 1)).toThrow('setStorageSync:fail key must be a non-empty string')
  expect(getStorageSync('key')).toBe(1)
})
