import type { Tag } from '@souk/tags/tags'
import type {
  DirectiveNode,
  ElementNode,
  ForParseResult,
  InterpolationNode,
  TemplateChildNode,
} from '@vue/compiler-core'

// Values of the compiler's enums, which are only exported as types.
const [element, interpolation, directive, component] = [1, 5, 7, 1] as const

type Ast = { type: string; [key: string]: unknown }

/** Functions of translations, which do not throw. */
const translations = new Set(['t', '$t', '$tc'])

/**
 * Returns whether rendering what an element contains may throw, because an expression reads a property of a value that
 * may be missing, or calls a function. `items` are the names of values that exist, such as the items of lists. What
 * tags and components inside it contain does not count: they render it themselves.
 */
export function mayThrow(
  { children }: ElementNode,
  tags: ReadonlyMap<string, Tag>,
  items: ReadonlySet<string>,
): boolean {
  return children.some((child: TemplateChildNode) => {
    if (child.type === interpolation) return isUnsafe((child as InterpolationNode).content, items)
    if (child.type !== element) return false
    const it = child as ElementNode
    const own = withItemsOf(it, items)
    if (it.props.some((prop) => prop.type === directive && mayPropThrow(prop as DirectiveNode, own))) return true
    const tag = tags.get(it.tag)
    const rendersItself = tag ? tag.component !== undefined : it.tagType === component
    return !rendersItself && mayThrow(it, tags, own)
  })
}

/** Returns the names with those that `v-for` and slots of the element declare. */
export function withItemsOf({ props }: ElementNode, items: ReadonlySet<string>): ReadonlySet<string> {
  const declared = props.flatMap((prop) => {
    if (prop.type !== directive) return []
    const { name, exp, forParseResult } = prop as DirectiveNode
    const { value, key, index } = forParseResult ?? ({} as Partial<ForParseResult>)
    return name === 'slot' ? [exp] : [value, key, index]
  })
  const names = declared.flatMap((each) => sourceOf(each).match(/[\w$]+/g) ?? [])
  return names.length > 0 ? new Set([...items, ...names]) : items
}

function mayPropThrow({ name, exp, forParseResult }: DirectiveNode, items: ReadonlySet<string>): boolean {
  if (name === 'on' || name === 'slot') return false
  return isUnsafe(name === 'for' ? forParseResult?.source : exp, items)
}

const sourceOf = (exp: unknown): string => ((exp ?? {}) as { content?: string }).content ?? ''

const isUnsafe = (exp: unknown, items: ReadonlySet<string>): boolean =>
  isUnsafeAst(((exp ?? {}) as { ast?: unknown }).ast, items)

function isUnsafeAst(ast: unknown, items: ReadonlySet<string>): boolean {
  if (Array.isArray(ast)) return ast.some((each) => isUnsafeAst(each, items))
  if (typeof ast !== 'object' || ast === null || typeof (ast as Ast).type !== 'string') return false
  const { type, ...parts } = ast as Ast
  // Called later.
  if (/Function/.test(type)) return false
  const nameOf = (part: unknown) => (part as { name?: string }).name
  if (type === 'CallExpression' && !translations.has(nameOf(parts.callee) ?? '')) return true
  if (type === 'MemberExpression' && !items.has(nameOf(parts.object) ?? '')) return true
  return Object.values(parts).some((part) => isUnsafeAst(part, items))
}
