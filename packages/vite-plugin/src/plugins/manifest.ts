import type { AppManifest } from '@souk/runtime/config'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

export const manifestFile = 'souk-app.json'

/**
 * Emits the manifest, from which hosts draw bars before the mini app's scripts have run, and pages.json for the
 * console. H5 releases omit pages.json because they are often published on a web server.
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
