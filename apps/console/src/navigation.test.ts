import { expect, test } from 'vitest'
import navigation from './navigation.ts?raw'
import router from './router.ts?raw'

const pages = Object.keys(import.meta.glob('./pages/*/*Page.vue'))

test('every page has a route', () => {
  const missing = pages.filter((path) => !router.includes(`import('${path}')`))
  expect(missing, 'Add these pages to router.ts.').toEqual([])
})

test('every entry of the navigation has a route', () => {
  const entries = Array.from(navigation.matchAll(/route: '(\w+)'/g), ([, route]) => route!)
  expect(entries.length).toBeGreaterThan(15)
  const missing = entries.filter((route) => !new RegExp(`page\\(\\s*'${route}'|name: '${route}'`).test(router))
  expect(missing, 'Add pages of these names to router.ts.').toEqual([])
})
