import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tags } from '@souk/tags/tags'
import { beforeAll, expect, test } from 'vitest'
import { neu } from '../src/neu/index.ts'
import * as hooks from '../src/stack/hooks.ts'

/** Reads the pages about tags, hooks and functions. */
async function readGuides(folder: string): Promise<[pages: string, functions: string]> {
  const read = (page: string) => readFile(join(import.meta.dirname, '../../../docs', folder, page), 'utf8')
  return [await read('pages-and-tags.md'), await read('neu-functions.md')]
}

let pages: string
let functions: string
beforeAll(async () => {
  ;[pages, functions] = await readGuides('guides')
})

test('the guides name hooks that exist', () => {
  const [, ofHooks] = /\n## Hooks\n(.*)/s.exec(pages)!
  const mentioned = [...new Set(ofHooks!.match(/\bon[A-Z]\w+/g))]
  expect(mentioned.length).toBeGreaterThan(10)
  expect(mentioned.filter((name) => !Object.hasOwn(hooks, name))).toEqual([])
})

test.each(['zh', 'ar'])('the guide in %s names the same tags and functions', async (language) => {
  const words = new Set((await readGuides(`${language}/guides`)).join('\n').match(/[\w$-]+/g))
  const inEnglish = new Set(`${pages}\n${functions}`.match(/[\w$-]+/g))
  const names = [...tags.map(({ tag }) => tag), ...Object.keys(neu)].filter((name) => inEnglish.has(name))
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
