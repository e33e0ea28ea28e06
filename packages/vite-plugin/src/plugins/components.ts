import { dirname, resolve } from 'node:path'
import MagicString from 'magic-string'
import { type ESTree, normalizePath, type Plugin, parseSync } from 'vite'
import { componentOptions } from '../componentOptions.ts'
import { Components } from '../components.ts'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { componentPrefix } from '../template/tags.ts'

/** Vue's lookup of a component that the file does not import. With a second argument it may mean the file itself. */
const resolveCall = /\b_?resolveComponent\((["'])([\w$.-]+)\1\)/g

const helper = '\0virtual:souk/own-component'

/**
 * Imports the components that a template uses without an import: tags, usingComponents and easycom. Components that the
 * file registers itself take precedence; if they are only known at run time, as with mixins, the page chooses.
 */
export function components(app: MiniApp): Plugin {
  const registry = new Components(app)
  /** Tags of each compiled file with their resolved components, to reload the file if these change. */
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
        const { text, tags } = importComponents(code, (tag) => registry.find(tag, file))
        deferOwnImport(text, code, file)
        compiled.set(file, tags)
        if (!text.hasChanged()) return undefined
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
  }
}

/** Replaces Vue's lookups by imports. Also returns the tags that were looked up, with what `find` returned. */
function importComponents(code: string, find: (tag: string) => string | undefined) {
  const text = new MagicString(code)
  const tags = new Map<string, string | undefined>()
  const imports = new Map<string, string>()
  const importName = (source: string) => {
    const name = imports.get(source) ?? `__souk_component_${imports.size}`
    imports.set(source, name)
    return name
  }
  const registered = registeredComponents(code)
  let needsOwnComponent = false
  for (const match of code.matchAll(resolveCall)) {
    const [call, , tag] = match as unknown as [string, string, string]
    let component: string
    if (tag.startsWith(componentPrefix)) {
      component = importName(`@souk/tags/${tag.slice(componentPrefix.length)}.vue`)
    } else {
      if (registeredNames(tag).some((name) => registered.has(name))) continue
      const source = find(tag)
      tags.set(tag, source)
      if (source === undefined) continue
      needsOwnComponent = true
      component = `__souk_own(${JSON.stringify(tag)}, ${importName(source)})`
    }
    text.update(match.index, match.index + call.length, component)
  }
  if (needsOwnComponent) text.prepend("import { ownComponent as __souk_own } from 'virtual:souk/own-component'\n")
  for (const [source, name] of imports) text.prepend(`import ${name} from ${JSON.stringify(source)}\n`)
  return { text, tags }
}

/** Returns the names of components that a compiled file registers statically. */
const registeredComponents = (code: string): ReadonlySet<string> => new Set(registrations(code).map(({ name }) => name))

function registrations(code: string): NamedProperty[] {
  if (!/\bcomponents\b/.test(code)) return []
  const { body } = parseSync('component.js', code).program
  return body
    .flatMap((node) => (node.type === 'VariableDeclaration' ? node.declarations : []))
    .flatMap(({ id, init }) =>
      init && id.type === 'Identifier' && compilerName.test(id.name) ? [componentOptions(init)] : [],
    )
    .flatMap((options) => namedProperties(options).filter(({ name }) => name === 'components'))
    .flatMap(({ value }) => namedProperties(value))
}

/**
 * Lets a component that imports and registers itself, as that of mp-html does, read the name when it is rendered. In
 * development, where modules are not bundled, the name has no value before.
 */
function deferOwnImport(text: MagicString, code: string, file: string): void {
  const own = [...code.matchAll(defaultImport)].find(([, , , source]) => {
    const path = normalizePath(resolve(dirname(file), source!))
    return path === file || path === file.replace(/\.[nu]?vue$/, '')
  })
  if (own === undefined) return
  const name = own[1]!
  for (const { value, node } of registrations(code)) {
    if (value.type !== 'Identifier' || value.name !== name) continue
    const key = code.slice(node.key.start, node.key.end)
    text.update(node.start, node.end, `get ${key}() { return ${name} }`)
  }
}

const defaultImport = /^import\s+([\w$]+)\s+from\s*(["'])(\.\.?\/[^"']+)\2/gm

/** Names that Vue's compiler gives to the component of a file. */
const compilerName = /^(?:_sfc_main|__default__)$/

interface NamedProperty {
  name: string
  value: ESTree.Node
  /** The property in the file. */
  node: ESTree.Node & { key: ESTree.Node }
}

function namedProperties(object: ESTree.Node | undefined): NamedProperty[] {
  if (object?.type !== 'ObjectExpression') return []
  return object.properties.flatMap((each) => {
    if (each.type !== 'Property' || each.computed) return []
    const { key, value } = each
    if (key.type === 'Identifier') return [{ name: key.name, value, node: each }]
    return key.type === 'Literal' ? [{ name: String(key.value), value, node: each }] : []
  })
}

/** Returns the names under which Vue looks up a tag. */
function registeredNames(tag: string): string[] {
  const camel = tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [tag, camel, camel.charAt(0).toUpperCase() + camel.slice(1)]
}
