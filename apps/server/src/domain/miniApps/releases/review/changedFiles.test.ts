import { expect, test } from 'vitest'
import { nameWithoutHash, type PathChange, pairByName } from './changedFiles.ts'

const added = (path: string, size: number): PathChange => ({ path, change: 'added', size, earlierSize: null })
const removed = (path: string, earlierSize: number): PathChange => ({
  path,
  change: 'removed',
  size: null,
  earlierSize,
})

test.each([
  ['assets/index-B3x_fG2k.js', 'assets/index.js'],
  ['assets/index-B-x_fG2k.js', 'assets/index.js'],
  ['static/js/main.8e1f09ab.chunk.js', 'static/js/main.chunk.js'],
  ['a/index-abc12345.css', 'a/index.css'],
  ['assets/checkout-complete.js', undefined],
  ['assets/my-Checkout.js', undefined],
  ['static/logo.svg', undefined],
  ['index.html', undefined],
])('the name of %s without its hash is %s', (path, name) => {
  expect(nameWithoutHash(path)).toBe(name)
})

test('a file whose name has another hash is changed', () => {
  expect(pairByName([added('index-def45678.js', 12), removed('index-abc12345.js', 10), added('new.js', 1)])).toEqual([
    { path: 'index-def45678.js', earlierPath: 'index-abc12345.js', change: 'changed', size: 12, earlierSize: 10 },
    { ...added('new.js', 1), earlierPath: null },
  ])
})

test('of several files with the same name, those of similar size are pairs', () => {
  const changes = [
    added('index-aaaaaaa1.js', 900),
    added('index-aaaaaaa2.js', 50),
    added('index-aaaaaaa3.js', 5000),
    removed('index-bbbbbbb1.js', 40),
    removed('index-bbbbbbb2.js', 1000),
  ]
  expect(pairByName(changes).map(({ path, change, earlierPath }) => [path, change, earlierPath])).toEqual([
    ['index-aaaaaaa1.js', 'changed', 'index-bbbbbbb2.js'],
    ['index-aaaaaaa2.js', 'changed', 'index-bbbbbbb1.js'],
    ['index-aaaaaaa3.js', 'added', null],
  ])
})
