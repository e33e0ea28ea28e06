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
import { hostFunctions } from './plugins/hostFunctions.ts'
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
import { renderFunctions } from './plugins/renderFunctions.ts'
import { replay } from './plugins/replay.ts'
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
    project(app, compat),
    // Before Vite resolves Vue from the project.
    [packages(app), modules(app)],
    document(app, compat),
    server(app),
    // Fail before anything is compiled.
    [diagnostics(app), outFolder()],
    // Before TypeScript and JSON are compiled.
    conditional(app),
    keptImports(app),
    compat.beforeVue,
    [vue(app, compat), types(app)],
    compat.afterVue,
    mentions(),
    scriptModules(app),
    components(app),
    // After JSX is compiled, if the project has a plug-in for it.
    renderFunctions(),
    // After Vue has limited styles to their components.
    [importedStyles(app), styles(app), fontHosts(app)],
    // What a release loads, and when.
    [preload(), preloadPages(app), chunks(app)],
    [manifest(app), hostFunctions(app)],
    [localPages(app), staticFiles(app)],
    replay(app),
    updates(app),
    // Last: scripts are complete.
    sourceMaps(app),
  ].flat()
}
