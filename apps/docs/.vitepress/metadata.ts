import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HeadConfig } from 'vitepress'
import { blocksOf, kindOf } from '../../../docs/blocks.ts'
import { socialPicture, socialSize } from '../../../e2e/pictures/names.ts'
import { errorHelp } from '../../../packages/contract/src/errorHelp.ts'
import { type ErrorCode, errors } from '../../../packages/contract/src/errors.ts'
import { operations } from '../../../packages/contract/src/openapi.ts'
import type { Surface } from '../../../packages/contract/src/operation.ts'
import { type ErrorLanguage, errorTextsIn } from './errors/texts.ts'
import { types } from './reference/index.ts'
import { linkedFromDocs } from './repository.ts'
import { sources } from './sidebar.ts'

/** Lengths of a description, characters: what search engines show. */
export const descriptionLengths = { shortest: 50, longest: 160 } as const

/** Replaced by the server by its own address, which no build knows. */
const address = '__SOUK_URL__'

const languages = { en: 'en_US', zh: 'zh_CN', ar: 'ar_SA' } as const
type Language = keyof typeof languages

/** Tags of the languages, as the site has them. */
const tags: Record<Language, string> = { en: 'en', zh: 'zh-CN', ar: 'ar' }

/** What is added to the titles of pages whose own names may be on other pages, by their folder. */
const sections: Readonly<Record<string, string>> = {
  adr: 'Decision',
  errors: 'Error',
  generated: 'Reference',
  neu: 'Function',
  operations: 'API',
  repository: 'Repository',
  spec: 'Specification',
  tags: 'Tag',
}

const surfaces: Record<Surface, string> = {
  open: 'Open API',
  platform: 'Platform data API',
  host: 'Host API',
  console: 'Console API',
  ops: 'Operations',
}

/** Returns the title template of a page, by its path such as `errors/rate_limited.md`. */
export function titleTemplateOf(page: string): string | undefined {
  const [folder, name] = withoutLanguage(page).replace(/\.md$/, '').split('/') as [string, string?]
  const operation = folder === 'operations' && operations.find(({ id }) => id === name)
  // Surfaces have operations of the same name.
  const section = operation ? surfaces[operation.surface] : sections[folder]
  return section && `:title | ${section} | Souk`
}

let linked: Map<string, string> | undefined

/** Returns the text that describes a page: its Markdown, or what it is made from. */
function textOf(page: string): string {
  const [folder, ...rest] = page.replace(/\.md$/, '').split('/')
  const name = rest.join('/')
  const [, language, code] = /^(zh|ar)\/errors\/(\w+)\.md$/.exec(page) ?? []
  if (language) {
    const { cause, fix } = errorTextsIn(language as ErrorLanguage, code as ErrorCode)
    return `${code} · ${cause}\n\n${fix}\n\n${errors[code as ErrorCode].msg}`
  }
  if (folder === 'errors') {
    const { msg, status } = errors[name as ErrorCode]
    return `${msg} Error ${status} of Souk, its cause and what to do. ${errorHelp[name as ErrorCode].cause}`
  }
  if (folder === 'operations') {
    const operation = operations.find(({ id }) => id === name)
    if (!operation) return 'All operations of the HTTP APIs of Souk, with parameters, responses, examples and errors.'
    const { summary, method, path, notes = '' } = operation
    return `${summary}: ${method} ${path}. Parameters, response, examples and errors. ${notes}`
  }
  const declared = folder === 'neu' ? types().functions[name] : folder === 'tags' ? types().tags[name] : undefined
  if (declared) return `${declared.description} Reference of ${name}, with an example that runs.`
  if (folder === 'repository') {
    linked ??= new Map(linkedFromDocs().pages.map(({ path, content }) => [path, content]))
    return `${name} in the repository of Souk.\n\n${linked.get(name)}\n\nSouk is an open-source, self-hosted mini app platform.`
  }
  const text = readFileSync(join(sources, page.replace(/^adr\/index\.md$/, 'adr/README.md')), 'utf8')
  const [front = ''] = /^---\n[\s\S]*?^---$/m.exec(text) ?? []
  // The parts of the home page are in its settings.
  const parts = Array.from(front.matchAll(/^(?: {2}(?:text|tagline)| {4}details): (.+)/gm), ([, part]) => part)
  if (parts.length > 0) return parts.join('\n\n')
  // All records begin in the same way.
  return folder === 'adr' ? text.slice(Math.max(0, text.indexOf('\n## Decision'))) : text.slice(front.length)
}

