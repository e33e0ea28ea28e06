import { type AttributeNode, baseParse, type ElementNode } from '@vue/compiler-core'

/** A `<script module>` or `<wxs module>` of a page: WXS, or renderjs. */
export interface ScriptModule {
  readonly name: string
  readonly lang: ViewScript['lang']
  /** Path as written, if the code is in another file. */
  readonly src: string | undefined
  readonly code: string
}

/** A block of a component that runs beside the page on other platforms. */
interface ViewScript {
  readonly lang: 'wxs' | 'renderjs'
  readonly block: ElementNode
}

// Value of the compiler's enum, which is only exported as a type.
const attribute = 6

/** Returns the blocks of a component that are WXS or renderjs: by their tag, or scripts in this language. */
export function viewScripts(source: string): ViewScript[] {
  if (!/\b(?:wxs|renderjs)\b/.test(source)) return []
  const blocks = baseParse(source, { parseMode: 'sfc', onError: () => {} }).children as ElementNode[]
  return blocks.flatMap((block) => {
    const lang = block.tag === 'script' ? attributeOf(block, 'lang') : block.tag
    return lang === 'wxs' || lang === 'renderjs' ? [{ lang, block }] : []
  })
}

/** Parts of the root without a tag, such as text, have no attributes. */
const attributeOf = ({ props = [] }: ElementNode, name: string): string | undefined =>
  props.find((prop): prop is AttributeNode => prop.type === attribute && prop.name === name)?.value?.content

/**
 * Removes the script modules from the source of a component, which may contain only one script otherwise. Line breaks
 * stay, so that other lines keep their numbers.
 */
export function withoutScriptModules(source: string): { text: string; modules: ScriptModule[] } {
  const modules: ScriptModule[] = []
  let text = source
  for (const { lang, block } of viewScripts(source)) {
    const name = attributeOf(block, 'module')
    if (name === undefined) continue
    const code = block.children.map(({ loc }) => loc.source).join('')
    modules.push({ name, lang, src: attributeOf(block, 'src'), code })
    text = blank(text, block)
  }
  return { text, modules }
}

/** Replaces a block by spaces. */
export function blank(text: string, { loc: { start, end } }: ElementNode): string {
  const blanks = text.slice(start.offset, end.offset).replace(/[^\r\n]/g, ' ')
  return text.slice(0, start.offset) + blanks + text.slice(end.offset)
}

/** Compiles WXS, which is JavaScript with `module.exports`, `require` of .wxs files and two functions, to a module. */
export function compileWxs(code: string): string {
  // ReDoS: the developer's own files.
  const paths = [...new Set([...code.matchAll(/\brequire\(\s*["']([^"']+)["']\s*\)/g)].map(([, path]) => path!))]
  const imports = paths.map((path, index) => `import _${index} from ${JSON.stringify(path)}`)
  const required = paths.map((path, index) => `${JSON.stringify(path)}: _${index}`)
  const start = `const getRegExp = (source, flags) => new RegExp(source, flags)
const getDate = (...parts) => new Date(...parts)
const require = (path) => ({ ${required.join(', ')} })[path]
`
  // ReDoS: the developer's own files.
  if (/^\s*export\s+default\b/m.test(code)) return `${imports.join('\n')}\n${start}${code}\n`
  return `${imports.join('\n')}\n${start}const module = { exports: {} }\n;((exports) => {${code}\n})(module.exports)\nexport default module.exports\n`
}
