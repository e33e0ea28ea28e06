import type {
  AttributeNode,
  DirectiveNode,
  ElementNode,
  ExpressionNode,
  RootNode,
  SimpleExpressionNode,
  TemplateChildNode,
} from '@vue/compiler-core'
import { hyphenate } from '../../names.ts'
import { isNode, type SyntaxNode, type Use } from './walk.ts'

// Values of the compiler's enums, which are only exported as types.
const [element, interpolation, attribute] = [1, 5, 6] as const

/** A tag, with the value of its attribute `mode`. */
export interface TagUse extends Use {
  readonly mode?: string
}

export interface TemplateFacts {
  /** Tags in kebab case. */
  readonly tags: readonly TagUse[]
  /** Syntax of Vue 2: `sync`, `native`, `slot-scope`, `slot`, `functional`, `filter`. */
  readonly directives: readonly (Use & { readonly length: number; readonly text: string })[]
  /** Expressions with their syntax tree, whose positions are relative to `offset`. */
  readonly expressions: readonly { readonly ast: SyntaxNode; readonly offset: number }[]
}

/** Reads the facts of a template, without recursion. */
export function templateFacts(root: RootNode | undefined): TemplateFacts {
  const tags: TagUse[] = []
  const directives: TemplateFacts['directives'][number][] = []
  const expressions: { ast: SyntaxNode; offset: number }[] = []
  const read = (node: ExpressionNode | undefined) => {
    const { ast, loc } = (node ?? {}) as Partial<SimpleExpressionNode>
    if (!isNode(ast) || !loc) return
    // The compiler parses an expression in parentheses.
    expressions.push({ ast, offset: loc.start.offset - 1 })
    const filter = ast.type === 'BinaryExpression' && ast.operator === '|'
    if (filter)
      directives.push({ name: 'filter', offset: loc.start.offset, length: loc.source.length, text: loc.source })
  }
  const open: TemplateChildNode[] = [...(root?.children ?? [])].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === interpolation) read(node.content)
    if (node.type !== element) continue
    const { tag, loc, props, children, ns } = node as ElementNode
    // Elements in svg and mathml are not tags of mini apps.
    const mode = props.find((prop) => prop.type === attribute && prop.name === 'mode') as AttributeNode | undefined
    const value = mode?.value?.content
    if (ns === 0) tags.push({ name: hyphenate(tag), offset: loc.start.offset, ...(value && { mode: value }) })
    for (const prop of props) {
      const { loc: place } = prop
      const found = vue2Syntax(tag, prop)
      if (found)
        directives.push({ name: found, offset: place.start.offset, length: place.source.length, text: place.source })
      if (prop.type === attribute) continue
      const { exp, forParseResult } = prop as DirectiveNode
      read(forParseResult ? forParseResult.source : exp)
    }
    open.push(...[...children].reverse())
  }
  return { tags, directives, expressions }
}

function vue2Syntax(tag: string, prop: ElementNode['props'][number]): string | undefined {
  if (prop.type === attribute) {
    const { name } = prop
    if (name === 'slot-scope') return name
    // In a native element, `slot` is an attribute of web components.
    if (name === 'slot' && prop.value?.content) return name
    return tag === 'template' && name === 'functional' ? name : undefined
  }
  const { name, modifiers } = prop as DirectiveNode
  const has = (modifier: string) => modifiers.some(({ content }) => content === modifier)
  if (name === 'bind' && has('sync')) return 'sync'
  return name === 'on' && has('native') ? 'native' : undefined
}
