import { parseSync } from 'vite'
import * as compiler from 'vue/compiler-sfc'
import { componentOptions } from '../../componentOptions.ts'
import { namespaces } from '../../namespaces.ts'
import { blank, viewScripts } from '../../scriptModules.ts'
import { type TemplateFacts, templateFacts } from './template.ts'
import { identifier, isNode, propertyName, type SyntaxNode, stringOf, type Use, walk } from './walk.ts'

/** A member of a global object such as `uni`. */
export interface Member extends Use {
  readonly object: string
  /** The module that a call gets, such as `dom` in `uni.requireNativePlugin('dom')`. */
  readonly module?: string
}

interface Import extends Use {
  /** Imported names; `default` is the default export. */
  readonly names: readonly string[]
}

/** APIs, tags and imports of a file in one build, after its conditional compilation. */
export interface Facts extends Omit<TemplateFacts, 'expressions'> {
  /** Syntax error of the file. */
  readonly error?: { readonly message: string; readonly offset: number }
  readonly members: readonly Member[]
  /** Members of globals that the file tests before it uses them, such as `uni.share`. */
  readonly tested: ReadonlySet<string>
  /** Members of globals that the file defines itself. */
  readonly assigned: ReadonlySet<string>
  readonly imports: readonly Import[]
  /** Options of the component, such as `filters`. */
  readonly options: readonly Use[]
  /** Languages of blocks, such as `scss`, `pug`, `wxs` and `renderjs`. */
  readonly languages: readonly Use[]
  /** Members of the instance that Vue 3 does not have, such as `$delete`, and `setData`. */
  readonly instance: readonly Use[]
  /** Names that the scripts declare or import. */
  readonly declared: ReadonlySet<string>
}

/** Objects that uni-app and its hosts, or browsers only, provide as globals. */
const globals = new Set([...namespaces, 'plus', 'weex', 'uniCloud', 'localStorage', 'sessionStorage'])

/** Members of components that Vue 3 does not have, and `setData` of WeChat. */
const removedMembers = new Set([
  'setData',
  '$delete',
  '$on',
  '$once',
  '$off',
  '$children',
  '$listeners',
  '$scopedSlots',
])

/** The facts of scripts and expressions while they are read. */
class Reading {
  readonly members: Member[] = []
  readonly tested: Set<string> = new Set()
  readonly assigned: Set<string> = new Set()
  readonly imports: Import[] = []
  readonly options: Use[] = []
  readonly instance: Use[] = []
  readonly declared: Set<string> = new Set()

  /** Reads a script. Returns its first syntax error. */
  script(text: string, at: number, lang: 'jsx' | 'ts' | 'tsx'): Facts['error'] {
    const { program, module, errors } = parseSync(`script.${lang}`, text)
    const [error] = errors
    if (error) return { message: error.message, offset: at + (error.labels[0]?.start ?? 0) }
    for (const { moduleRequest, entries } of module.staticImports) {
      const names = entries.flatMap(({ importName: { kind, name }, isType }) =>
        isType || kind === 'NamespaceObject' ? [] : [kind === 'Default' ? 'default' : name!],
      )
      if (entries.length > 0 && entries.every(({ isType }) => isType)) continue
      this.imports.push({ name: moduleRequest.value, offset: at + moduleRequest.start, names })
    }
    for (const { entries } of module.staticExports) {
      for (const { moduleRequest, isType } of entries)
        if (moduleRequest && !isType)
          this.imports.push({ name: moduleRequest.value, offset: at + moduleRequest.start, names: [] })
    }
    const root = program as unknown as SyntaxNode
    this.#declare(root)
    this.expression(root, at)
    const exported = program.body.find((node) => node.type === 'ExportDefaultDeclaration')?.declaration
    const options = exported && componentOptions(exported)
    for (const property of (options?.properties ?? []) as unknown as SyntaxNode[]) {
      const name = property.type === 'Property' ? propertyName(property, 'key') : undefined
      if (name !== undefined) this.options.push({ name, offset: at + property.start })
    }
    return undefined
  }

  /** Reads the members in a syntax tree; its positions are relative to `at`. */
  expression(root: SyntaxNode, at: number): void {
    walk(root, (node, parent) => {
      if (/^(?:Optional)?MemberExpression$/.test(node.type)) this.#member(node, parent, at)
      else if (node.type === 'VariableDeclarator') this.#destructured(node, at)
      else if (node.type === 'ImportExpression') this.#dynamicImport(node, at)
      else if (node.type === 'CallExpression') this.#call(node)
    })
  }