/** Returns the description of a page: its first sentences, or its headings if it has none. */
export function descriptionOf(page: string): string {
  const { shortest, longest } = descriptionLengths
  const blocks = blocksOf(textOf(page).replace(/^(`{3,})[\s\S]*?^\1$/gm, ''))
  const prose = blocks
    .filter((block) => !/^[#|]/.test(kindOf(block)) && !/^(?:<|:::|Date: )/.test(block))
    .map((block) => block.replace(/^(?:-|\d+\.) /, ''))
  const headings = blocks.filter((block) => /^##? /.test(block)).map((heading) => heading.replace(/^#+ /, ''))
  let description = ''
  for (const part of prose.flatMap((block) => sentencesOf(plain(block)))) {
    const longer = joined(description, part)
    if (description.length >= shortest && longer.length > longest) break
    description = longer
  }
  if (description.length < shortest) description = joined(description, headings.map(plain).join(' · '))
  if (description.length <= longest) return description
  const start = description.slice(0, longest - 1)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), shortest))}…`
}

const sentencesOf = (text: string) => text.split(/(?<=[.!?؟])\s+|(?<=[。！？])/).filter((part) => part !== '')

/** Joins sentences, which Chinese ones are without a space. */
const joined = (text: string, sentence: string) =>
  `${text}${text === '' || /[。！？]$/.test(text) ? '' : /[.!?؟]$/.test(text) ? ' ' : ' · '}${sentence}`

/** Returns a block of Markdown as it is read. */
const plain = (block: string) =>
  block
    .replace(/!?\[([^\]]*)\](?:\([^)]*\))?/g, '$1')
    .replace(/(^|[\s(])_([^_]+)_/g, '$1$2')
    .replace(/\*\*|[`\\]|<br>|[\u200e\u2066-\u2069]/g, '')
    .replace(/[:：]$/, (colon) => (colon === ':' ? '.' : '。'))
    .replace(/\s+/g, ' ')
    .trim()

const languageOf = (page: string): Language => (/^(zh|ar)\//.exec(page)?.[1] as 'zh' | 'ar' | undefined) ?? 'en'
const withoutLanguage = (page: string) => page.replace(/^(?:zh|ar)\//, '')

/** Returns the address of a page below the site. */
const pathOf = (page: string) => page.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')
const urlOf = (page: string) => `${address}/docs/${pathOf(page)}`

const isTranslated = (language: ErrorLanguage, page: string) =>
  existsSync(join(sources, language, page)) || page.startsWith('errors/')

/** Returns the pages with the same content in each language that has it. */
function translationsOf(page: string): [Language, string][] {
  const english = withoutLanguage(page)
  const others = (['zh', 'ar'] as const).filter((language) => isTranslated(language, english))
  return others.length === 0
    ? []
    : [['en', english], ...others.map((one) => [one, `${one}/${english}`] as [Language, string])]
}

/** Returns the elements of a page's head that describe it to search engines and where links to it are shared. */
export function headOf(page: string, title: string, description: string): HeadConfig[] {
  const property = (name: string, content: string): HeadConfig => ['meta', { property: `og:${name}`, content }]
  const language = languageOf(page)
  const translations = translationsOf(page)
  return [
    ['link', { rel: 'canonical', href: urlOf(page) }],
    ...translations.map(
      ([its, path]): HeadConfig => ['link', { rel: 'alternate', hreflang: tags[its], href: urlOf(path) }],
    ),
    property('site_name', 'Souk'),
    property('type', withoutLanguage(page) === 'index.md' ? 'website' : 'article'),
    property('title', title),
    property('description', description),
    property('url', urlOf(page)),
    property('locale', languages[language]),
    ...translations.filter(([its]) => its !== language).map(([its]) => property('locale:alternate', languages[its])),
    property('image', `${address}/docs/pictures/${socialPicture}`),
    property('image:width', String(socialSize.width)),
    property('image:height', String(socialSize.height)),
    property('image:alt', 'Souk: mini apps in your own application'),
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ]
}

/** Returns the list of pages for search engines. */
export function sitemapOf(pages: readonly string[]): string {
  const entries = pages.map((page) => `<url><loc>${urlOf(page)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`
}

/** Returns the pattern of the addresses at which the pages are edited; undefined if package.json has no repository. */
export function editPatternOf({
  repository,
}: {
  name?: string
  repository?: string | { url: string }
}): string | undefined {
  const url = typeof repository === 'object' ? repository.url : repository
  return url && `${url.replace(/^git\+/, '').replace(/\.git$/, '')}/edit/main/docs/:path`
}

/** Returns whether a page is made from others than a file of `docs` that people write. */
export const isMade = (page: string): boolean =>
  /^(?:errors|generated|neu|operations|repository|tags)\//.test(withoutLanguage(page))

let changes: Map<string, number> | undefined

/** Returns when a page was changed last, ms, or undefined if the history is not there or the page is made of others. */
export function lastChangeOf(page: string): number | undefined {
  changes ??= readChanges()
  return changes.get(`docs/${page.replace(/^adr\/index\.md$/, 'adr/README.md')}`)
}

/** Reads when the files of `docs` were committed last. */
function readChanges(): Map<string, number> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: sources, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] })
  const found = new Map<string, number>()
  try {
    // The first commit of a shallow clone has all files.
    if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return found
    for (const commit of git('log', '--pretty=format:%x1e%ct', '--name-only', '--', '.').split('\x1e')) {
      const [seconds, ...files] = commit.trim().split('\n')
      for (const file of files) if (!found.has(file)) found.set(file, Number(seconds) * 1000)
    }
  } catch {
    // A copy of the sources without git or its history.
  }
  return found
}
