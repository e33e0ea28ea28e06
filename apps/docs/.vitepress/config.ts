import { cp, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { compressed } from '@souk/web/build'
import { defineConfig, type Plugin } from 'vitepress'
import { diagrams, repositoryMarkdown, slugify } from './markdown.ts'
import { createSidebar, describePages, sources } from './sidebar.ts'

/** Templates of pages, such as `[code].md`, are not pages. */
const isPageOrFolder = (path: string) => extname(path) === '' || (path.endsWith('.md') && !path.endsWith('].md'))

/** Leaves out the kinds and layouts of diagrams that no page uses, which are most of Mermaid's 3 MB. */
const sequenceDiagramsOnly: Plugin = {
  name: 'sequence-diagrams-only',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer?.includes('/mermaid/dist/') &&
    /^\.\/(?:chunks\/mermaid\.core\/(?!chunk-|sequenceDiagram-)|(?:cose-bilkent|dagre|elk|swimlanes)-)/.test(id)
      ? '\0unused-diagram'
      : undefined,
  load: (id) => (id === '\0unused-diagram' ? 'export {}' : undefined),
}

export default defineConfig({
  title: 'Souk',
  description: 'The open-source, self-hosted mini app platform',
  base: '/docs/',
  srcDir: sources,
  outDir: 'dist',
  cacheDir: '../../node_modules/.cache/docs',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  rewrites: { 'adr/README.md': 'adr/index.md' },
  markdown: {
    html: false,
    anchor: { slugify },
    config(md) {
      repositoryMarkdown(md)
      diagrams(md)
    },
  },
  // The index of the search is large, and loaded by the first search only.
  vite: { plugins: [compressed(), sequenceDiagramsOnly], build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    sidebar: createSidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  /** Adds the Markdown of all pages and `llms.txt`, for programs. */
  async buildEnd({ outDir }) {
    await cp(sources, outDir, { recursive: true, filter: isPageOrFolder })
    await writeFile(join(outDir, 'llms.txt'), describePages())
  },
})
