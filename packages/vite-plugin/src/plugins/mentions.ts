import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { mayNeedNeu, neuModules } from '../neuModules.ts'
import { isSoukFile } from '../packages.ts'

/** Packages that the runtime and the tags import. Their variables may have the names of `neu`. */
const ofSouk = /\/node_modules\/(?:leaflet|qr|squire-rte)\//

/**
 * Loads parts of the runtime before the modules that mention them: `uniCloud`, `$route`, `$router` on H5, and in
 * releases the functions of `neu` that are not part of the start.
 */
export function mentions(app: MiniApp): Plugin {
  return {
    name: 'souk:mentions',
    transform: {
      filter: {
        id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/,
        // ReDoS: words only.
        code: new RegExp(`\\buniCloud\\b|\\$router?\\b|${mayNeedNeu.source}`),
      },
      handler(code, id) {
        if (isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const modules = [
          ...(/\buniCloud\b/.test(code) ? ['uniCloud'] : []),
          ...(/\$route\b/.test(code) ? ['currentRoute'] : []),
          ...(app.platform === 'H5' && /\$router\b/.test(code) ? ['router'] : []),
          ...(app.isDevelopment || ofSouk.test(id) ? [] : neuModules(code)),
        ]
        if (modules.length === 0) return undefined
        return { code: `${modules.map((name) => `import '@souk/runtime/${name}';`).join('')}${code}`, map: null }
      },
    },
  }
}
