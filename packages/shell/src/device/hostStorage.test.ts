import { expect, test } from 'vitest'
import { memoryStore } from '../../test/memoryStore.ts'
import { hostStorage } from './hostStorage.ts'

test('enforces the limit of 10 MB, including earlier entries', async () => {
  const megabyte = 'x'.repeat(1024 ** 2 - 4)
  const store = memoryStore(Array.from({ length: 9 }, (_, index) => [`old${index}`, megabyte]))
  const storage = hostStorage('app', store)
  await storage.setStorage({ key: 'new0', data: megabyte })
  await expect(storage.setStorage({ key: 'more', data: 'x' })).rejects.toMatchObject({
    errMsg: expect.stringMatching(/^setStorage:fail .*10 MB/),
  })
  expect(store.kept.has('more')).toBe(false)
  // A replaced entry counts once.
  await storage.setStorage({ key: 'new0', data: megabyte })
  await storage.removeStorage({ key: 'old0' })
  await storage.setStorage({ key: 'more', data: 'x' })
  expect(store.kept.get('more')).toBe('x')
})

test('runs calls in order, even after a failed one', async () => {
  const store = memoryStore()
  const storage = hostStorage('app', store)
  const calls = [
    storage.setStorage({ key: 'a', data: '1' }),
    storage.setStorage({ key: 'b', data: 'x'.repeat(1024 ** 2) }).catch(({ errMsg }) => errMsg),
    storage.clearStorage({}),
    storage.setStorage({ key: 'a', data: '2' }),
    storage.setStorage({ key: 'a', data: '3' }),
  ]
  expect((await Promise.all(calls))[1]).toMatch(/^setStorage:fail .*1 MB/)
  expect(await storage.readStorage()).toEqual([['a', '3']])
})

test('stores keys such as __proto__', async () => {
  const storage = hostStorage('app', memoryStore())
  await storage.setStorage({ key: '__proto__', data: '1' })
  expect(await storage.readStorage()).toEqual([['__proto__', '1']])
})
