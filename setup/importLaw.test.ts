import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { below, findViolations } from './importLaw.mjs'

const check = (sources: Record<string, string>): string[] => findViolations(new Map(Object.entries(sources)))

test('allows imports within the law', () => {
  const sources = {
    'packages/sdk/src/client.ts': `import { signParameters } from '@souk/contract'`,
    'apps/server/src/domain/money/trades/create.ts': `import { findApp } from '../apps/index.ts'`,
    'apps/console/src/App.vue': `<script setup lang="ts">import { tokens } from '@souk/design'</script>`,
  }
  expect(check(sources)).toEqual([])
})

test('rejects an import from a folder that may not be seen', () => {
  expect(check({ 'packages/contract/src/a.ts': `import '@souk/sdk'` })).toEqual([
    'packages/contract/src/a.ts imports @souk/sdk: packages/contract/src may not import from there',
  ])
})

test('rejects a package that is not listed for the folder', () => {
  expect(check({ 'packages/contract/src/a.ts': `import { join } from 'node:path'` })).toEqual([
    'packages/contract/src/a.ts imports node:path: packages/contract/src may not import this package',
  ])
})

test.each([
  ['an export', `export { a } from '@souk/sdk'`],
  ['a dynamic import', `export const a = () => import('@souk/sdk')`],
  ['an import of types', `import type { A } from '@souk/sdk'`],
])('applies to %s', (_, text) => {
  expect(check({ 'packages/contract/src/a.ts': text })).toHaveLength(1)
})

test.each([
  ['the only script', `<script lang="ts">import '@souk/sdk'</script>`],
  [
    'the second script',
    `<script lang="ts">export const a = 1</script>\n<script setup lang="ts">import '@souk/sdk'</script>`,
  ],
  ['a generic script', `<script setup lang="ts" generic="T extends Array<number>">import '@souk/sdk'</script>`],
])('applies to %s of a Vue file', (_, text) => {
  expect(check({ 'apps/console/src/A.vue': text })).toEqual([
    'apps/console/src/A.vue imports @souk/sdk: apps/console/src may not import from there',
  ])
})

test('applies to a script in a separate file', () => {
  const text = '<script lang="ts" src="../../server/src/main.ts"></script>'
  expect(check({ 'apps/console/src/A.vue': text })).toHaveLength(1)
})

test('ignores what only looks like a script', () => {
  const text = `<template><p>import '@souk/sdk'</p></template>\n<!-- <script>import '@souk/sdk'</script> -->`
  expect(check({ 'apps/console/src/A.vue': text })).toEqual([])
})

test('rejects outbound connections outside kernel/egress, except for types', () => {
  const file = 'apps/server/src/domain/miniApps/apps/a.ts'
  expect(check({ [file]: `import { request } from 'undici'` })).toEqual([
    `${file} imports undici: only kernel/egress opens outbound connections`,
  ])
  expect(check({ [file]: `import type { Dispatcher } from 'undici'` })).toEqual([])
})

test('rejects a domain that imports one above it, or past an index.ts', () => {
  expect(check({ 'apps/server/src/domain/miniApps/apps/a.ts': `import '../trades/index.ts'` })).toEqual([
    'apps/server/src/domain/miniApps/apps/a.ts imports ../trades/index.ts: apps is not above trades',
  ])
  expect(check({ 'apps/server/src/domain/money/trades/a.ts': `import '../apps/store.ts'` })).toEqual([
    'apps/server/src/domain/money/trades/a.ts imports ../apps/store.ts: import apps through its index.ts',
  ])
})

test('reports the shortest cycle once', () => {
  const sources = {
    'packages/sdk/src/a.ts': `import './b.ts'`,
    'packages/sdk/src/b.ts': `import type { C } from './c.ts'`,
    'packages/sdk/src/c.ts': `import './a.ts'`,
  }
  expect(check(sources)).toEqual([
    'packages/sdk/src/a.ts imports packages/sdk/src/b.ts imports packages/sdk/src/c.ts imports packages/sdk/src/a.ts: imports must not form a cycle',
  ])
})

test('reports folders without a rule, and files that cannot be parsed', () => {
  expect(check({ 'packages/new/src/a.ts': `import 'vue'` })).toEqual([
    'packages/new/src/a.ts: setup/importLaw.mjs has no rule for this folder',
  ])
  expect(check({ 'packages/sdk/src/a.ts': 'const = 1' })).toHaveLength(1)
})

test('lists the domains in ARCHITECTURE.md above those that they may import', () => {
  const section = readFileSync('ARCHITECTURE.md', 'utf8').split('\n## Domains\n')[1]!.split('\n## ')[0]!
  const listed = [...section.matchAll(/^\|[^|]*\|([^|]*)\|/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
  const folders = globSync('apps/server/src/domain/{*,*/*}/').map((path) => path.split('/').at(-1)!)
  expect(listed.toSorted()).toEqual(folders.toSorted())
  for (const [upper, lower] of Object.entries(below)) {
    for (const name of lower)
      expect(listed.indexOf(upper), `${upper} imports ${name}`).toBeLessThan(listed.indexOf(name))
  }
})
