import MagicString from 'magic-string'
import { normalizePath, type Plugin } from 'vite'
import { Components } from '../components.ts'
import type { MiniApp } from '../miniApp.ts'
import { isOwn } from '../packages.ts'
import { componentPrefix } from '../template/tags.ts'

/** How Vue asks for a component that the file itself does not import; with `true` behind it, the file may mean itself. */
const asked = /\b_?resolveComponent\((["'])([\w$.-]+)\1\)/g

const helper = '\0virtual:souk/own-component'

/**
 * Imports the components that a template names without importing them, into that file alone: those of tags, usingComponents and easycom. What the
 * file has registered itself under the same name comes first.
 */
export function components(app: MiniApp): Plugin {
  const known = new Components(app)
  return {
    name: 'souk:components',
    resolveId: { filter: { id: /^virtual:souk\/own-component$/ }, handler: () => helper },
    load: {
      filter: { id: /^\0virtual:souk\/own-component$/ },
      handler: () =>
        `import { resolveDynamicComponent } from 'vue'
export function ownComponent(name, other) {
  const own = resolveDynamicComponent(name)
  return typeof own === 'string' ? other : own
}
`,
    },
    transform: {
      filter: { id: /\.[nu]?vue(?:$|\?)/, code: /resolveComponent\(/ },
      handler(code, id) {
        const [file, query = ''] = id.split('?') as [string, string?]
        if (isOwn(file) || (query !== '' && !/\btype=(?:template|script)\b/.test(query))) return undefined
        const text = new MagicString(code)
        const imports = new Map<string, string>()
        const imported = (source: string) => {
          const name = imports.get(source) ?? `__souk_component_${imports.size}`
          imports.set(source, name)
          return name
        }
        let asksFirst = false
        for (const match of code.matchAll(asked)) {
          const [whole, , tag] = match as unknown as [string, string, string]
          let found: string | undefined
          if (tag.startsWith(componentPrefix)) {
            found = imported(`@souk/tags/${tag.slice(componentPrefix.length)}.vue`)
          } else {
            const source = known.find(tag, normalizePath(file))
            if (source === undefined) continue
            asksFirst = true
            found = `__souk_own(${JSON.stringify(tag)}, ${imported(source)})`
          }
          text.update(match.index, match.index + whole.length, found)
        }
        if (imports.size === 0) return undefined
        if (asksFirst) text.prepend("import { ownComponent as __souk_own } from 'virtual:souk/own-component'\n")
        for (const [source, name] of imports) text.prepend(`import ${name} from ${JSON.stringify(source)}\n`)
        return { code: text.toString(), map: app.isDevelopment ? text.generateMap({ hires: 'boundary' }) : null }
      },
    },
  }
}
