import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from './blocks.ts'
import { terms } from './terms.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFile(join(root, path), 'utf8')

/** Returns a block as readers see it, without what is not language: code, addresses and paths. */
const proseOf = (block: string) =>
  block
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\[[\w./-]+\]/g, '')

/** Texts of the applications and of mails. */
const texts = globSync(
  [
    'apps/{console,host}/src/**/locales/{zh-CN,ar}.ts',
    'apps/server/src/domain/messages/mail/texts/*.ts',
    'packages/host-view/src/inspector/texts.ts',
    'apps/docs/.vitepress/{locales,sidebar,errors/*,theme/PageVersion,theme/SoukLinks,theme/search/texts}.ts',
  ],
  { cwd: root },
)

/** Returns the second names of terms that a text has. */
const othersIn = (text: string) =>
  terms.flatMap(({ zh, ar }) =>
    [zh, ar].flatMap(({ name, others }) => {
      const found = others?.exec(text)
      return found ? [`${found[0]} instead of ${name}: ${text.trim()}`] : []
    }),
  )

describe.each(['zh', 'ar'] as const)('the pages in %s', (locale) => {
  const pages = globSync(`docs/${locale}/**/*.md`, { cwd: root })

  test.each(pages)('%s has no second name of a term', async (page) => {
    expect(
      blocksOf(await read(page))
        .map(proseOf)
        .flatMap(othersIn),
    ).toEqual([])
  })

  test.each(pages.filter((page) => page.includes('/guides/')))(
    '%s has the translation of each term where the English page has the term',
    async (page) => {
      const english = blocksOf(await read(page.replace(`/${locale}/`, '/'))).map(proseOf)
      const translated = blocksOf(await read(page)).map(proseOf)
      const missed = english.flatMap((block, index) => {
        const translation = translated[index] ?? ''
        return terms.flatMap((term) => {
          const { name, used = new RegExp(name) } = term[locale]
          return term.english.test(block) && !used.test(translation) ? [`${name}: ${translation} (${block})`] : []
        })
      })
      expect(missed).toEqual([])
    },
  )
})

test('pages address readers in Chinese as 你, and the applications their users as 您', async () => {
  for (const page of globSync('docs/zh/**/*.md', { cwd: root })) expect(await read(page)).not.toMatch(/您/)
  for (const file of texts.filter((path) => path.endsWith('zh-CN.ts'))) expect(await read(file)).not.toMatch(/你/)
})

test.each(texts)('%s has no second name of a term', async (file) => {
  expect((await read(file)).split('\n').flatMap(othersIn)).toEqual([])
})
