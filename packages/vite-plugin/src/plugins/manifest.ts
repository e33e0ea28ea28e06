import type { AppManifest } from '@souk/runtime/config'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

export const manifestFile = 'souk-app.json'

/**
 * What the host draws bars from before any script of the mini app has run, beside index.html. With it goes the pages.json that it comes from, for
 * the console to open; not on H5, where a release often goes to a web server for everybody.
 */
export function manifest(app: MiniApp): Plugin {
  const text = () => JSON.stringify({ version: 1, ...app.configuration } satisfies AppManifest)
  return {
    name: 'souk:manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: manifestFile, source: text() })
      if (app.platform !== 'H5') this.emitFile({ type: 'asset', fileName: 'pages.json', source: app.text })
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (request.originalUrl?.split('?')[0] !== `/${manifestFile}`) return next()
        response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }).end(text())
      })
    },
  }
}
