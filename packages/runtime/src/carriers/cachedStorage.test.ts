import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cachedStorage } from './cachedStorage.ts'
import { pageStorage } from './pageStorage.ts'

/** Creates a minimal localStorage. */
function area(entries: Record<string, string> = {}): Storage & Record<string, string> {
  const methods = {
    getItem: (key: string) => (Object.hasOwn(kept, key) ? kept[key] : null),
    setItem(key: string, value: string) {
      kept[key] = value
    },
    removeItem: (key: string) => void delete kept[key],
  }
  const kept = Object.assign(Object.create(methods), entries)
  return kept
}

test('reads back a stored value immediately and writes it through', () => {
  const written: unknown[] = []
  const storage = cachedStorage([['old', '1']], {
    set: (...entry) => written.push(entry),
    remove: (key) => written.push(['-', key]),
    clear: () => written.push(['clear']),
  })
  storage.set('new', '2')
  storage.remove('old')
  storage.remove('never')
  expect(storage.get('new')).toBe('2')
  expect(storage.get('old')).toBeUndefined()
  expect(storage.keys()).toEqual(['new'])
  storage.clear()
  expect(storage.size()).toBe(0)
  expect(written).toEqual([['new', '2'], ['-', 'old'], ['clear']])
})

test('rejects an entry over 1 MB, a key over 1 KB and more than 10 MB in total, and keeps existing entries', () => {
  const written: string[] = []
  const storage = cachedStorage([], { set: (key) => written.push(key), remove: () => {}, clear: () => {} })
  const almost = 1024 ** 2 - 1
  for (let index = 0; index < 10; index++) storage.set(String(index), 'x'.repeat(almost))
  expect(storage.size()).toBe(10 * 1024 ** 2)
  expect(() => storage.set('x', '')).toThrow('full')
  expect(() => storage.set('0', 'x'.repeat(almost + 1))).toThrow('1 MB')
  expect(() => storage.set('k'.repeat(1025), '')).toThrow('1 KB')
  expect(storage.get('0')).toHaveLength(almost)
  expect(written).toHaveLength(10)
  storage.set('0', 'small')
  storage.set('x', 'y')
  expect(storage.get('x')).toBe('y')
})

test('keeps the size equal to the sum of all entries', () => {
  const key = fc.constantFrom('a', 'ب', '__proto__', 'constructor')
  const step = fc.oneof(
    fc.record({ set: key, text: fc.string({ maxLength: 50 }) }),
    fc.record({ remove: key }),
    fc.constant({ clear: true }),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const storage = cachedStorage([], { set: () => {}, remove: () => {}, clear: () => {} })
      for (const each of steps) {
        if ('set' in each) storage.set(each.set, each.text)
        else if ('remove' in each) storage.remove(each.remove)
        else storage.clear()
      }
      const sum = storage.keys().reduce((all, each) => all + Buffer.byteLength(each + storage.get(each)), 0)
      expect(storage.size()).toBe(sum)
    }),
  )
})

test('isolates the storage of apps that share an origin', () => {
  const shared = area({ session: 'of the site' })
  const one = pageStorage(shared, 'https://example.com/one/#/pages/index/index')
  const two = pageStorage(shared, 'https://example.com/two/index.html')
  one.set('cart', '1')
  two.set('cart', '2')
  expect([one.get('cart'), two.get('cart')]).toEqual(['1', '2'])
  expect(one.get('session')).toBeUndefined()
  one.clear()
  expect(two.keys()).toEqual(['cart'])
  expect(shared.session).toBe('of the site')
  expect(pageStorage(shared, 'https://example.com/two/#/other').get('cart')).toBe('2')
})

test('keeps values until the page is closed if the browser denies storage', () => {
  const storage = pageStorage(undefined, 'https://example.com/')
  storage.set('key', 'text')
  expect(storage.get('key')).toBe('text')
  storage.clear()
  expect(storage.keys()).toEqual([])
})
