import { sourceFor } from '@souk/pages'
import { isCSSRequest, type Plugin } from 'vite'
import { atLocation } from '../location.ts'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'

/** Conditional comments of scripts, styles and JSON. Of single file components only faults are told: vue.ts reads them with the file. */
export function conditional(app: MiniApp): Plugin {
  return {
    name: 'souk:conditional',
    enforce: 'pre',
    transform: {
      filter: { code: /#(?:ifdef|ifndef)\b/ },
      handler(code, id) {
        const [file, query] = id.split('?') as [string, string?]
        // What stands in a block of a .vue file has been seen; a block's own file has not.
        if (query !== undefined && /\bvue\b/.test(query) && !/\bsrc\b/.test(query)) return undefined
        const isComponent = /\.[nu]?vue$/.test(file)
        if (isSoukFile(file) || !(isComponent || /\.(?:[cm]?[jt]sx?|json)$/.test(file) || isCSSRequest(file)))
          return undefined
        const { text, findings } = sourceFor(code, app.platform, app.os)
        for (const { message, offset } of findings) this.warn(atLocation(file, code, offset, message))
        return isComponent || text === code ? undefined : { code: text, map: null }
      },
    },
  }
}
