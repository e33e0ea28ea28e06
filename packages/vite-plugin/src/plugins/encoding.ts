import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Reads sources that are not valid UTF-8 as far as possible, like the development server: the bundler refuses them, and
 * components that most projects of uni-app have contain some.
 */
export function encoding(): Plugin {
  return {
    name: 'souk:encoding',
    apply: 'build',
    load: {
      filter: { id: /\.(?:[nu]?vue|[cm]?[jt]s|json|wxs)$/ },
      async handler(id) {
        // Others are generated.
        if (!isAbsolute(id)) return undefined
        const content = await readFile(id).catch(() => undefined)
        return content === undefined || isUtf8(content) ? undefined : content.toString('utf8')
      },
    },
  }
}
