import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { fileHasOptions, needsOptionsApi } from '../optionsApi.ts'
import { isSoukFile } from '../packages.ts'

/** Removes Vue's Options API from releases that do not need it. */
export function optionsApi(app: MiniApp): Plugin {
  let isIncluded = true
  return {
    name: 'souk:options-api',
    apply: 'build',
    enforce: 'pre',
    config(config) {
      const configured = config.define?.__VUE_OPTIONS_API__
      isIncluded = configured === undefined ? needsOptionsApi(app) : String(configured) === 'true'
      return { define: { __VUE_OPTIONS_API__: String(isIncluded) } }
    },
    transform: {
      filter: { id: /\.[nu]?vue$/ },
      handler(code, id) {
        // The project's own files were checked up front; files of packages are only known once they are imported.
        if (isIncluded || isSoukFile(id) || id.startsWith(`${normalizePath(app.root)}/`) || !fileHasOptions(id, code))
          return
        this.error(
          `${id} uses Vue's Options API, which this release excludes. Set define: { __VUE_OPTIONS_API__: 'true' } in vite.config.`,
        )
      },
    },
  }
}
