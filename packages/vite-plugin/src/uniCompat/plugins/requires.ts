import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { atLocation } from '../../location.ts'
import type { MiniApp } from '../../miniApp.ts'

const prefix = '\0souk:missing/'

/**
 * Lets `require` of a module that is missing throw when it is called. uni-app leaves these calls in the code, so that
 * only what calls them fails.
 */
export function requires(app: MiniApp): Plugin {
  return {
    name: 'souk:requires',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const file = importer?.replace(/\?.*/s, '')
      if (options.kind !== 'require-call' || !file || source.startsWith('\0')) return undefined
      if (!file.startsWith(`${normalizePath(app.root)}/`) || file.includes('/node_modules/')) return undefined
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      // Vite resolves aliases to files that do not exist.
      const path = resolved?.id.replace(/\?.*/s, '')
      if (resolved && !(isAbsolute(path!) && !existsSync(path!))) return resolved
      // Aliases have been replaced.
      const name = source.replace(`${normalizePath(app.root)}/`, '')
      const text = await readFile(file, 'utf8')
      const at = Math.max(0, text.indexOf(name))
      this.warn(atLocation(file, text, at, `Cannot find ${name}. This call of require throws.`))
      return prefix + name
    },
    load: {
      filter: { id: /^\0souk:missing\// },
      handler: (id) => `throw new Error(${JSON.stringify(`Cannot find module '${id.slice(prefix.length)}'`)})`,
    },
  }
}
