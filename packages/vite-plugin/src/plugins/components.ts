import MagicString from 'magic-string'
import { type ESTree, normalizePath, type Plugin, parseSync } from 'vite'
import { Components } from '../components.ts'
import type { MiniApp } from '../miniApp.ts'
import { componentOptions } from '../optionsApi.ts'
import { isSoukFile } from '../packages.ts'
import { componentPrefix } from '../template/tags.ts'

/** How Vue asks for a component that the file itself does not import; with `true` behind it, the file may mean itself. */
const resolveCall = /\b_?resolveComponent\((["'])([\w$.-]+)\1\)/g

const helper = '\0virtual:souk/own-component'

/**
 * Imports the components that a template names without importing them, into that file alone: those of tags, usingComponents and easycom. What the
 * file has registered itself under the same name comes first; where only the running page can tell, as with mixins, both are built and it is asked.
 */
export function components(app: MiniApp): Plugin {
  const registry = new Components(app)
  /** For each file that was compiled its tags, with what was found for them: another component may come, or this one go. */
  const compiled = new Map<string, ReadonlyMap<string, string | undefined>>()
  return {
    name: 'souk:components',
    configureServer({ environments: { client } }) {
      app.onRead = () => {
        for (const [file, tags] of compiled) {
          if ([...tags].every(([tag, source]) => registry.find(tag, file) === source)) continue
          compiled.delete(file)
          for (const module of client.moduleGraph.getModulesByFile(file) ?? []) void client.reloadModule(module)
        }
      }
    },
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
        const [path, query = ''] = id.split('?') as [string, string?]
        const file = normalizePath(path)
        if (isSoukFile(file) || (query !== '' && !/\btype=(?:template|script)\b/.test(query))) return undefined
        const text = new MagicString(code)
        const own = registeredComponents(code)
        const imports = new Map<string, string>()
        const imported = (source: string) => {
          const name = imports.get(source) ?? `__souk_component_${imports.size}`
          imports.set(source, name)
          return name
        }
        const tags = new Map<string, string | undefined>()
        let needsOwnComponent = false
        for (const match of code.matchAll(resolveCall)) {
          const [whole, , tag] = match as unknown as [string, string, string]
          let found: string | undefined
          if (tag.startsWith(componentPrefix)) {
            found = imported(`@souk/tags/${tag.slice(componentPrefix.length)}.vue`)
          } else {
            if (registeredNames(tag).some((name) => own.has(name))) continue
            const source = registry.find(tag, file)
            tags.set(tag, source)
            if (source === undefined) continue
            needsOwnComponent = true
            found = `__souk_own(${JSON.stringify(tag)}, ${imported(source)})`
          }
          text.update(match.index, match.index + whole.length, found)
        }
        compiled.set(file, tags)
        if (imports.size === 0) return undefined
        if (needsOwnComponent) text.prepend("import { ownComponent as __souk_own } from 'virtual:souk/own-component'\n")
        for (const [source, name] of imports) text.prepend(`import ${name} from ${JSON.stringify(source)}\n`)
        return { code: text.toString(), map: app.isDevelopment ? text.generateMap({ hires: 'boundary' }) : null }
      },
    },
  }
}

/** Names that a compiled file registers components under, as far as they are written out. */
function registeredComponents(code: string): ReadonlySet<string> {
  if (!/\bcomponents\b/.test(code)) return new Set()
  const { body } = parseSync('component.js', code).program
  const names = body
    .flatMap((node) => (node.type === 'VariableDeclaration' ? node.declarations : []))
    .flatMap(({ id, init }) =>
      init && id.type === 'Identifier' && compilerName.test(id.name) ? [componentOptions(init)] : [],
    )
    .flatMap((options) => namedProperties(options).filter(({ name }) => name === 'components'))
    .flatMap(({ value }) => namedProperties(value))
    .map(({ name }) => name)
  return new Set(names)
}

/** What Vue's compiler calls the component of a file. */
const compilerName = /^(?:_sfc_main|__default__)$/

function namedProperties(object: ESTree.Node | undefined): { name: string; value: ESTree.Node }[] {
  if (object?.type !== 'ObjectExpression') return []
  return object.properties.flatMap((each) => {
    if (each.type !== 'Property' || each.computed) return []
    const { key, value } = each
    if (key.type === 'Identifier') return [{ name: key.name, value }]
    return key.type === 'Literal' ? [{ name: String(key.value), value }] : []
  })
}

/** The names that Vue looks for, given a tag. */
function registeredNames(tag: string): string[] {
  const camel = tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [tag, camel, camel.charAt(0).toUpperCase() + camel.slice(1)]
}
