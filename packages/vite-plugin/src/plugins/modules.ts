import { existsSync } from 'node:fs'
import { isCSSRequest, normalizePath, type Plugin, type Rolldown } from 'vite'
import { isInert } from '../inert.ts'
import type { MiniApp } from '../miniApp.ts'
import { clientFile, isSoukFile } from '../packages.ts'
import { entry, pageId, prefix, virtualModule } from '../virtual.ts'

/** Serves the modules generated from pages.json: entry, configuration, routes, pages, subpackages. */
export function modules(app: MiniApp): Plugin {
  return {
    name: 'souk:modules',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:virtual:souk\/(?!own-component)|\/@souk\/)/ },
      handler(source) {
        if (source === entry) return `${prefix}entry`
        const own = /^\/@souk\/(development|device|replay)\.js$/.exec(source)?.[1]
        return own ? clientFile(own) : `\0${source}`
      },
    },
    load: {
      filter: { id: /^\0virtual:souk\/(?!own-component)/ },
      async handler(id) {
        if (id === `${prefix}entry` && !app.isDevelopment) app.inertStart = await importsOfInertStart(this, app)
        return virtualModule(app, id.slice(prefix.length))
      },
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

/**
 * Returns the files of Souk that App.vue, main.js and the launch page import, if all of their own modules are inert and
 * can therefore be part of the first script; otherwise undefined.
 */
async function importsOfInertStart(
  context: Rolldown.PluginContext,
  { launch }: MiniApp,
): Promise<string[] | undefined> {
  if (launch === undefined || launch.root !== undefined) return undefined
  const ids = new Set([`${prefix}main`, `\0${pageId(launch.path)}`])
  const ofSouk = new Set<string>()
  for (const id of ids) {
    // An external module would never be loaded.
    if (!id.startsWith('\0') && !existsSync(id.replace(/\?.*/s, ''))) return undefined
    const { code, importedIds } = await context.load({ id, resolveDependencies: true })
    if (code === null || !isInert(code)) return undefined
    for (const imported of importedIds) {
      if (isSoukFile(imported)) ofSouk.add(imported)
      else if (!isCSSRequest(imported) && !ofVue.test(imported)) ids.add(imported)
    }
  }
  return [...ofSouk]
}

const ofVue = /\/node_modules\/(?:vue|@vue\/[\w-]+)\//
