import { platformOfVariable } from '@souk/project'
import type { Plugin } from 'vite'
import { MiniApp } from './miniApp.ts'
import type { Options } from './options.ts'
import { capsule } from './plugins/capsule.ts'
import { chunks } from './plugins/chunks.ts'
import { components } from './plugins/components.ts'
import { conditional } from './plugins/conditional.ts'
import { diagnostics } from './plugins/diagnostics.ts'
import { document } from './plugins/document.ts'
import { documentQueries } from './plugins/documentQueries.ts'
import { encoding } from './plugins/encoding.ts'
import { fontHosts } from './plugins/fontHosts.ts'
import { globalStyle } from './plugins/globalStyle.ts'
import { globEager } from './plugins/globEager.ts'
import { importedStyles } from './plugins/importedStyles.ts'
import { json } from './plugins/json.ts'
import { keptImports } from './plugins/keptImports.ts'
import { localPages } from './plugins/localPages.ts'
import { manifest } from './plugins/manifest.ts'
import { mentions } from './plugins/mentions.ts'
import { modules } from './plugins/modules.ts'
import { optionsApi } from './plugins/optionsApi.ts'
import { outFolder } from './plugins/outFolder.ts'
import { bundled, packages } from './plugins/packages.ts'
import { pageMacros } from './plugins/pageMacros.ts'
import { preload } from './plugins/preload.ts'
import { preloadPages } from './plugins/preloadPages.ts'
import { project } from './plugins/project.ts'
import { requires } from './plugins/requires.ts'
import { scriptModules } from './plugins/scriptModules.ts'
import { server } from './plugins/server.ts'
import { sourceMaps } from './plugins/sourceMaps.ts'
import { staticFiles } from './plugins/staticFiles.ts'
import { deepSelectors, styles } from './plugins/styles.ts'
import { types } from './plugins/types.ts'
import { unresolved } from './plugins/unresolved.ts'
import { updates } from './plugins/updates.ts'
import { utsModules } from './plugins/utsModules.ts'
import { vue } from './plugins/vue.ts'

/** Builds and serves a mini app: pages.json, Vue pages, components, static files. */
export function souk(options: Options = {}): Plugin[] {
  // Commands set the variable, and decide although vite.config may name another platform.
  const platform = platformOfVariable() ?? options.platform
  const app = new MiniApp({ ...options, ...(platform && { platform }) })
  return [
    project(app),
    packages(app),
    modules(app),
    document(app),
    server(app),
    localPages(app),
    diagnostics(app),
    outFolder(),
    optionsApi(app),
    conditional(app),
    keptImports(app),
    encoding(),
    json(),
    globEager(),
    utsModules(app),
    requires(app),
    deepSelectors(),
    vue(app),
    types(app),
    pageMacros(app),
    mentions(app),
    capsule(app),
    documentQueries(app),
    scriptModules(app),
    components(app),
    globalStyle(app),
    importedStyles(app),
    styles(app),
    fontHosts(app),
    preload(),
    preloadPages(app),
    chunks(app),
    manifest(app),
    staticFiles(app),
    bundled(app),
    unresolved(app),
    updates(app),
    sourceMaps(app),
  ]
}
