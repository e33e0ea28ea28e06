import { existsSync } from 'node:fs'
import { pathInProject } from '@souk/project'
import type { Plugin } from 'vite'
import { serverProxyPath } from '../constants.ts'
import type { MiniApp } from '../miniApp.ts'

/** Configures the development server: the proxy, and CORS for frames with an opaque origin. */
export function server(app: MiniApp): Plugin {
  return {
    name: 'souk:server',
    apply: 'serve',
    config: () => ({
      server: {
        // A mini app in a frame has an opaque origin, sent as `null`.
        ...(app.platform !== 'H5' && { cors: { origin: [localhost, 'null'] } }),
        ...(app.options.server && {
          proxy: {
            [serverProxyPath]: {
              target: app.options.server,
              changeOrigin: true,
              rewrite: (path: string) => path.slice(serverProxyPath.length) || '/',
            },
          },
        }),
      },
    }),
    resolveId: {
      order: 'pre',
      filter: { id: /.#/ },
      async handler(source, importer, options) {
        const found = await this.resolve(source, importer, { ...options, skipSelf: true })
        // Vite and browsers end the path of a module before the #, and Vite would say that the file does not exist.
        if (found && existsSync(found.id) && pathInProject(app.root, found.id).includes('#')) {
          this.error(`${found.id} cannot be served during development, because its path contains "#". Rename it.`)
        }
        return found
      },
    },
    configureServer({ middlewares }) {
      const base = app.root === app.folder ? '' : `/${pathInProject(app.folder, app.root)}`
      middlewares.use((request, _, next) => {
        const url = (request.url ?? '/').replace(/^[^?#]*/, (path) => path.replace(reserved, decodeURIComponent))
        const path = decodedPath(url)
        // Files such as static/logo.png are requested by their path in the folder of pages.json.
        if (path !== undefined && app.files.exists(path)) request.url = base + url
        next()
      })
    },
  }
}

/** Encoded characters of a path, such as `@`, that releases decode and Vite does not. */
const reserved = /%(?:2[46BC]|3[ABD]|40)/gi

/** Returns the path of a URL without its leading slash; undefined for malformed percent sequences. */
function decodedPath(url: string): string | undefined {
  try {
    return decodeURI(url.replace(/[?#].*/s, '')).slice(1)
  } catch {
    return undefined
  }
}

/** Vite's default allowed origins. */
const localhost = /^https?:\/\/(?:(?:[^:]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/
