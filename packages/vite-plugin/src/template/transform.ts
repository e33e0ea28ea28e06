import type { Platform } from '@souk/pages'
import type { Tag } from '@souk/tags/tags'
import type {
  AttributeNode,
  CompoundExpressionNode,
  DirectiveNode,
  ElementNode,
  NodeTransform,
  RootNode,
  SimpleExpressionNode,
  SourceLocation,
  TemplateChildNode,
  TransformContext,
} from '@vue/compiler-core'
import { isSoukFile } from '../packages.ts'
import { mayHaveVh, vhToPageHeight } from '../styles/heights.ts'
import { mayHaveRpx, rpxToCss } from '../styles/rpx.ts'
import { componentPrefix, lengthsByComponent, tagsByName } from './tags.ts'

// Of the compiler's enumerations, which are types alone.
const [root, element, attribute, directive, simple, compound] = [0, 1, 6, 7, 4, 8] as const
const [plain, component, slot, fragment] = [0, 1, 2, 3] as const

/** What a template's compiler has to know of the project. */
export interface TemplateSettings {
  readonly platform: Platform
  /** §2.3 rpxCalcIncludeWidth. */
  includedWidth(): number
  /** Whether a file of the project is there; the path starts from its root. */
  exists(path: string): boolean
}

/**
 * Makes of a page's template what Vue compiles: tags of mini apps become what draws them, `@tap` is `@click`, and rpx in styles and in
 * the attributes of tags that take lengths are such that browsers know. It works on the whole tree before Vue looks at anything of it.
 */
export function templateTransform(settings: TemplateSettings): NodeTransform {
  const transformed = new WeakSet<object>()
  return (node, context) => {
    if (node.type === root) {
      if (context.filename && isSoukFile(context.filename)) return
      transformed.add(context)
      for (const child of (node as RootNode).children) transformElement(child, settings, context)
    } else if (node.type === element && transformed.has(context)) wrapLengths(node as ElementNode, settings, context)
  }
}

function transformElement(node: TemplateChildNode, settings: TemplateSettings, context: TransformContext): void {
  if (node.type !== element) return
  const it = node as ElementNode
  // Inside of svg and mathml, `text` and `image` mean theirs.
  if (it.ns !== 0) return
  const tag = it.tagType === slot || it.tagType === fragment ? undefined : tagsByName.get(it.tag)
  it.props = it.props.map((prop) => {
    if (prop.type === attribute) return transformAttribute(prop as AttributeNode, tag, settings, context)
    if (tag || it.tagType === plain) tapToClick(prop as DirectiveNode)
    if (mayForwardTap(prop as DirectiveNode)) addImport('{}', '@souk/runtime/tap', prop.loc, context)
    if (tag?.component === 'Input' || tag?.component === 'Textarea') discardAssignedValue(prop as DirectiveNode)
    return prop
  })
  if (tag) replaceTag(it, tag)
  for (const child of it.children) transformElement(child, settings, context)
}

function replaceTag(node: ElementNode, tag: Tag): void {
  if (tag.component && (!tag.element || node.props.some((prop) => needsComponent(prop, tag)))) {
    Object.assign(node, { tag: componentPrefix + tag.component, tagType: component })
  } else if (tag.element) Object.assign(node, { tag: tag.element, tagType: plain })
  else replaceByChildren(node)
}

/** A tag that is its children alone: a `<template>`, which Vue draws only with a condition or a loop. */
function replaceByChildren(node: ElementNode): void {
  const structural = /^(?:if|else|else-if|for|slot)$/
  const isStructural = node.props.some((prop) => prop.type === directive && structural.test(prop.name))
  Object.assign(node, { tag: 'template', tagType: fragment })
  if (isStructural) return
  const { loc } = node
  node.props.push({
    type: directive,
    name: 'if',
    exp: expression('true', false, loc),
    arg: undefined,
    modifiers: [],
    loc,
  })
}

/** Attributes bound as a whole may be any. */
function needsComponent(prop: ElementNode['props'][number], { componentWhen = [] }: Tag): boolean {
  if (prop.type === attribute) return componentWhen.includes(hyphenate(prop.name))
  const directive = prop as DirectiveNode
  if (directive.name !== 'bind') return false
  const name = argumentOf(directive)
  return name === undefined || componentWhen.includes(hyphenate(name))
}

