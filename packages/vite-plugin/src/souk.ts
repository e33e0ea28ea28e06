import type { Plugin } from 'vite'
import { MiniApp } from './miniApp.ts'
import type { Options } from './options.ts'
import { chunks } from './plugins/chunks.ts'
import { components } from './plugins/components.ts'
import { conditional } from './plugins/conditional.ts'
import { diagnostics } from './plugins/diagnostics.ts'
import { document } from './plugins/document.ts'
import { importedStyles } from './plugins/importedStyles.ts'
import { manifest } from './plugins/manifest.ts'
import { modules } from './plugins/modules.ts'
import { optionsApi } from './plugins/optionsApi.ts'
import { outFolder } from './plugins/outFolder.ts'
import { packages } from './plugins/packages.ts'
import { project } from './plugins/project.ts'
import { server } from './plugins/server.ts'
import { staticFiles } from './plugins/staticFiles.ts'
import { styles } from './plugins/styles.ts'
import { unresolved } from './plugins/unresolved.ts'
import { updates } from './plugins/updates.ts'
import { vue } from './plugins/vue.ts'

/** Builds and serves a mini app: pages.json, Vue pages, components, static files. */
export function souk(options: Options = {}): Plugin[] {
  const app = new MiniApp(options)
  return [
    project(app),
    packages(),
    modules(app),
    document(app),
    server(app),
    diagnostics(app),
    outFolder(),
    optionsApi(app),
    conditional(app),
    vue(app),
    components(app),
    importedStyles(app),
    styles(app),
    chunks(),
    manifest(app),
    staticFiles(app),
    unresolved(app),
    updates(app),
  ]
}
