import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, readPages } from '@souk/pages'
import { parseSync } from 'vite'
import { isNode, propertyName, type SyntaxNode, stringOf, type Use, walk } from './walk.ts'

/** A JSON file of the project; without a file, an empty object. */
export interface JsonFile {
  readonly file: string
  /** Undefined if the file does not exist. */
  readonly text: string | undefined
  /** Returns the value at a path of keys. */
  at(...keys: string[]): Node | undefined
}

/** Reads a JSON file, with comments as in manifest.json. */
export function readJson(file: string): JsonFile {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const root = text === undefined ? undefined : readPages(text).variants[0]?.root
  return {
    file,
    text,
    at: (...keys) =>
      keys.reduce<Node | undefined>(
        (node, key) =>
          node?.kind === 'object' ? node.properties.findLast((each) => each.key.value === key)?.value : undefined,
        root,
      ),
  }
}

/** The parts of vite.config that matter here. It is read, not run. */
export interface ViteConfig {
  readonly file: string
  readonly text: string
  readonly imports: readonly Use[]
  /** Folder or file of each alias; undefined if it is computed. */
  readonly aliases: ReadonlyMap<string, string | undefined>
}

const configNames = [
  'vite.config.js',
  'vite.config.mjs',
  'vite.config.ts',
  'vite.config.mts',
  'vite.config.cjs',
  'vite.config.cts',
]

export function readViteConfig(folder: string): ViteConfig | undefined {
  const file = configNames.map((name) => join(folder, name)).find((each) => existsSync(each))
  if (file === undefined) return undefined
  const text = readFileSync(file, 'utf8')
  const { program, module, errors } = parseSync('config.ts', text)
  const aliases = new Map<string, string | undefined>()
  const imports = module.staticImports.map(({ moduleRequest: { value, start } }) => ({ name: value, offset: start }))
  if (errors.length === 0) {
    walk(program as unknown as SyntaxNode, (node) => {
      if (node.type === 'Property' && propertyName(node, 'key') === 'alias') readAliases(node.value, folder, aliases)
    })
  }
  return { file, text, imports, aliases }
}

/** Reads `{ '#': path }` and `[{ find: '#', replacement: path }]`. */
function readAliases(node: unknown, folder: string, aliases: Map<string, string | undefined>): void {
  if (!isNode(node)) return
  if (node.type === 'ArrayExpression') {
    for (const each of node.elements as unknown[]) {
      if (!isNode(each) || each.type !== 'ObjectExpression') continue
      const value = (name: string) =>
        (each.properties as SyntaxNode[]).find((it) => it.type === 'Property' && propertyName(it, 'key') === name)
          ?.value
      const find = stringOf(value('find'))
      if (find) aliases.set(find, pathIn(value('replacement'), folder))
    }
  } else if (node.type === 'ObjectExpression') {
    for (const each of node.properties as SyntaxNode[]) {
      const name = each.type === 'Property' ? propertyName(each, 'key') : undefined
      if (name) aliases.set(name, pathIn(each.value, folder))
    }
  }
}

/** Returns the path that an expression such as `path.resolve(__dirname, 'src/api')` names, if it exists. */
function pathIn(expression: unknown, folder: string): string | undefined {
  if (!isNode(expression)) return undefined
  const parts: string[] = []
  walk(expression, (node) => {
    const text = stringOf(node)
    if (text !== undefined) parts.push(text)
  })
  const path = join(folder, ...parts)
  return parts.length > 0 && existsSync(path) ? path : undefined
}
