import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { fileHasOptions, needsOptionsApi } from '../optionsApi.ts'
import { isSoukFile } from '../packages.ts'

/** Leaves Vue's Options API out of releases that do not need it. */
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
        // Files of the project have been looked at before; others come by ways that nobody sees before they are taken.
        if (isIncluded || isSoukFile(id) || id.startsWith(`${normalizePath(app.root)}/`) || !fileHasOptions(id, code))
          return
        this.error(
          `${id} uses the Options API of Vue, which this release was to do without: say define: { __VUE_OPTIONS_API__: 'true' } in vite.config.`,
        )
      },
    },
  }
}
