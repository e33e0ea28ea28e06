import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pictureNames, socialPicture } from '../e2e/pictures/names.ts'
import { scripts } from './languages.ts'

const root = join(import.meta.dirname, '..')
const folder = join(import.meta.dirname, 'pictures')
const pages = ['README.md', ...globSync('docs/{,zh/,ar/}{index,guides/*}.md', { cwd: root })]
const filesOf = (path: string) =>
  readdirSync(path)
    .map((file) => join(path, file))
    .toSorted()
const read = (page: string) => readFileSync(join(root, page), 'utf8')

interface Shown {
  page: string
  light: string
  dark: string
  alt: string
}

/** Returns the pictures of a page. */
function picturesOf(page: string): Shown[] {
  const text = read(page)
  const inside = [
    ...text.matchAll(
      /^<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\n {2}<img alt="([^"]+)" src="([^"]+)" width="\d+">\n<\/picture>$/gm,
    ),
  ].map(([, dark, alt, light]) => ({ dark: dark!, alt: alt!, light: light! }))
  expect(text.match(/<(picture|img)\b/g) ?? [], page).toHaveLength(2 * inside.length)
  const hero = /^ {2}image:\n {4}light: \/(.+)\n {4}dark: \/(.+)\n {4}alt: "(.+)"$/m.exec(text)
  const place = join(root, 'docs')
  return [
    ...inside.map(({ dark, light, alt }) => ({
      page,
      alt,
      dark: join(root, dirname(page), dark),
      light: join(root, dirname(page), light),
    })),
    ...(hero ? [{ page, light: join(place, hero[1]!), dark: join(place, hero[2]!), alt: hero[3]! }] : []),
  ]
}

const shown = pages.flatMap(picturesOf)

test('pictures exist in light and dark, and have alternative texts in the language of the page', () => {
  for (const { page, light, dark, alt } of shown) {
    expect([existsSync(light), existsSync(dark)], page).toEqual([true, true])
    expect(dark, page).toBe(light.replace('.light.', '.dark.'))
    const language = /^docs\/(zh|ar)\//.exec(page)?.[1] ?? 'en'
    expect(alt, page).toMatch(scripts[language]!)
    expect(alt.length, page).toBeGreaterThan(10)
  }
})

test('each picture is taken by the script, and shown', () => {
  const taken = pictureNames.flatMap((name) => [join(folder, `${name}.dark.webp`), join(folder, `${name}.light.webp`)])
  expect(filesOf(folder)).toEqual([...taken, join(folder, socialPicture)].toSorted())
  expect([...new Set(shown.flatMap(({ light, dark }) => [dark, light]))].toSorted()).toEqual(taken.toSorted())
  const withPicture = new Set(shown.map(({ page }) => page))
  for (const page of ['README.md', 'docs/index.md', 'docs/zh/index.md', 'docs/ar/index.md']) {
    expect(withPicture).toContain(page)
  }
})

test('pictures are small', () => {
  const sizes = filesOf(folder).map((file) => statSync(file).size)
  expect(Math.max(...sizes)).toBeLessThan(80_000)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_000_000)
})

test('translated pages show the pictures of the English page', () => {
  const namesOn = (page: string) => shown.filter((one) => one.page === page).map(({ light }) => light)
  for (const page of pages.filter((path) => /^docs\/(?:zh|ar)\//.test(path))) {
    expect(namesOn(page), page).toEqual(namesOn(page.replace(/^docs\/(?:zh|ar)\//, 'docs/')))
  }
})
