import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { descriptionLengths, editPatternOf } from '../.vitepress/metadata.ts'
import packageJson from '../package.json' with { type: 'json' }
import { dist } from './site.ts'

const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.html') && path !== '404.html' && !path.startsWith('examples/'))

/** Returns the elements of the head of a page, by name or relation. */
function headOf(page: string) {
  const html = readFileSync(join(dist, page), 'utf8')
  const head = html.slice(0, html.indexOf('</head>'))
  const meta = Object.fromEntries(
    Array.from(head.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g), ([, name, text]) => [
      name!,
      text!,
    ]),
  )
  const alternates = Object.fromEntries(
    Array.from(head.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g), ([, tag, url]) => [
      tag!,
      url!,
    ]),
  )
  return {
    title: /<title>([^<]*)/.exec(head)?.[1] ?? '',
    canonical: /<link rel="canonical" href="([^"]+)"/.exec(head)?.[1],
    meta,
    alternates,
  }
}

const heads = new Map(pages.map((page) => [page, headOf(page)]))
const address = (page: string) => `__SOUK_URL__/docs/${page.replace(/(?:index)?\.html$/, '')}`
const languageOf = (page: string) => /^(zh|ar)\//.exec(page)?.[1] ?? 'en'

test('each page has its own title and a description of 50 to 160 characters', () => {
  const { shortest, longest } = descriptionLengths
  const titles = new Map<string, string>()
  const descriptions = new Map<string, string>()
  const mistakes = [...heads].flatMap(
    ([
      page,
      {
        title,
        meta: { description = '' },
      },
    ]) => {
      const [titled, described] = [`${languageOf(page)} ${title}`, description].map((text, index) => {
        const known = [titles, descriptions][index]!
        const other = known.get(text)
        known.set(text, page)
        return other
      })
      const { length } = description.replace(/&\w+;/g, '.')
      return [
        ...(titled ? [`${page} has the title of ${titled}: ${title}`] : []),
        ...(described ? [`${page} has the description of ${described}: ${description}`] : []),
        ...(length < shortest || length > longest ? [`${page}: ${length} characters: ${description}`] : []),
      ]
    },
  )
  expect(pages.length).toBeGreaterThan(900)
  expect(mistakes).toEqual([])
})

test('each page names its address, its languages and its picture', () => {
  for (const [page, { title, canonical, meta, alternates }] of heads) {
    expect(canonical, page).toBe(address(page))
    expect(meta, page).toMatchObject({
      'og:title': title,
      'og:description': meta.description,
      'og:url': address(page),
      'og:locale': { en: 'en_US', zh: 'zh_CN', ar: 'ar_SA' }[languageOf(page)],
      'og:type': /^(?:\w\w\/)?index\.html$/.test(page) ? 'website' : 'article',
    })
    expect(existsSync(join(dist, meta['og:image']!.replace('__SOUK_URL__/docs/', ''))), page).toBe(true)
    const english = page.replace(/^(?:zh|ar)\//, '')
    const others = (['zh', 'ar'] as const).filter((locale) => pages.includes(`${locale}/${english}`))
    const expected = ['', ...others.map((locale) => `${locale}/`)].map((folder) => address(folder + english))
    expect(Object.values(alternates), page).toEqual(others.length > 0 ? expected : [])
  }
})

test('the sitemap has each page', () => {
  const urls = Array.from(readFileSync(join(dist, 'sitemap.xml'), 'utf8').matchAll(/<loc>([^<]+)/g), ([, url]) => url)
  expect(urls.toSorted()).toEqual(pages.map(address).toSorted())
})

test('a page says which version it describes', () => {
  expect(readFileSync(join(dist, 'guides/sandbox.html'), 'utf8')).toContain(
    `Documentation of Souk ${packageJson.version}`,
  )
  expect(readFileSync(join(dist, 'errors/sign_mismatch.html'), 'utf8')).toContain(
    `Documentation of Souk ${packageJson.version}`,
  )
})

test.each([
  [{}, undefined],
  [{ repository: 'https://git.example/souk' }, 'https://git.example/souk/edit/main/docs/:path'],
  [{ repository: { url: 'git+https://git.example/souk.git' } }, 'https://git.example/souk/edit/main/docs/:path'],
])('pages of %j are edited at %s', (packageJson, pattern) => {
  expect(editPatternOf(packageJson)).toBe(pattern)
})
