import type { Platform } from '@souk/pages'
import { flags, type Tag } from '@souk/tags/tags'
import type {
  AttributeNode,
  CompoundExpressionNode,
  DirectiveNode,
  ElementNode,
  InterpolationNode,
  NodeTransform,
  RootNode,
  SimpleExpressionNode,
  SourceLocation,
  TemplateChildNode,
  TransformContext,
} from '@vue/compiler-core'
import { camelize, hyphenate } from '../names.ts'
import { isSoukFile } from '../packages.ts'
import { mayHaveVh, vhToPageHeight } from '../styles/heights.ts'
import { mayHaveRpx, rpxToCss } from '../styles/rpx.ts'
import { mayThrow, withItemsOf } from './mayThrow.ts'
import { componentPrefix, lengthsByComponent, tagsByName } from './tags.ts'

// Values of the compiler's enums, which are only exported as types.
const [root, element, text, interpolation, attribute, directive, simple, compound] = [0, 1, 2, 5, 6, 7, 4, 8] as const
const [plain, component, slot, fragment] = [0, 1, 2, 3] as const

/** Project settings that affect templates. */
export interface TemplateSettings {
  readonly platform: Platform
  /** rpxCalcIncludeWidth (pages-json §2.3). */
  includedWidth(): number
  /** Checks if a file exists, by its path relative to the project root. */
  exists(path: string): boolean
  /**
   * True for projects of uni-app, where each tag is a component: an error while rendering loses the tag around it, and
   * not the page.
   */
  losesTagsOnly(): boolean
  /** True if the link of a navigator is around it. */
  putsLinksOutside(): boolean
}

/**
 * Converts page templates for Vue: replaces mini app tags by their elements or components, `@tap` by `@click`, and rpx
 * in styles and lengths. It transforms the whole tree before Vue's own transforms run.
 */
export function templateTransform(settings: TemplateSettings): NodeTransform {
  const transformed = new WeakSet<object>()
  return (node, context) => {
    if (node.type === root) {
      if (context.filename && isSoukFile(context.filename)) return
      transformed.add(context)
      for (const child of (node as RootNode).children) transformElement(child, settings, context, new Set())
    } else if (!transformed.has(context)) return
    else if (node.type === element) wrapLengths(node as ElementNode, settings, context)
    else if (node.type === interpolation && isText(context.parent)) wrapText(node as InterpolationNode, context)
  }
}

function transformElement(
  node: TemplateChildNode,
  settings: TemplateSettings,
  context: TransformContext,
  itemsAround: ReadonlySet<string>,
): void {
  if (node.type !== element) return
  const it = node as ElementNode
  // In svg and mathml, `text` and `image` are their own elements.
  if (it.ns !== 0) return
  const tag = it.tagType === slot || it.tagType === fragment ? undefined : tagsByName.get(it.tag)
  if (it.tag === 'text') replaceLineBreaks(it)
  it.props = it.props.map((prop) => {
    if (prop.type === directive && argumentOf(prop as DirectiveNode)?.startsWith('change:'))
      return changeDirective(prop as DirectiveNode, it)
    if (prop.type === attribute) return transformAttribute(prop as AttributeNode, it.tag, tag, settings, context)
    if (tag || it.tagType === plain) tapToClick(prop as DirectiveNode)
    if (mayForwardTap(prop as DirectiveNode)) addImport('{}', '@souk/runtime/tap', prop.loc, context)
    if (tag?.component === 'Input' || tag?.component === 'Textarea') discardAssignedValue(prop as DirectiveNode)
    return prop
  })
  if (it.tag === 'page-meta' || it.tag === 'navigation-bar') addImport('{}', '@souk/runtime/pageMeta', it.loc, context)
  // Components looks it up, unless the file registers its own.
  if (it.tag === 'navigator' && settings.putsLinksOutside()) {
    const { loc } = it
    it.props.push({ type: attribute, name: 'link-outside', nameLoc: loc, value: undefined, loc })
  }
  const items = settings.losesTagsOnly() ? withItemsOf(it, itemsAround) : itemsAround
  if (tag && !tag.isReplaceable) replaceTag(it, tag, settings.losesTagsOnly() && mayThrow(it, tagsByName, items))
  if (lists.has(it.tag)) renameHeaders(it)
  for (const child of it.children) transformElement(child, settings, context, items)
}

