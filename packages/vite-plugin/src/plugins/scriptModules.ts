import { readFile } from 'node:fs/promises'
import { sourceFor } from '@souk/pages'
import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { compileWxs, type ScriptModule, withoutScriptModules } from '../scriptModules.ts'

/** Path of a module's code: next to its component, so that relative imports work. */
const inlineFile = /^(.*\.[nu]?vue)\.module-(\d+)\.(?:wxs|js)$/

/**
 * Runs WXS and renderjs, which on other platforms run beside the page, in the page. The component gets them as mixins,
 * after Vue's compiler has created it.
 */
export function scriptModules(app: MiniApp): Plugin {
  const modulesOf = async (file: string): Promise<ScriptModule[]> =>
    withoutScriptModules(sourceFor(await readFile(file, 'utf8'), app.platform, app.os).text).modules
  return {
    name: 'souk:script-modules',
    resolveId: {
      filter: { id: inlineFile },
      handler: (id) => id,
    },
    load: {
      filter: { id: inlineFile },
      async handler(id) {
        const [, file, index] = inlineFile.exec(id)!
        this.addWatchFile(file!)
        return (await modulesOf(file!))[Number(index)]?.code
      },
    },
    transform: {
      filter: { id: /\.(?:[nu]?vue|wxs)$/ },
      async handler(code, id) {
        if (isSoukFile(id)) return undefined
        if (id.endsWith('.wxs')) return { code: compileWxs(code), map: null }
        const file = normalizePath(id)
        const modules = await modulesOf(file)
        if (modules.length === 0) return undefined
        const imports = modules.map(({ src, lang }, index) => {
          const path = src ?? `${file}.module-${index}.${lang === 'wxs' ? 'wxs' : 'js'}`
          return `import __souk_module_${index} from ${JSON.stringify(path)}`
        })
        const entries = modules.map(({ name, lang }, index) => {
          return `[${JSON.stringify(name)}, ${JSON.stringify(lang)}, __souk_module_${index}]`
        })
        const use = `useScriptModules(_sfc_main, [${entries.join(', ')}])`
        const start = `import { useScriptModules } from '@souk/runtime/scriptModules'\n${imports.join('\n')}\n`
        return { code: `${code}\n${start};${use}\n`, map: null }
      },
    },
  }
}
