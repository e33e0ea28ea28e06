import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileOf, siteLink } from '../.vitepress/repository.ts'
import { moved } from '../.vitepress/theme/moved.ts'
import { dist, root } from './site.ts'

const base = '/docs/'
const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.html'))
const htmlOf = new Map(pages.map((page) => [page, readFileSync(join(dist, page), 'utf8')]))

/** Returns the Markdown of a page, or undefined if it is made of something else. */
function markdownOf(page: string): { file: string; text: string } | undefined {
  const path = page.replace(/\.html$/, '.md').replace(/^adr\/index\.md$/, 'adr/README.md')
  const file = fileOf(path)
  return existsSync(join(root, file)) ? { file, text: readFileSync(join(root, file), 'utf8') } : undefined
}

/** Returns the relative links of a Markdown text, without those in code. */
function linksIn(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '``')
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!).filter((link) => !URL.canParse(link))
}

/** Returns the addresses of the links of a built page. */
const addressesIn = (html: string) =>
  new Set(Array.from(html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g), ([, address]) => decodeURI(address!)))

/** Returns what is wrong with an address of the site. */
function mistakeIn(address: string, from: string): string | undefined {
  const [path = '', hash] = address.replace(/\?[^#]*/, '').split('#')
  const target = path === '' ? from : `${path.slice(base.length)}`
  const file = [`${target}.html`, `${target}index.html`, target].find(
    (one) => existsSync(join(dist, one)) && one !== '',
  )
  if (!file) return 'leads nowhere'
  if (hash && !htmlOf.get(file)?.includes(`id="${hash}"`)) return 'names no place of its page'
  return undefined
}

describe('links of the documentation', () => {
  test('are links of the site: none is removed', () => {
    const removed: string[] = []
    let leaving = 0
    for (const page of pages) {
      const { file, text } = markdownOf(page) ?? { file: page, text: '' }
      const addresses = addressesIn(htmlOf.get(page)!)
      for (const link of linksIn(text)) {
        const address =
          siteLink(link, file)
            ?.replace(/^\//, base)
            .replace(/\.md(?=#|$)/, '') ?? link
        if (address.startsWith(`${base}repository/`)) leaving += 1
        if (!addresses.has(address)) removed.push(`${file}: ${address}`)
      }
    }
    expect(removed).toEqual([])
    expect(leaving).toBeGreaterThan(250)
  })

  test('of sections that have become pages lead there', () => {
    const targets = Object.values(moved).flatMap((sections) => Object.values(sections))
    const broken = targets.flatMap((path) => mistakeIn(`${base}${path}`, '') ?? [])
    expect(targets.length).toBeGreaterThan(30)
    expect(broken).toEqual([])
  })

  test('lead to pages, places of pages and files of the site', () => {
    const broken = pages.flatMap((page) =>
      Array.from(addressesIn(htmlOf.get(page)!))
        .filter((address) => address.startsWith(base) || address.startsWith('#'))
        .flatMap((address) => {
          const mistake = mistakeIn(address, page)
          return mistake ? [`${page}: ${address} ${mistake}`] : []
        }),
    )
    expect(broken).toEqual([])
  })
})

test('no page shows a comment of its Markdown', () => {
  const shown = pages.filter((page) => /&lt;!-- \/?generated/.test(htmlOf.get(page)!))
  expect(shown).toEqual([])
})
