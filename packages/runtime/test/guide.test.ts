import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tags } from '@souk/tags/tags'
import { beforeAll, expect, test } from 'vitest'
import { neu } from '../src/neu/index.ts'
import * as hooks from '../src/stack/hooks.ts'

let guide: string
beforeAll(async () => {
  guide = await readFile(join(import.meta.dirname, '../../../docs/guides/mini-apps.md'), 'utf8')
})

test('the guide lists exactly the existing tags', () => {
  const [, listed] = /### Tags\n\n`([^`]*)`/.exec(guide)!
  expect(listed!.split(/\s+/).toSorted()).toEqual(tags.map(({ tag }) => tag).toSorted())
})

test('the guide lists exactly the existing functions and hooks', () => {
  const [, section] = guide.split('## neu.*')
  const rows = section!.split('\n').filter((line) => /^\| (?!group)\w/.test(line))
  const named = rows
    .join(' ')
    .match(/\$?\b[a-z\d]+[A-Z]\w*|\$\w+|\b(?:login|request|authorize|share|host|env|rpx2px|upx2px)\b/g)!
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter((name) => !Object.hasOwn(neu, name))).toEqual([])
  // The `off` half of a pair, and the variants of a call.
  const left = Object.keys(neu).filter(
    (name) => !named.includes(name) && !named.includes(name.replace(/Sync$|Async$/, '')),
  )
  expect(left.filter((name) => !/^off[A-Z]/.test(name))).toEqual([])

  const [, ofHooks] = /\n## Hooks\n(.*?)\n## /s.exec(guide)!
  const mentioned = [...new Set(ofHooks!.match(/\bon[A-Z]\w+/g))]
  expect(mentioned.filter((name) => !Object.hasOwn(hooks, name))).toEqual([])
})

test.each(['zh', 'ar'])('the guide in %s names the same tags and functions', async (language) => {
  const translated = await readFile(join(import.meta.dirname, `../../../docs/${language}/guides/mini-apps.md`), 'utf8')
  const words = new Set(translated.match(/[\w$-]+/g))
  const inEnglish = new Set(guide.match(/[\w$-]+/g))
  const names = [...tags.map(({ tag }) => tag), ...Object.keys(neu)].filter((name) => inEnglish.has(name))
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
