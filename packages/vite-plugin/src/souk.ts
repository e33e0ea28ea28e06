import { platformOfVariable } from '@souk/project'
import type { Plugin } from 'vite'
import { MiniApp } from './miniApp.ts'
import type { Options } from './options.ts'
import { chunks } from './plugins/chunks.ts'
import { components } from './plugins/components.ts'
import { conditional } from './plugins/conditional.ts'
import { diagnostics } from './plugins/diagnostics.ts'
import { document } from './plugins/document.ts'
import { fontHosts } from './plugins/fontHosts.ts'
import { importedStyles } from './plugins/importedStyles.ts'
import { keptImports } from './plugins/keptImports.ts'
import { localPages } from './plugins/localPages.ts'
import { manifest } from './plugins/manifest.ts'
import { mentions } from './plugins/mentions.ts'
import { modules } from './plugins/modules.ts'
import { outFolder } from './plugins/outFolder.ts'
import { packages } from './plugins/packages.ts'
import { preload } from './plugins/preload.ts'
import { preloadPages } from './plugins/preloadPages.ts'
import { project } from './plugins/project.ts'
import { scriptModules } from './plugins/scriptModules.ts'
import { server } from './plugins/server.ts'
import { sourceMaps } from './plugins/sourceMaps.ts'
import { staticFiles } from './plugins/staticFiles.ts'
import { styles } from './plugins/styles.ts'
import { types } from './plugins/types.ts'
import { updates } from './plugins/updates.ts'
import { vue } from './plugins/vue.ts'
import { uniCompat } from './uniCompat/index.ts'

/** Builds and serves a mini app: pages.json, Vue pages, components, static files. */
export function souk(options: Options = {}): Plugin[] {
  // Commands set the variable, and decide although vite.config may name another platform.
  const platform = platformOfVariable() ?? options.platform
  const app = new MiniApp({ ...options, ...(platform && { platform }) })
  const compat = uniCompat(app)
  return [
    // First: the others use what it has read.
    project(app),
    // Before resolvers of the project, which would find its own Vue and no virtual modules.
    [packages(app), modules(app)],
    document(app),
    server(app),
    // Fails before anything is compiled.
    [diagnostics(app), outFolder()],
    // On sources as they are written; TypeScript and JSON are compiled after it.
    conditional(app),
    keptImports(app),
    compat.beforeVue,
    [vue(app), types(app)],
    // On JavaScript.
    compat.afterVue,
    mentions(),
    scriptModules(app),
    // After script modules, which add components.
    components(app),
    // After Vue has limited styles to their components. Sass reads imported files itself.
    [importedStyles(app), styles(app), fontHosts(app)],
    // Vite's helper first; then the lists of pages, before Vite adds those of chunks.
    [preload(), preloadPages(app), chunks(app)],
    manifest(app),
    [localPages(app), staticFiles(app)],
    updates(app),
    // Last: the maps of complete scripts.
    sourceMaps(app),
  ].flat()
}
