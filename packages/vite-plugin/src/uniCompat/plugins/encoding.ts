import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { normalizePath, type Plugin } from 'vite'

/**
 * Reads sources that are not valid UTF-8 as far as possible: the bundler refuses them, and components that most
 * projects of uni-app have contain some. Fails for those that are encrypted.
 */
export function encoding(): Plugin {
  return {
    name: 'souk:encoding',
    load: {
      filter: { id: /\.(?:[nu]?vue|uts|[cm]?[jt]s|json|wxs)$/ },
      async handler(id) {
        // Others are generated.
        if (!isAbsolute(id)) return undefined
        const content = await readFile(id).catch(() => undefined)
        if (content === undefined || isUtf8(content)) return undefined
        const encrypted = encryptedModule(id)
        if (encrypted !== undefined) this.error(`${id} is encrypted: ${adviceFor(encrypted)}`)
        return content.toString('utf8')
      },
    },
  }
}

/** Returns the name of the plug-in in uni_modules that a file belongs to, if its author has encrypted it. */
export function encryptedModule(file: string): string | undefined {
  const [, folder, name] = /^(.*\/uni_modules\/([^/]+))\//.exec(normalizePath(file)) ?? []
  return folder !== undefined && existsSync(join(folder, 'encrypt')) ? name : undefined
}

export const adviceFor = (encrypted: string): string =>
  `only uni-app's IDE can read the plug-in ${encrypted}. Get its sources from its author, or replace it.`
