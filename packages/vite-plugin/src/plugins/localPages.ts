import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { lookup } from 'mrmime'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

/** Serves `hybrid/html`, the local pages of web-views, as they are: Vite serves no documents, and compiles scripts. */
export function localPages(app: MiniApp): Plugin {
  return {
    name: 'souk:local-pages',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use(async (request, response, next) => {
        const path = localPath(request.originalUrl ?? '')
        if (path === undefined || !app.files.exists(path)) return next()
        const type = lookup(path) ?? 'application/octet-stream'
        const content = await readFile(join(app.root, path)).catch(() => undefined)
        if (content === undefined) return next()
        const charset = /^(?:text|application)\//.test(type) ? '; charset=utf-8' : ''
        response
          .writeHead(200, {
            'Content-Type': type + charset,
            'Cache-Control': 'no-cache',
            // In the frame of a host, pages have an opaque origin.
            'Access-Control-Allow-Origin': '*',
          })
          .end(content)
      })
    },
  }
}

/** Returns the path of a file in `hybrid/html`; undefined for other URLs. */
function localPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*/s, '')).slice(1)
    const isLocal = /^(?:uni_modules\/[^/]+\/)?hybrid\/html\//.test(path)
    return isLocal && path === posix.normalize(path) && !path.includes('\\') ? path : undefined
  } catch {
    // A malformed percent sequence.
    return undefined
  }
}
