import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Plugin, transformWithOxc } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { fallbackTsconfig } from '../packages.ts'

/**
 * Compiles TypeScript without the project's tsconfig.json if that cannot be read, for example because it extends
 * a package that is not installed. Vue's plug-in has no setting for it, so this one removes the types of components.
 */
export function types(app: MiniApp): Plugin {
  let problem: string | undefined
  return {
    name: 'souk:types',
    async config() {
      problem = await transformWithOxc('', join(app.root, 'index.ts')).then(() => undefined, lastLineOf)
      app.isTsconfigReadable = problem === undefined
      return problem === undefined ? {} : { tsconfig: fallbackTsconfig }
    },
    buildStart() {
      if (problem) this.warn(`${problem}. The project is built without its tsconfig.json.`)
    },
    transform: {
      filter: { id: /\.[nu]?vue$/ },
      async handler(code) {
        if (app.isTsconfigReadable) return undefined
        const compiled = await transformWithOxc(code, fallbackTsconfig, { lang: 'ts' }, this.getCombinedSourcemap())
        return { code: compiled.code, map: compiled.map ?? null }
      },
    },
  }
}

/** Returns the last line of Vite's error, which names the missing file. */
const lastLineOf = ({ message }: Error): string => stripVTControlCharacters(message).trim().split('\n').at(-1)!