  #member(node: SyntaxNode, parent: SyntaxNode | undefined, at: number): void {
    const name = propertyName(node, 'property')
    if (name === undefined) return
    const object = identifier(node.object)
    const isThis = isNode(node.object) && node.object.type === 'ThisExpression'
    if (isThis && removedMembers.has(name)) this.instance.push({ name, offset: at + node.start })
    if (object === undefined || !globals.has(object) || this.declared.has(object)) return
    const isAssigned = parent?.type === 'AssignmentExpression' && parent.left === node
    if (isAssigned) this.assigned.add(`${object}.${name}`)
    else if (isTested(node, parent)) this.tested.add(`${object}.${name}`)
    else this.members.push({ object, name, offset: at + node.start, ...moduleOf(node, name, parent) })
  }

  #destructured({ id, init }: SyntaxNode, at: number): void {
    const object = identifier(init)
    if (object === undefined || !globals.has(object) || this.declared.has(object)) return
    if (!isNode(id) || id.type !== 'ObjectPattern') return
    for (const property of id.properties as SyntaxNode[]) {
      const name = property.type === 'Property' ? propertyName(property, 'key') : undefined
      if (name !== undefined) this.members.push({ object, name, offset: at + property.start })
    }
  }

  #dynamicImport({ source }: SyntaxNode, at: number): void {
    const name = stringOf(source)
    if (name !== undefined) this.imports.push({ name, offset: at + (source as SyntaxNode).start, names: [] })
  }

  /** Records members that are tested by `uni.canIUse('share')`. */
  #call({ callee, arguments: given }: SyntaxNode): void {
    if (!isNode(callee) || !/MemberExpression$/.test(callee.type) || propertyName(callee, 'property') !== 'canIUse')
      return
    const name = stringOf((given as unknown[])[0])?.split('.')[0]
    if (name) for (const object of namespaces) this.tested.add(`${object}.${name}`)
  }

  /** Collects the names that the script declares, which hide globals. */
  #declare(root: SyntaxNode): void {
    walk(root, (node) => {
      if (/^Import(?:Default|Namespace)?Specifier$/.test(node.type)) this.#declareName(node.local)
      else if (node.type === 'VariableDeclarator') this.#declareName(node.id)
      else if (Array.isArray(node.params)) for (const each of node.params) this.#declareName(each)
    })
  }

  #declareName(node: unknown): void {
    const name = identifier(node)
    if (name !== undefined) this.declared.add(name)
  }
}

/** Returns the module that a call of the member gets. */
function moduleOf(node: SyntaxNode, name: string, parent: SyntaxNode | undefined): { module?: string } {
  if (!/^require(?:NativePlugin|Module)$/.test(name) || parent?.type !== 'CallExpression' || parent.callee !== node)
    return {}
  const module = stringOf((parent.arguments as unknown[])[0])
  return module === undefined ? {} : { module }
}

/** Returns whether a member is tested or called optionally, so that its absence does no harm. */
function isTested(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined) return false
  const { type } = parent
  if (type === 'UnaryExpression') return parent.operator === '!' || parent.operator === 'typeof'
  if (type === 'LogicalExpression') return parent.left === node
  if (type === 'IfStatement' || type === 'ConditionalExpression') return parent.test === node
  return parent.optional === true
}

/** Reads the facts of a .vue file or script after conditional compilation. Never throws. */
export function factsOf(file: string, text: string): Facts {
  const reading = new Reading()
  const { members, tested, assigned, imports, options, instance, declared } = reading
  const facts = {
    tags: [],
    directives: [],
    languages: [],
    members,
    tested,
    assigned,
    imports,
    options,
    instance,
    declared,
  }
  try {
    if (/\.[nu]?vue$/.test(file)) return { ...facts, ...componentFacts(file, text, reading) }
    const error = reading.script(text, 0, /\.[cm]?ts$/.test(file) ? 'ts' : /\.tsx$/.test(file) ? 'tsx' : 'jsx')
    return { ...facts, ...(error && { error }) }
  } catch (error) {
    // Parsers end with a RangeError when the nesting is too deep.
    return { ...facts, error: { message: error instanceof Error ? error.message : String(error), offset: 0 } }
  }
}

type ComponentFacts = Pick<Facts, 'tags' | 'directives' | 'languages' | 'error'>

function componentFacts(file: string, text: string, reading: Reading): ComponentFacts {
  const { rest, languages } = withoutViewScripts(text)
  const { descriptor, errors } = compiler.parse(rest, {
    filename: file,
    sourceMap: false,
    templateParseOptions: { prefixIdentifiers: true, expressionPlugins: ['typescript'] },
  })
  const [first] = errors
  let error: Facts['error'] = first && {
    message: first.message,
    offset: 'loc' in first ? (first.loc?.start.offset ?? 0) : 0,
  }
  const { template, script, scriptSetup, styles } = descriptor
  for (const block of [template, script, scriptSetup, ...styles]) {
    if (block?.lang) languages.push({ name: block.lang, offset: block.loc.start.offset })
    if (block?.src) reading.imports.push({ name: block.src, offset: block.loc.start.offset, names: [] })
  }
  for (const block of [script, scriptSetup]) {
    if (!block) continue
    const lang = block.lang === 'ts' || block.lang === 'tsx' ? block.lang : 'jsx'
    error ??= reading.script(block.content, block.loc.start.offset, lang)
  }
  const { tags, directives, expressions } = templateFacts(template?.ast)
  for (const { ast, offset } of expressions) reading.expression(ast, offset)
  return { tags, directives, languages, ...(error && { error }) }
}

/** Blanks scripts that run in uni-app's view layer: they are not JavaScript modules of the component. */
function withoutViewScripts(text: string): { rest: string; languages: Use[] } {
  const scripts = viewScripts(text)
  return {
    rest: scripts.reduce((rest, { block }) => blank(rest, block), text),
    languages: scripts.map(({ lang, block }) => ({ name: lang, offset: block.loc.start.offset })),
  }
}
