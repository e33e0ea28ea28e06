import { sourceFor } from '@souk/pages'
import { isCSSRequest, type Plugin } from 'vite'
import { atLocation } from '../location.ts'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'

/** Applies conditional comments in scripts, styles and JSON. For .vue files it only warns: vue.ts applies them. */
export function conditional(app: MiniApp): Plugin {
  return {
    name: 'souk:conditional',
    enforce: 'pre',
    transform: {
      filter: { code: /#(?:ifdef|ifndef)\b/ },
      handler(code, id) {
        const [file, query] = id.split('?') as [string, string?]
        // Blocks of .vue files are already processed, except those with `src`.
        if (query !== undefined && /\bvue\b/.test(query) && !/\bsrc\b/.test(query)) return undefined
        const isComponent = /\.[nu]?vue$/.test(file)
        if (isSoukFile(file) || !(isComponent || /\.(?:[cm]?[jt]sx?|uts|json)$/.test(file) || isCSSRequest(file)))
          return undefined
        const { text, findings } = sourceFor(code, app.platform, app.os)
        // Comments of another preprocessor, such as those of pako, which are from C.
        const isOthers = findings.some(
          ({ code }) => code === 'conditional-unknown' || code === 'conditional-unbalanced',
        )
        if (isOthers && file.includes('/node_modules/')) return undefined
        for (const { code: kind, message, offset } of findings) {
          // Component libraries name builds that a project adds to uni-app.
          if (kind === 'conditional-name' && /\/(?:node|uni)_modules\//.test(file)) continue
          this.warn(atLocation(file, code, offset, message))
        }
        return isComponent || text === code ? undefined : { code: text, map: null }
      },
    },
  }
}
