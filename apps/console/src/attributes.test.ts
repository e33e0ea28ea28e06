import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compileScript, parse, type SFCDescriptor } from '@vue/compiler-sfc'
import { describe, expect, it } from 'vitest'

/** Attributes of HTML and RouterLink that components pass on to their element. */
const html =
  /^(accept|auto(capitalize|complete|focus)|class|dir|download|href|id|inputmode|key|lang|max|maxlength|min|name|multiple|placeholder|ref|rel|replace|required|role|spellcheck|step|style|tabindex|target|title|type|aria-.*|data-.*)$/
/** What Vue's types for props are read from. */
const fs = { fileExists: existsSync, readFile: (file: string) => readFileSync(file, 'utf8') }

interface Node {
  type: number
  tag?: string
  props?: { type: number; name: string; arg?: { content: string } }[]
  children?: Node[]
}

const files = globSync(`${import.meta.dirname}/**/*.vue`)
const parsed = new Map(files.map((file) => [file, parse(readFileSync(file, 'utf8'), { filename: file }).descriptor]))
const isShared = (file: string) => /\/(kit|ui|filters|charts)\//.test(file)
const components = new Map(files.filter(isShared).map((file) => [basename(file, '.vue'), parsed.get(file)!] as const))

/** Returns whether a component has a prop, or what it passes all attributes on to. */
function hasProp(tag: string, name: string): boolean {
  const descriptor = components.get(tag)
  if (!descriptor) return false
  // Of the compiled component, since names of props and of variables may be the same.
  const [props = ''] = compiled(descriptor).split('setup(')
  if (new RegExp(`["\\s{]${name}"?: (\\{|null)`).test(props)) return true
  const roots = descriptor.template?.ast?.children.filter(({ type }) => type === 1) as Node[]
  return roots.length === 1 && hasProp(roots[0]!.tag ?? '', name)
}
const compiled = (descriptor: SFCDescriptor) =>
  descriptor.scriptSetup ? compileScript(descriptor, { id: descriptor.filename, fs }).content : ''

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the attributes in `node` that are neither a prop of the component that has them, nor of HTML. */
function unknownIn(node: Node): string[] {
  const tag = node.tag ?? ''
  const names = (components.has(tag) ? (node.props ?? []) : []).flatMap(({ type, name, arg }) =>
    type === 6
      ? [name]
      : name === 'bind' && arg
        ? [arg.content]
        : name === 'model'
          ? [arg?.content ?? 'modelValue']
          : [],
  )
  return [
    ...names.filter((name) => !html.test(name) && !hasProp(tag, camelCase(name))).map((name) => `<${tag} ${name}>`),
    ...(node.children ?? []).flatMap(unknownIn),
  ]
}

describe('components of the console', () => {
  it('have the props that pages pass to them', () => {
    const unknown = files.flatMap((file) => {
      const root = parsed.get(file)!.template?.ast as Node | undefined
      return (root ? unknownIn(root) : []).map(
        (what) => `${file.slice(join(import.meta.dirname, '/').length)}: ${what}`,
      )
    })
    expect(unknown).toEqual([])
  })

  it('are found with their props', () => {
    for (const name of ['label', 'error', 'modelValue', 'clearable']) expect(hasProp('TextField', name)).toBe(true)
    expect(hasProp('MenuButton', 'variant')).toBe(true)
    const { ast } = parse('<template><p><Card height="1"/></p></template>').descriptor.template!
    expect(unknownIn(ast as Node)).toEqual(['<Card height>'])
  })
})
