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
        const own = /^\/@souk\/(development|device)\.js$/.exec(source)?.[1]
        return own ? clientFile(own) : `\0${source}`
      },
    },
    load: {
      filter: { id: /^\0virtual:souk\/(?!own-component)/ },
      async handler(id) {
        if (id === `${prefix}entry` && !app.isDevelopment) await findInertStart(this, app)
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

/** Finds out if App.vue with main.js, and the launch page, can be part of the first script. */
async function findInertStart(context: Rolldown.PluginContext, app: MiniApp): Promise<void> {
  const { launch } = app
  app.isProjectInert = await areInert(context, `${prefix}project`)
  app.isLaunchInert =
    launch !== undefined && launch.root === undefined && (await areInert(context, `\0${pageId(launch.path)}`))
}

/** Checks if a module and all that it imports are inert. */
async function areInert(context: Rolldown.PluginContext, start: string): Promise<boolean> {
  const ids = new Set([start])
  for (const id of ids) {
    // An external module would never be loaded.
    if (!id.startsWith('\0') && !existsSync(id.replace(/\?.*/s, ''))) return false
    const { code, importedIds } = await context.load({ id, resolveDependencies: true })
    if (code === null || !isInert(code)) return false
    for (const imported of importedIds) if (!isKnown(imported)) ids.add(imported)
  }
  return true
}

const isKnown = (id: string) => isSoukFile(id) || isCSSRequest(id) || /\/node_modules\/(?:vue|@vue\/[\w-]+)\//.test(id)