const hyphenate = (name: string) => name.replace(/\B[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const camelize = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `title` of `:title`; undefined where it is known at run time only, or there is none. */
function argumentOf({ arg }: DirectiveNode): string | undefined {
  const { type, isStatic, content } = (arg ?? {}) as Partial<SimpleExpressionNode>
  return type === simple && isStatic ? content : undefined
}

function tapToClick(prop: DirectiveNode): void {
  if (prop.name === 'on' && argumentOf(prop) === 'tap') Object.assign(prop.arg!, { content: 'click' })
}

/** A listener that is left for the page at run time: a component's own root may get it, or it is one of an object. */
const mayForwardTap = (prop: DirectiveNode): boolean =>
  prop.name === 'on' && (prop.arg === undefined || argumentOf(prop) === 'tap')

/** What a listener of a text field returns replaces its text, which nobody means with an assignment. With `;` it is a block. */
function discardAssignedValue({ name, exp }: DirectiveNode): void {
  if (name !== 'on' || exp?.type !== simple) return
  const inline = exp as SimpleExpressionNode
  if (isAssignment(inline.ast)) inline.content += ';'
}

function isAssignment(ast: unknown): boolean {
  const { type, expressions } = (ast ?? {}) as { type?: string; expressions?: unknown[] }
  return type === 'AssignmentExpression' || (type === 'SequenceExpression' && isAssignment(expressions?.at(-1)))
}

function transformAttribute(
  prop: AttributeNode,
  tag: Tag | undefined,
  settings: TemplateSettings,
  context: TransformContext,
): AttributeNode | DirectiveNode {
  const { name, value, loc } = prop
  if (value === undefined) return prop
  if (takesLength(name, tag?.lengths)) value.content = styleForBrowsers(value.content, settings)
  if (!tag?.assets?.includes(name)) return prop
  // Folders called static are copied as they are, and every document of the app lies beside them.
  const path = /^(?:@?\/)?((?:[^/?#]+\/)*?static\/[^?#]*)/.exec(value.content)?.[1]
  if (path === undefined || path.startsWith('.')) return prop
  if (!settings.exists(decodePath(path))) {
    const place = `${context.filename}:${loc.start.line}:${loc.start.column}`
    const warning = new SyntaxError(`${place} There is no ${path} in the project.`)
    context.onWarn(Object.assign(warning, { code: 0, loc }))
  }
  const address = JSON.stringify(value.content.replace(/^@?\//, ''))
  // Bound, so that it is not taken for something to import.
  return {
    type: directive,
    name: 'bind',
    arg: expression(name, true, loc),
    exp: expression(address, false, loc),
    modifiers: [],
    loc,
  }
}

/** A percent sign that encodes nothing stands for itself. */
function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The address of a static file in a style: it lies beside every document of the app. */
const staticFile = /(\burl\(\s*["']?)@?\/(?=(?:[^/"')]+\/)*?static\/)/g
const mayHaveStatic = (style: string) => style.includes('/static/')

function styleForBrowsers(style: string, { includedWidth, platform }: TemplateSettings): string {
  const found = style.replace(staticFile, '$1')
  const known = mayHaveRpx(found) ? rpxToCss(found, includedWidth()) : found
  return platform !== 'H5' && mayHaveVh(known) ? vhToPageHeight(known) : known
}

const expression = (content: string, isStatic: boolean, loc: SourceLocation): SimpleExpressionNode => ({
  type: simple,
  content,
  isStatic,
  constType: 3,
  loc,
})

const takesLength = (name: string | undefined, lengths: readonly string[] = []): boolean =>
  name === 'style' || (name !== undefined && lengths.includes(hyphenate(name)))

/** What is bound may hold rpx that are known at run time only. */
function wrapLengths(node: ElementNode, settings: TemplateSettings, context: TransformContext): void {
  const lengths = lengthsByComponent.get(node.tag)
  for (const prop of node.props) {
    if (prop.type !== directive || prop.name !== 'bind' || prop.exp === undefined) continue
    const isWhole = prop.arg === undefined && node.tagType !== slot
    if (!isWhole && !takesLength(argumentOf(prop), lengths)) continue
    const exp = prop.exp as SimpleExpressionNode | CompoundExpressionNode
    const name = isWhole ? 'rpxProps' : 'rpxStyle'
    const call = `_${name}(`
    if (exp.type !== simple && exp.children[0] === call) continue
    if (exp.type === simple && exp.constType === 3) {
      // In what Vue made of a static style nothing of that is left.
      const hasLength = mayHaveRpx(exp.content) || (settings.platform !== 'H5' && mayHaveVh(exp.content))
      if (!hasLength && !mayHaveStatic(exp.content)) continue
      // With the call around it, it is no constant any more.
      exp.constType = 0
    }
    const names = isWhole && lengths ? `, ${JSON.stringify(lengths.map(camelize))}` : ''
    prop.exp = { type: compound, loc: exp.loc, children: [call, exp, `${names})`] }
    addImport(`{ ${name} as _${name} }`, '@souk/runtime', exp.loc, context)
  }
}

/** Has the compiled template import something, once. */
function addImport(names: string, path: string, loc: SourceLocation, { imports }: TransformContext): void {
  if (imports.some(({ exp }) => (exp as SimpleExpressionNode).content === names)) return
  imports.push({ exp: expression(names, false, loc), path })
}
