import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, kindOf, withoutCode } from './blocks.ts'

const translations = globSync('{zh,ar}/{guides,generated}/*.md', { cwd: import.meta.dirname })
const read = (page: string) => readFile(join(import.meta.dirname, page), 'utf8')

/** Blocks of code, except diagrams, whose texts are translated. */
const codeOf = (text: string) => (text.match(/^```[\s\S]*?^```$/gm) ?? []).filter((it) => !it.startsWith('```mermaid'))
/** Returns the headings by level, paragraphs, items and rows, in order. */
const outlineOf = (text: string) => blocksOf(text).map(kindOf)

test('both languages have the guides of the first hour', () => {
  const pages = (locale: string) => translations.filter((page) => page.startsWith(locale)).map((page) => page.slice(3))
  expect(pages('zh').toSorted()).toEqual(pages('ar').toSorted())
  expect(pages('zh')).toEqual(expect.arrayContaining(['guides/sandbox.md', 'guides/example.md', 'guides/mini-apps.md']))
})

test.each(translations)('%s has the commands, sections, paragraphs and rows of the English page', async (page) => {
  const [english, translated] = await Promise.all([read(page.slice(3)), read(page)])
  expect(codeOf(translated)).toEqual(codeOf(english))
  expect(outlineOf(translated)).toEqual(outlineOf(english))
})

test.each(translations)('the links of %s lead to files', async (page) => {
  for (const [, link] of withoutCode(await read(page)).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)) {
    expect(existsSync(join(import.meta.dirname, dirname(page), link!)), link).toBe(true)
  }
})

test.each(globSync('{zh,ar}/**/*.md', { cwd: import.meta.dirname }))(
  'the links of %s lead to translations, where there are some',
  async (page) => {
    const translated = translations.filter((path) => path.startsWith(page.slice(0, 3))).map((path) => path.slice(3, -3))
    const links = (await read(page)).matchAll(/(?:\]\(\.\.\/\.\.\/|link: \/)((?:guides|generated)\/[\w-]+)/g)
    expect(Array.from(links, ([, link]) => link!).filter((link) => translated.includes(link))).toEqual([])
  },
)

/** Returns the words in Latin letters of a block that a symbol starts or ends, except in code and in isolates. */
function unisolatedSymbols(block: string): string[] {
  const plain = block.replace(/`[^`]*`|\]\([^)]*\)|\u2066[^\u2069]*\u2069|\u200e[^\u200e]*\u200e|[*_[\]|]/g, ' ')
  const words = plain.match(/[!-~…]+/g) ?? []
  const cores = words.map((word) => word.replace(/^[("]+|[.,:;!?"]+$/g, '').replace(/^([^(]*)\)+[.,:;]*$/, '$1'))
  return cores.filter((core) => /[a-z]/i.test(core) && !/^[a-z\d](?:.*[a-z\d])?$/i.test(core))
}

test.each(translations.filter((page) => page.startsWith('ar/')))(
  '%s isolates names whose symbols would move to the other side',
  async (page) => {
    expect(blocksOf(await read(page)).flatMap(unisolatedSymbols)).toEqual([])
  },
)
