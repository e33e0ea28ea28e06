import { posix } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { pageId } from '../virtual.ts'
import { firstChunks } from './document.ts'

/** The module by which Vite loads the styles and scripts of a chunk that is imported. */
const viteHelper = /^\0vite\/preload-helper\.js$/

/**
 * A third of Vite's helper, for releases with a relative base. It leaves out import maps and browsers without
 * modulepreload, and imports the module while its styles are loading.
 */
const helper = `const loading = {}
function preload(href) {
  const isStyle = href.endsWith('.css')
  const rel = isStyle ? 'stylesheet' : 'modulepreload'
  for (const link of document.querySelectorAll('link')) {
    if (link.href === href && (!isStyle || (link.rel === rel && !link.media))) return
  }
  const { nonce } = document.querySelector('meta[property=csp-nonce]') ?? {}
  const link = Object.assign(document.createElement('link'), { rel, crossOrigin: '', href }, nonce && { nonce })
  const loaded = isStyle && new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      delete loading[href]
      reject(new Error('Unable to preload CSS for ' + href))
    }
  })
  document.head.append(link)
  return loaded
}
function fail(payload) {
  if (dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))) throw payload
}
export function __vitePreload(load, deps = [], base) {
  const preloaded = deps.map((dep) => {
    const { href } = new URL(dep, base)
    return Promise.resolve((loading[href] ??= preload(href))).catch(fail)
  })
  const imported = load().catch(fail)
  return Promise.all([imported, ...preloaded]).then(([module]) => module)
}
`

/** How many pages are loaded in advance: more would be many requests for pages that most users do not open. */
const preloadedPages = 20

/** Loads files when the browser is idle, without running scripts or applying styles. */
const preloadFiles = `
const nonce = document.querySelector('meta[property=csp-nonce]')?.nonce
const idle = globalThis.requestIdleCallback ?? setTimeout
navigator.connection?.saveData || idle(() => files.forEach((file) => {
  const link = file.endsWith('.css') ? { rel: 'stylesheet', media: 'not all' } : { rel: 'modulepreload' }
  const { href } = new URL(file, import.meta.url)
  document.head.append(Object.assign(document.createElement('link'),
    { ...link, crossOrigin: '', fetchPriority: 'low', href }, nonce && { nonce }))
}))
`

/**
 * Replaces Vite's helper for dynamic imports, which is in the first script of every release, by a smaller one, and
 * loads the first pages before they are opened. Those of subpackages are loaded when they are opened.
 */
export function preload(app: MiniApp): Plugin {
  return {
    name: 'souk:preload',
    apply: 'build',
    transform: {
      filter: { id: viteHelper },
      handler(code) {
        const hasRelativeBase = code.includes('new URL(dep, importerUrl).href')
        return hasRelativeBase && code.includes('export const __vitePreload') ? { code: helper, map: null } : undefined
      },
    },
    generateBundle: {
      // Before Vite adds the list of files that each import loads.
      order: 'pre',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const chunkOf = (id: string) => chunks.find(({ moduleIds }) => moduleIds.includes(`\0${id}`))
        const routes = chunkOf('virtual:souk/routes')
        if (!routes) return
        const { entry, preloaded } = firstChunks(app, bundle)
        const pages = app.resolved.pages.filter(({ root, path }) => root === undefined && path !== app.launch?.path)
        const files = new Set(
          pages.slice(0, preloadedPages).flatMap(({ path }) => filesOf(bundle, chunkOf(pageId(path)))),
        )
        for (const file of [...entry, ...preloaded].flatMap((chunk) => filesOf(bundle, chunk))) files.delete(file)
        if (files.size === 0) return
        const folder = posix.dirname(routes.fileName)
        const relative = [...files].map((file) => posix.relative(folder, file))
        // The script of the routes is loaded when the browser is idle.
        routes.code += `\n{const files = ${JSON.stringify(relative)}${preloadFiles}}\n`
      },
    },
  }
}

/** Returns the script of a chunk, the scripts that it imports, and their styles. */
function filesOf(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk | undefined): string[] {
  const imported = chunk?.imports.map((file) => bundle[file]) ?? []
  const all = [chunk, ...imported].filter((output) => output?.type === 'chunk')
  return all.flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
}
