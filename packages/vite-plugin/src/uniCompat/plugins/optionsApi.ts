import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../../miniApp.ts'
import { isSoukFile } from '../../packages.ts'
import { fileHasOptions, needsOptionsApi } from '../optionsApi.ts'

/** The state of a build, for `release`, which repeats a build that lacks the Options API. */
export interface OptionsApi {
  /** A file that needs it. */
  missingFor?: string
}

/** Removes Vue's Options API from releases that do not need it. */
export function optionsApi(app: MiniApp): Plugin<OptionsApi> {
  let isIncluded = true
  const api: OptionsApi = {}
  return {
    name: 'souk:options-api',
    api,
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
        const isOwn = id.startsWith(`${normalizePath(app.root)}/`) && !id.includes('/node_modules/')
        if (isIncluded || isSoukFile(id) || isOwn || !fileHasOptions(id, code)) return
        api.missingFor = id
        this.error(
          `${id} uses Vue's Options API, which this release excludes. Set define: { __VUE_OPTIONS_API__: 'true' } in vite.config.`,
        )
      },
    },
  }
}