/** Tags in which `<header>` is a part of the list, unless they are components of the project (`ListHeader.vue`). */
const lists = new Set(['list', 'recycle-list', 'waterfall'])

function renameHeaders({ children }: ElementNode): void {
  for (const child of children) {
    if (child.type !== element) continue
    const it = child as ElementNode
    if (it.tag === 'header') Object.assign(it, { tag: 'list-header', tagType: component })
    else if (it.tag === 'block' || it.tag === 'template') renameHeaders(it)
  }
}

/** In `<text>`, a backslash and an n are a line break. */
function replaceLineBreaks({ children }: ElementNode): void {
  for (const child of children) if (child.type === text) child.content = child.content.replaceAll('\\n', '\n')
}

/** Checks for `<text>`, which has been replaced by its element or component. */
function isText(parent: TransformContext['parent']): boolean {
  const { tag } = (parent ?? {}) as Partial<ElementNode>
  return tag === 'neu-text' || tag === `${componentPrefix}Text`
}

/** Replaces line breaks at run time. */
function wrapText(node: InterpolationNode, context: TransformContext): void {
  const { content, loc } = node
  node.content = { type: compound, loc, children: ['_withLineBreaks(', content, ')'] }
  addImport('{ withLineBreaks as _withLineBreaks }', '@souk/runtime', loc, context)
}

/** Replaces `:change:prop="module.observe"` by a directive of the runtime, which also gets the value of `:prop`. */
function changeDirective(prop: DirectiveNode, { props }: ElementNode): DirectiveNode {
  const name = argumentOf(prop)!.slice('change:'.length)
  const bound = props.find((each) => each.type === directive && argumentOf(each as DirectiveNode) === name)
  const sourceOf = (each: DirectiveNode | undefined) => (each?.exp as SimpleExpressionNode | undefined)?.content
  // The module may be excluded on this platform.
  const observe = sourceOf(prop)?.replace(/^\s*(\w+)\.(\w+)\s*$/, '$1?.$2')
  const values = `[${observe ?? 'undefined'}, ${sourceOf(bound as DirectiveNode | undefined) ?? 'undefined'}]`
  const exp = { ...expression(values, false, prop.loc), constType: 0 as const }
  return {
    type: directive,
    name: 'souk-change',
    arg: expression(name, true, prop.loc),
    exp,
    modifiers: [],
    loc: prop.loc,
  }
}

function replaceTag(node: ElementNode, tag: Tag, isComponent: boolean): void {
  const { component: name, element: own } = tag
  if (name && (!own || isComponent || node.props.some((prop) => needsComponent(prop, tag)))) {
    Object.assign(node, { tag: componentPrefix + name, tagType: component })
  } else if (own) Object.assign(node, { tag: own, tagType: plain })
  else replaceByChildren(node)
}

/** Replaces a tag by a `<template>`, adding `v-if="true"` because Vue renders templates only with a directive. */
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

/** Returns whether an attribute needs the component. `v-bind` without an argument may set any. */
function needsComponent(prop: ElementNode['props'][number], { componentWhen = [] }: Tag): boolean {
  if (prop.type === attribute) return componentWhen.includes(hyphenate(prop.name))
  const directive = prop as DirectiveNode
  if (directive.name !== 'bind') return false
  const name = argumentOf(directive)
  return name === undefined || componentWhen.includes(hyphenate(name))
}

/** Returns `title` for `:title`; undefined if the argument is dynamic or missing. */
function argumentOf({ arg }: DirectiveNode): string | undefined {
  const { type, isStatic, content } = (arg ?? {}) as Partial<SimpleExpressionNode>
  return type === simple && isStatic ? content : undefined
}

function tapToClick(prop: DirectiveNode): void {
  if (prop.name === 'on' && argumentOf(prop) === 'tap') Object.assign(prop.arg!, { content: 'click' })
}

