import { join } from 'node:path'
import { type HtmlTagDescriptor, normalizePath, type Plugin, type Rolldown } from 'vite'
import type { Compat } from '../compat.ts'
import { documentOf } from '../document.ts'
import type { MiniApp } from '../miniApp.ts'
import { pageId } from '../virtual.ts'

/** Generates index.html for development and for releases. */
export function document(app: MiniApp, compat: Compat): Plugin {
  const file = () => normalizePath(join(app.folder, 'index.html'))
  return {
    name: 'souk:document',
    enforce: 'pre',
    config: () => ({ build: { rolldownOptions: { input: { index: file() } } } }),
    resolveId: {
      filter: { id: /index\.html$/ },
      handler: (source) => (normalizePath(source) === file() ? file() : undefined),
    },
    load: { filter: { id: /index\.html$/ }, handler: (id) => (id === file() ? documentOf(app, compat) : undefined) },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const [path] = (request.originalUrl ?? '/').split('?') as [string]
        const isDevice = path === devicePath && app.platform !== 'H5'
        if (request.method !== 'GET' || !(isDevice || path === '/' || path === '/index.html')) return next()
        // Apps for a host only work in a frame.
        if (!isDevice && app.platform !== 'H5' && request.headers['sec-fetch-dest'] === 'document') {
          response.writeHead(302, { Location: devicePath }).end()
          return
        }
        try {
          const html = isDevice ? deviceDocument : documentOf(app, compat)
          const transformed = await server.transformIndexHtml(
            isDevice ? devicePath : '/index.html',
            html,
            request.originalUrl,
          )
          response
            .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' })
            .end(transformed)
        } catch (error) {
          next(error)
        }
      })
      // Runs after Vite has looked for a file. Without an answer, the browser's console would start with an error.
      return () => server.middlewares.use('/favicon.ico', (_request, response) => response.writeHead(204).end())
    },
    generateBundle: {
      // Vite then finds the links and preloads of all chunks in their metadata.
      order: 'pre',
      handler(_, bundle) {
        const { entry, preloaded } = firstChunks(app, bundle)
        joinStyles(this, bundle, [...entry, ...preloaded])
      },
    },
    transformIndexHtml: {
      order: 'post',
      // Preload App.vue, main.js and the launch page together with the entry.
      handler: (_, { bundle }) => bundle && preloads(firstChunks(app, bundle)),
    },
  }
}

/** Page that shows apps for a host during development. */
export const devicePath = '/__souk/device'

/** A mini app that navigates its frame to another server must not run there with the bridge (ADR 284). */
const deviceDocument = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="frame-src 'self'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Device</title>
  </head>
  <body>
    <div id="device"></div>
    <script type="module" src="/@souk/device.js"></script>
  </body>
</html>
`

/** Returns the chunks of the entry, and the others that the launch page needs: App.vue, main.js and the page itself. */
export function firstChunks(app: MiniApp, bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const entries = chunks.filter(({ isEntry }) => isEntry)
  const entry = new Set(entries.flatMap((chunk) => [chunk, ...importsOf(bundle, chunk)]))
  const reached = new Set(entry)
  const ids = ['virtual:souk/main', ...(app.launch ? [pageId(app.launch.path)] : [])]
  const first = ids.flatMap((id) => chunks.filter(({ moduleIds }) => moduleIds.includes(`\0${id}`)))
  return { entry, preloaded: first.flatMap((chunk) => withImports(bundle, chunk, reached)) }
}

/**
 * Returns a chunk and those that it imports, except those in `reached`, to which they are added. Imports come first, so
 * that their styles are overridden.
 */
export function withImports(
  bundle: Rolldown.OutputBundle,
  chunk: Rolldown.OutputChunk,
  reached: Set<Rolldown.OutputChunk>,
): Rolldown.OutputChunk[] {
  if (reached.has(chunk)) return []
  reached.add(chunk)
  return [...importsOf(bundle, chunk).flatMap((each) => withImports(bundle, each, reached)), chunk]
}

const importsOf = (bundle: Rolldown.OutputBundle, { imports }: Rolldown.OutputChunk) =>
  imports.flatMap((file) => (bundle[file]?.type === 'chunk' ? [bundle[file]] : []))

function preloads({ entry, preloaded }: ReturnType<typeof firstChunks>): HtmlTagDescriptor[] {
  const entryStyles = new Set([...entry].flatMap(stylesOf))
  const styles = new Set(preloaded.flatMap(stylesOf).filter((file) => !entryStyles.has(file)))
  return [
    ...preloaded.map(({ fileName }) => link({ rel: 'modulepreload', href: `./${fileName}` })),
    ...[...styles].map((file) => link({ rel: 'stylesheet', href: `./${file}` })),
  ]
}

/**
 * Puts the styles of the first chunks into one file, because each request costs more time than its bytes. `@import` of
 * another server would have to be at the beginning.
 */
function joinStyles(
  context: Rolldown.PluginContext,
  bundle: Rolldown.OutputBundle,
  chunks: readonly Rolldown.OutputChunk[],
): void {
  const files = [...new Set(chunks.flatMap(stylesOf))]
  const sources = files.flatMap((file) => (bundle[file]?.type === 'asset' ? String(bundle[file].source) : []))
  const isSplit = sources.length < files.length || sources.slice(1).some((css) => /@import\b/i.test(css))
  if (files.length < 2 || isSplit) return
  for (const file of files) delete bundle[file]
  const joined = context.getFileName(context.emitFile({ type: 'asset', name: 'index.css', source: sources.join('') }))
  for (const { viteMetadata } of Object.values(bundle).filter((output) => output.type === 'chunk')) {
    const styles = viteMetadata?.importedCss
    if (files.filter((file) => styles?.delete(file)).length > 0) styles?.add(joined)
  }
}

/** Returns the names of the style sheets of a chunk. */
export const stylesOf = ({ viteMetadata }: Rolldown.OutputChunk): string[] => [...(viteMetadata?.importedCss ?? [])]

const link = (attrs: Record<string, string>): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { ...attrs, crossorigin: true },
  injectTo: 'head',
})
