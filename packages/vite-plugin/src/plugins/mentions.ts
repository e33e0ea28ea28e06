import type { Plugin } from 'vite'
import { mayNeedNeu, neuModules } from '../neuModules.ts'
import { isDependencyOfSouk, isSoukFile } from '../packages.ts'

/** Matches the files whose code may need parts of the runtime. */
export const scriptsAndComponents = /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/

/** Returns the code of a module after imports of parts of the runtime. */
export const withParts = (names: readonly string[], code: string): { code: string; map: null } => ({
  code: `${names.map((name) => `import '@souk/runtime/${name}';`).join('')}${code}`,
  map: null,
})

/** Libraries that the runtime and the tags import. Their variables may have the names of `neu`. */
const libraries = /\/node_modules\/(?:leaflet|qr|squire-rte)\//

/**
 * Loads the functions of `neu` that are not part of the start before the modules of a release that mention them. In
 * development all are loaded at the start.
 */
export function mentions(): Plugin {
  return {
    name: 'souk:mentions',
    apply: 'build',
    transform: {
      filter: { id: scriptsAndComponents, code: mayNeedNeu },
      handler(code, id) {
        if (isSoukFile(id) || isDependencyOfSouk(id) || libraries.test(id)) return undefined
        if (/[?&]type=style\b/.test(id)) return undefined
        const modules = neuModules(code)
        return modules.length === 0 ? undefined : withParts(modules, code)
      },
    },
  }
}
