import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { normalizePath, type Plugin, transformWithOxc } from 'vite'
import type { MiniApp } from '../../miniApp.ts'

const withoutWeb = '\0souk:native-module/'

/** Paths of the browser part of a plug-in in UTS, uni-app's dialect of TypeScript. */
export const utsEntries = ['web/index.uts', 'web/index.ts', 'web/index.js', 'index.uts'].map((path) => `utssdk/${path}`)

/**
 * Resolves plug-ins in UTS to their part for browsers, and compiles it. The others have native code only, and are
 * replaced by an empty module: pages call them on platforms that have them.
 */
export function utsModules(app: MiniApp): Plugin {
  return {
    name: 'souk:uts-modules',
    resolveId: {
      order: 'pre',
      filter: { id: /(?:^|\/)uni_modules\/[\w.-]+\/?$/ },
      handler(source) {
        const name = posix.basename(source)
        const folder = join(app.root, 'uni_modules', name)
        if (!existsSync(join(folder, 'utssdk'))) return undefined
        const file = utsEntries.map((entry) => join(folder, entry)).find((each) => existsSync(each))
        if (file !== undefined) return normalizePath(file)
        if (['index.ts', 'index.js'].some((each) => existsSync(join(folder, each)))) return undefined
        this.warn(`${name} in uni_modules has native code only. What it exports is undefined.`)
        return `${withoutWeb}${name}`
      },
    },
    load: {
      filter: { id: /^\0souk:native-module\// },
      handler: async (id) => withoutValues(await sourceOf(join(app.root, 'uni_modules', id.slice(withoutWeb.length)))),
    },
    transform: {
      filter: { id: /\.uts$/ },
      async handler(code, id) {
        const { code: compiled } = await transformWithOxc(code, id, { lang: 'ts' })
        return { code: compiled, map: null, moduleType: 'js' }
      },
    },
  }
}

/** Returns the source of the plug-in's parts for all platforms. */
async function sourceOf(folder: string): Promise<string> {
  const files = await readdir(join(folder, 'utssdk'), { recursive: true })
  const sources = files.filter((file) => /\.(?:uts|ts|js)$/.test(file))
  return (await Promise.all(sources.map((file) => readFile(join(folder, 'utssdk', file), 'utf8')))).join('\n')
}

/** Returns a module that exports the same names, all undefined. */
function withoutValues(source: string): string {
  // ReDoS: the developer's own files.
  const declared = source.matchAll(/\bexport\s+(?:async\s+)?(?:function|const|let|var|class)\s+([\w$]+)/g)
  // ReDoS: the developer's own files.
  const lists = source.matchAll(/\bexport\s*\{([^}]*)\}/g)
  const names = new Set(declared.map(([, name]) => name!))
  // The last word of each item is the exported name: `a as b`.
  for (const [, list] of lists) for (const item of list!.split(',')) names.add(item.trim().split(/\s/).at(-1)!)
  for (const name of ['', 'default']) names.delete(name)
  return `${[...names].map((name) => `export const ${name} = undefined\n`).join('')}export default undefined\n`
}
