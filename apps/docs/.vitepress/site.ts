import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { compressed } from '@souk/web/build'
import rtl from 'postcss-rtlcss'
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite'
import { defineConfig, type HeadConfig, postcssIsolateStyles } from 'vitepress'
import { colors } from './colors.ts'
import { gallery, galleryFile } from './gallery.ts'
import { locales, searchButtons, sharedPage } from './locales.ts'
import { diagrams, lists, phones, pictures, playground, repositoryMarkdown, searchedCode, slugify } from './markdown.ts'
import { descriptionOf, headOf, isMade, lastChangeOf, sitemapOf, titleTemplateOf } from './metadata.ts'
import { buildExamples } from './reference/build.ts'
import { linkedFromDocs } from './repository.ts'
import { renderForSearch } from './search/render.ts'
import { stemOf, wordsOf } from './search/words.ts'
import { describePages, sources } from './sidebar.ts'

/** Templates of pages, such as `[code].md`, are not pages. */
const isServed = (path: string) =>
  /^(\.webp|\.jpg)?$/.test(extname(path)) || (path.endsWith('.md') && !path.endsWith('].md'))

const icon = 'favicon.svg'
const rewrites: Record<string, string> = { 'adr/README.md': 'adr/index.md' }

/**
 * Mirrors the theme in Arabic, except texts in English within it. `:where` leaves the precedence of its rules as it is.
 */
const mirrored = rtl({
  ltrPrefix: ':where([dir="ltr"], [dir="ltr"] *)',
  rtlPrefix: ':where([dir="rtl"], [dir="rtl"] *):where(:not([dir="ltr"], [dir="ltr"] *))',
  prefixSelectorTransformer: (prefix, selector) =>
    // Both directions keep the plugin's own way.
    prefix === '[dir]' ? undefined : selector.replace(/(?=::|:(?:before|after)\b)|$/, prefix),
})

/** Keeps the styles of text out of phones, in which the class is. */
const ofText = postcssIsolateStyles({ includeFiles: [/vp-doc\.css/] })

/** Pages are rendered without the search, whose index the bundle for that would make a second time. */
const indexForBrowsers: Plugin = {
  name: 'souk:search-index-for-browsers',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'ssr',
  load: { filter: { id: /^\/@localSearchIndex/ }, handler: () => 'export default {}' },
}

export default defineConfig({
  title: 'Souk',
  description: 'The open-source, self-hosted mini app platform',
  base: '/docs/',
  head: [['link', { rel: 'icon', href: `/docs/${icon}`, type: 'image/svg+xml' }]],
  srcDir: sources,
  outDir: 'dist',
  cacheDir: '../../node_modules/.cache/docs',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  rewrites,
  markdown: {
    html: false,
    anchor: { slugify },
    config(md) {
      repositoryMarkdown(md)
      lists(md)
      diagrams(md)
      phones(md)
      searchedCode(md)
      pictures(md)
      gallery(md)
      playground(md)
    },
  },
  // The index of the search is large, and loaded by the first search only.
  vite: {
    plugins: [colors, compressed(), indexForBrowsers],
    css: { postcss: { plugins: [ofText, mirrored] } },
    // The site's policy allows no fonts in data URLs.
    build: { chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
    // Resolves the packages of this repository to their sources (ADR 2).
    resolve: {
      conditions: ['souk-source', ...defaultClientConditions],
      alias: [
        { find: /^.*\/VPLocalSearchBox\.vue$/, replacement: join(import.meta.dirname, 'theme/search/SearchBox.vue') },
      ],
    },
    ssr: { resolve: { conditions: ['souk-source', ...defaultServerConditions] } },
  },
  locales,
  themeConfig: {
    logo: `/${icon}`,
    outline: [2, 3],
    i18nRouting: sharedPage,
    search: {
      provider: 'local',
      options: {
        _render: renderForSearch,
        locales: searchButtons,
        // For the index. The search itself is in theme/search, since it also asks for synonyms.
        miniSearch: { options: { tokenize: wordsOf, processTerm: stemOf } },
      },
    },
  },
  /** Loads the font with the page, so that the text is not drawn in another one first, and describes the page. */
  transformHead({ assets, page, title, description }) {
    const font = assets.find((file) => /inter-latin-wght-normal\.[\w-]+\.woff2$/.test(file))
    return [
      ...(font
        ? [['link', { rel: 'preload', href: font, as: 'font', type: 'font/woff2', crossorigin: '' }] as HeadConfig]
        : []),
      ...(page === '404.md' ? [] : headOf(page, title, description)),
    ]
  },
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath === '404.md') return undefined
    return {
      description: descriptionOf(relativePath),
      titleTemplate: titleTemplateOf(relativePath),
      lastUpdated: lastChangeOf(relativePath),
      frontmatter: {
        ...frontmatter,
        ...(isMade(relativePath) && { editLink: false }),
        // The gallery has too many attributes for an outline of all.
        ...(relativePath === galleryFile && { outline: 2 }),
      },
    }
  },
  /**
   * Adds the icon, the pictures, the examples and linked sources; for programs the Markdown of all pages, `llms.txt`
   * and a sitemap.
   */
  async buildEnd({ outDir, pages }) {
    await cp(join(import.meta.dirname, '../../console/public', icon), join(outDir, icon))
    await cp(sources, outDir, { recursive: true, filter: isServed })
    await writeFile(join(outDir, 'llms.txt'), describePages())
    await writeFile(join(outDir, 'sitemap.xml'), sitemapOf(pages.map((page) => rewrites[page] ?? page)))
    await buildExamples(join(outDir, 'examples'))
    for (const { source, path } of linkedFromDocs().files) {
      const text = await readFile(join(sources, '..', source), 'utf8')
      await mkdir(dirname(join(outDir, path)), { recursive: true })
      // Without the spaces of JSON, which are for readers of the repository and half of openapi.json.
      await writeFile(join(outDir, path), path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text)
    }
  },
})
