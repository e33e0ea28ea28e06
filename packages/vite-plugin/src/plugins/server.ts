import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

/** Where the development server hands requests on to a Souk server, which answers pages of its own origin only. */
export const serverProxyPath = '/__souk/server'

/** What the development server does besides serving: it hands requests on, and lets frames of an opaque origin read. */
export function server(app: MiniApp): Plugin {
  return {
    name: 'souk:server',
    apply: 'serve',
    config: () => ({
      server: {
        // A mini app in a frame of the host has an origin of its own, which calls itself `null`.
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
  }
}

/** Origins that may read from a development server anyway. */
const localhost = /^https?:\/\/(?:(?:[^:]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/