/** Checks for `tap` listeners that are only known at run time: on components, or in `v-on` with an object. */
const mayForwardTap = (prop: DirectiveNode): boolean =>
  prop.name === 'on' && (prop.arg === undefined || argumentOf(prop) === 'tap')

/** Adds a `;` to an assignment, so that it returns nothing: text fields show the value that a listener returns. */
function discardAssignedValue({ name, exp }: DirectiveNode): void {
  if (name !== 'on' || exp?.type !== simple) return
  const inline = exp as SimpleExpressionNode
  if (isAssignment(inline.ast)) inline.content += ';'
}

function isAssignment(ast: unknown): boolean {
  const { type, expressions } = (ast ?? {}) as { type?: string; expressions?: unknown[] }
  return type === 'AssignmentExpression' || (type === 'SequenceExpression' && isAssignment(expressions?.at(-1)))
}

/** HTML elements whose files Vue imports. Without the file, the build would fail. */
const importing = /^(?:img|source)$/

function transformAttribute(
  prop: AttributeNode,
  element: string,
  tag: Tag | undefined,
  settings: TemplateSettings,
  context: TransformContext,
): AttributeNode | DirectiveNode {
  const { name, value, loc } = prop
  if (value === undefined) return prop
  // Vue would warn about a text, which uni-app allows.
  if (tag?.component && value.content === 'true' && flags.has(hyphenate(name))) return { ...prop, value: undefined }
  if (takesLength(name, tag?.lengths)) value.content = styleForBrowsers(value.content, settings)
  const isImported = name === 'src' && importing.test(element)
  if (!isImported && !tag?.assets?.includes(name)) return prop
  // Static folders are copied next to the document.
  const path = /^(?:@?\/)?((?:[^/?#]+\/)*?static\/[^?#]*)/.exec(value.content)?.[1]
  // Vue turns relative paths and those with an alias into imports.
  if (path === undefined || /^[.~@]/.test(path)) return prop
  const exists = settings.exists(decodePath(path))
  if (exists && isImported) return prop
  if (!exists) {
    const place = `${context.filename}:${loc.start.line}:${loc.start.column}`
    const warning = new SyntaxError(`${place} The file ${path} does not exist.`)
    context.onWarn(Object.assign(warning, { code: 0, loc }))
  }
  const address = JSON.stringify(value.content.replace(/^@?\//, ''))
  // As a binding, so that Vue does not turn it into an import.
  return {
    type: directive,
    name: 'bind',
    arg: expression(name, true, loc),
    exp: expression(address, false, loc),
    modifiers: [],
    loc,
  }
}

/** Decodes a path; a malformed percent sequence stays unchanged. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Matches absolute URLs of static files in styles. */
const staticFile = /(\burl\(\s*["']?)@?\/(?=(?:[^/"'()]+\/)*?static\/)/g
const mayHaveStatic = (style: string) => style.includes('/static/')

function styleForBrowsers(style: string, { includedWidth, platform }: TemplateSettings): string {
  const found = style.replace(staticFile, '$1')
  const converted = mayHaveRpx(found) ? rpxToCss(found, includedWidth()) : found
  return platform !== 'H5' && mayHaveVh(converted) ? vhToPageHeight(converted) : converted
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

/** Wraps bindings that may contain rpx at run time. */
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
      // Constants, such as static styles, only need it if they contain such lengths.
      const hasLength = mayHaveRpx(exp.content) || (settings.platform !== 'H5' && mayHaveVh(exp.content))
      if (!hasLength && !mayHaveStatic(exp.content)) continue
      // The call makes it non-constant.
      exp.constType = 0
    }
    const names = isWhole && lengths ? `, ${JSON.stringify(lengths.map(camelize))}` : ''
    prop.exp = { type: compound, loc: exp.loc, children: [call, exp, `${names})`] }
    addImport(`{ ${name} as _${name} }`, '@souk/runtime', exp.loc, context)
  }
}

/** Adds an import to the compiled template, once. */
function addImport(names: string, path: string, loc: SourceLocation, { imports }: TransformContext): void {
  if (imports.some((each) => each.path === path && (each.exp as SimpleExpressionNode).content === names)) return
  imports.push({ exp: expression(names, false, loc), path })
}
