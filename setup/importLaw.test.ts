import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawDomains, findViolations, wings } from './importLaw.mjs'

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

test('allows only the hook of what is for projects of the ecosystem', () => {
  const folder = 'packages/vite-plugin/src'
  const sources = {
    [`${folder}/souk.ts`]: `import { uniCompat } from './uniCompat/index.ts'`,
    [`${folder}/uniCompat/index.ts`]: `import type { names } from './names.ts'`,
    [`${folder}/plugins/vue.ts`]: `import type { names } from '../uniCompat/names.ts'`,
  }
  expect(check(sources)).toEqual([
    `${folder}/plugins/vue.ts imports ../uniCompat/names.ts: import ${folder}/uniCompat through its index.ts`,
  ])
})

test('rejects folders of a layered package that import each other', () => {
  const folder = 'packages/runtime/src'
  const sources = {
    [`${folder}/page/rpx.ts`]: `import type { page } from '../stack/page.ts'`,
    [`${folder}/stack/page.ts`]: '',
    [`${folder}/stack/stack.ts`]: `import { motion } from '../page/motion.ts'`,
    [`${folder}/page/motion.ts`]: '',
  }
  expect(check(sources)).toEqual([
    `${folder}/page imports ${folder}/stack imports ${folder}/page: imports must not form a cycle`,
  ])
})

test('rejects outbound connections outside kernel/egress, except for types', () => {
  const file = 'apps/server/src/domain/miniApps/apps/a.ts'
  expect(check({ [file]: `import { request } from 'undici'` })).toEqual([
    `${file} imports undici: only kernel/egress opens outbound connections`,
  ])
  expect(check({ [file]: `import type { Dispatcher } from 'undici'` })).toEqual([])
})

test('rejects imports of a wing by those after it, and past an index.ts', () => {
  const trades = 'apps/server/src/domain/money/trades/a.ts'
  const apps = 'apps/server/src/domain/miniApps/apps/a.ts'
  expect(check({ [apps]: `import '../../money/index.ts'` })).toEqual([
    `${apps} imports ../../money/index.ts: miniApps is not above money`,
  ])
  expect(check({ [trades]: `import '../../miniApps/apps/index.ts'` })).toEqual([
    `${trades} imports ../../miniApps/apps/index.ts: import miniApps through its index.ts`,
  ])
  expect(check({ [trades]: `import '../callbacks/store.ts'` })).toEqual([
    `${trades} imports ../callbacks/store.ts: import callbacks through its index.ts`,
  ])
  expect(check({ [trades]: `import '../callbacks/index.ts'; import '../../context.ts'` })).toEqual([])
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

test('draws domains without imports, imports between domains, and imports between wings', () => {
  const sources = {
    'apps/server/src/domain/money/trades/a.ts': `import '../callbacks/index.ts'; import '../../users/index.ts'`,
    'apps/server/src/domain/money/callbacks/a.ts': `import './b.ts'; import '../../context.ts'`,
    'apps/server/src/domain/users/oidc/a.ts': '',
  }
  const drawn = drawDomains(new Map(Object.entries(sources))).split('\n')
  const money = drawn.indexOf('  subgraph money')
  expect(drawn.slice(money, money + 3)).toEqual(['  subgraph money', '    trades --> callbacks', '  end'])
  const users = drawn.indexOf('  subgraph users')
  expect(drawn.slice(users, users + 3)).toEqual(['  subgraph users', '    oidc', '  end'])
  expect(drawn.at(-1)).toBe('  money --> users')
})

test('ARCHITECTURE.md lists every domain in its wing, in the order of the law', () => {
  const section = readFileSync('ARCHITECTURE.md', 'utf8').split('\n## Domains\n')[1]!.split('\n## ')[0]!
  const listed = new Map<string, string[]>()
  for (const [, wing, names] of section.matchAll(/^\|(?: `(\w+)\/`[^|]*| )\|([^|]*)\|/gm)) {
    if (wing) listed.set(wing, [])
    for (const [, name] of names!.matchAll(/`(\w+)`/g)) [...listed.values()].at(-1)!.push(name!)
  }
  expect([...listed.keys()]).toEqual(wings)
  for (const wing of wings) {
    const folders = globSync(`apps/server/src/domain/${wing}/*/`).map((path) => path.split('/').at(-1)!)
    expect(listed.get(wing)!.toSorted()).toEqual(folders.toSorted())
  }
})
