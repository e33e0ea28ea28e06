import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { clientFile } from '../packages.ts'
import { entry, prefix, virtualModule } from '../virtual.ts'

/** Serves the modules generated from pages.json: entry, configuration, routes, pages, subpackages. */
export function modules(app: MiniApp): Plugin {
  return {
    name: 'souk:modules',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:virtual:souk\/(?!own-component)|\/@souk\/)/ },
      handler(source) {
        if (source === entry) return `${prefix}entry`
        const own = /^\/@souk\/(development|device)\.js$/.exec(source)?.[1]
        return own ? clientFile(own) : `\0${source}`
      },
    },
    load: {
      filter: { id: /^\0virtual:souk\/(?!own-component)/ },
      handler: (id) => virtualModule(app, id.slice(prefix.length)),
    },
    transform: {
      filter: { id: /\/main\.m?[jt]s$/, code: /['"]vue['"]/ },
      handler(code, id) {
        if (!/^main\.m?[jt]s$/.test(id.slice(normalizePath(app.root).length + 1))) return undefined
        // Its createApp and createSSRApp return the existing app.
        return { code: code.replace(/(\bfrom\s*)(['"])vue\2/g, '$1$2virtual:souk/main-vue$2'), map: null }
      },
    },
  }
}
