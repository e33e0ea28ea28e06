import { posix } from 'node:path'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { pageId } from '../virtual.ts'
import { firstChunks, stylesOf, withImports } from './document.ts'

/** How many pages are loaded in advance: more would be many requests for pages that most users do not open. */
const preloadedPages = 20

/**
 * Loads `files` when the browser is idle, without running scripts. Styles do not apply before the page is opened, since
 * the order in which pages are opened is that of their styles. Scripts are loaded with a fragment first, because their
 * import would fail, too, if they could not be loaded by their own URL (see `preload.ts`).
 */
const preloadFiles = `
const nonce = document.querySelector('[nonce]')?.nonce
const idle = globalThis.requestIdleCallback ?? setTimeout
const add = (link) => document.head.append(Object.assign(document.createElement('link'),
  { crossOrigin: '', fetchPriority: 'low', ...link }, nonce && { nonce }))
navigator.connection?.saveData || idle(() => files.forEach((file) => {
  const { href } = new URL(file, import.meta.url)
  const rel = 'modulepreload'
  if (file.endsWith('.css')) add({ rel: 'stylesheet', media: 'not all', href })
  else add({ rel, href: href + '#', onload: () => add({ rel, href }) })
}))
`

/** Loads the first pages of a release before they are opened, except those of subpackages. */
export function preloadPages(app: MiniApp): Plugin {
  return {
    name: 'souk:preload-pages',
    apply: 'build',
    generateBundle: {
      // Vite has removed the chunks that only contain styles.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const chunkOf = (id: string) => chunks.find(({ moduleIds }) => moduleIds.includes(`\0${id}`))
        const routes = chunkOf('virtual:souk/routes')
        if (!routes) return
        const { entry, preloaded } = firstChunks(app, bundle)
        const reached = new Set([...entry, ...preloaded])
        const loadedStyles = new Set([...reached].flatMap(stylesOf))
        const files = app.resolved.pages
          .filter(({ root, path }) => root === undefined && path !== app.launch?.path)
          .slice(0, preloadedPages)
          .flatMap(({ path }) => chunkOf(pageId(path)) ?? [])
          .flatMap((chunk) => withImports(bundle, chunk, reached))
          .flatMap((chunk) => [chunk.fileName, ...stylesOf(chunk).filter((file) => !loadedStyles.has(file))])
        if (files.length === 0) return
        const folder = posix.dirname(routes.fileName)
        const relative = [...new Set(files)].map((file) => posix.relative(folder, file))
        // The script of the routes is loaded when the browser is idle.
        routes.code += `\n{const files = ${JSON.stringify(relative)}${preloadFiles}}\n`
      },
    },
  }
}
