import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'

/** Loads what few projects use before the modules that mention it: `uniCloud`, and `$router` on H5. */
export function mentions(app: MiniApp): Plugin {
  return {
    name: 'souk:mentions',
    transform: {
      filter: { id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/, code: /\buniCloud\b|\$router\b/ },
      handler(code, id) {
        if (isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const modules = [
          ...(/\buniCloud\b/.test(code) ? ['uniCloud'] : []),
          ...(app.platform === 'H5' && /\$router\b/.test(code) ? ['router'] : []),
        ]
        if (modules.length === 0) return undefined
        return { code: `${modules.map((name) => `import '@souk/runtime/${name}';`).join('')}${code}`, map: null }
      },
    },
  }
}
