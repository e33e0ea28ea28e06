import { contrast, readColor } from '../colors.ts'
import type { Finding } from '../diagnostic.ts'
import { objectOf, platformObjects } from '../model.ts'
import { type Node, type ObjectNode, type Property, toJson, valueAt } from '../parse/nodes.ts'
import { type Attribute, attributesOf, compareVersions, isEssential, meaningOf } from '../rules/attributes.ts'
import { attributeFor, directKeys, isAppPlusKey, isPlatformKey } from '../rules/honored.ts'
import type { OnlyIf, Shape, TableId } from '../rules/rule.ts'
import { fits, shapeOf } from '../rules/shape.ts'
import { codes } from './codes.ts'
import { at, type Context } from './context.ts'
import { checkRequired, reportUnknownKeys } from './keys.ts'
import { checkFormat } from './textFormats.ts'
import { quotedChoice, reportType } from './valueTypes.ts'

/** An object of the file, with the objects that it inherits values from (nearest first) and the object around it. */
type Scope = {
  readonly node: ObjectNode
  readonly table: TableId
  readonly inherited: readonly ObjectNode[]
  readonly parent: Scope | undefined
}

/**
 * Checks every object of the file against its table: types, values, unknown and missing keys, platforms, versions and
 * conditions.
 */
export function checkAttributes(context: Context): void {
  const { root } = context
  if (root === undefined || root.kind === 'missing') return
  if (root.kind === 'object') checkObject(context, { node: root, table: 'top', inherited: [], parent: undefined })
  else reportType(context, root, { name: 'The file', shapes: [{ is: 'object', of: 'top' }], section: '2.1' })
}

function checkObject(context: Context, scope: Scope): void {
  const { node, table } = scope
  const attributes = attributesOf(table)
  let unknown: Property[] | undefined
  for (const property of node.properties) {
    const attribute = attributes.get(property.key.value)
    if (attribute) {
      checkAttribute(context, scope, property, attribute)
      continue
    }
    if (unknown) unknown.push(property)
    else unknown = [property]
    const alias = attributeFor(table, property.key.value)
    if (alias) checkAttribute(table === 'top' ? context : withoutErrors(context), scope, property, alias)
  }
  if (unknown) reportUnknownKeys(context, scope, unknown)
  checkRequired(context, scope)
}

/** Downgrades errors for values under keys that pages-json does not define: invalid ones are ignored. */
const withoutErrors = (context: Context): Context => ({
  ...context,
  report(finding, affected) {
    const isError = codes[finding.code][0] === 'error'
    context.report(isError ? { ...finding, code: 'value-unknown' } : finding, affected)
  },
})

function checkAttribute(context: Context, scope: Scope, property: Property, attribute: Attribute): void {
  const { value } = property
  // The parts of `app-plus` are checked one by one, because some of them count on H5 too (pages-json §2.10).
  if (attribute.platforms.length < 3 && !attribute.row.namespace && !isDefault(attribute, value))
    context.reportPlatform(property, attribute.platforms, attribute.section)
  if (context.hasTargets) checkVersion(context, property, attribute)
  if (attribute.row.onlyIf) checkOnlyIf(context, scope, property, attribute, attribute.row.onlyIf)
  if (value.kind === 'missing') return
  const shape = shapeOf(attribute.shapes, value)
  if (shape) checkValue(checkBuild(context, property, attribute), scope, attribute, shape, value)
  else reportType(context, value, { ...attribute, name: `"${attribute.name}"`, runs: !isEssential(attribute) })
}

/**
 * Reports an attribute that the build drops. Returns the context for its contents, which are dropped with it; objects
 * such as `h5` name the platforms that they are for.
 */
function checkBuild(context: Context, { key, value }: Property, attribute: Attribute): Context {
  const { build } = context
  const { name, section, platforms, otherValuesSince, shapes } = attribute
  if (build === undefined) return context
  const report = (what: string, works: readonly string[]) => {
    const message = `${what} has no effect on ${build}: it works on ${works.join(' and ')} (pages-json §${section}).`
    context.report({ code: 'key-platform', ...at(key), message }, [build])
  }
  if (!platforms.includes(build)) {
    if (!isPlatformKey(key.value) && !isDefault(attribute, value)) report(`"${name}"`, platforms)
    return { ...context, build: undefined }
  }
  const others = Object.keys(otherValuesSince)
  const [shape] = shapes
  const isOther = value.kind === 'string' && shape?.is === 'text' && shape.values?.includes(value.value) === false
  if (isOther && others.length > 0 && !others.includes(build)) report(`This value of "${name}"`, others)
  return context
}

// --- values ----------------------------------------------------------------------------------------------------------

function checkValue(context: Context, scope: Scope, attribute: Attribute, shape: Shape, value: Node): void {
  const { name, section } = attribute
  if (shape.is === 'object' && value.kind === 'object') {
    checkObject(context, { node: value, table: shape.of, inherited: inheritedBy(context, scope, name), parent: scope })
  } else if (shape.is === 'list' && value.kind === 'list') {
    for (const item of value.items) checkItem(context, scope, attribute, shape.of, item)
  } else if (shape.is === 'map' && value.kind === 'object') {
    for (const { key, value: inner } of value.properties) {
      if (inner.kind !== 'missing' && !fits(shape.of, inner)) {
        const named = `"${key.value}" in "${name}"`
        reportType(context, inner, { name: named, shapes: [shape.of], section, runs: true })
      }
    }
  } else if (shape.is === 'number' && value.kind === 'number') {
    checkNumber(context, attribute, shape, value.value, value)
  } else if (shape.is === 'text' && value.kind === 'string') {
    checkText(context, attribute, shape, value.value, value)
  }
}

function checkItem(context: Context, scope: Scope, attribute: Attribute, shape: Shape, item: Node): void {
  if (!fits(shape, item)) {
    const { name, section } = attribute
    const typed = { name: `An item of "${name}"`, shapes: [shape], section, runs: !isEssential(attribute) }
    if (item.kind !== 'missing') reportType(context, item, typed)
  } else if (shape.is === 'object' && item.kind === 'object') {
    const itemContext = shape.of === 'page' ? context.contextOf(item) : context
    if (itemContext) checkObject(itemContext, { node: item, table: shape.of, inherited: [], parent: scope })
  }
}

/**
 * Returns the objects that the object under `name` inherits from: `h5` overrides `app-plus`, and a page overrides
 * globalStyle (pages-json §2.10).
 */
function inheritedBy({ model }: Context, { node, table, inherited }: Scope, name: string): readonly ObjectNode[] {
  if (table === 'page' && name === 'style') return model.globalStyle ? [model.globalStyle] : []
  const isStyle = table === 'pageStyle' || table === 'globalStyle'
  if (isStyle && directKeys.has(name)) {
    const others = inherited.flatMap((style) => platformObjects(style, 'App'))
    return others.flatMap((each) => objectOf(each.node, name) ?? [])
  }
  if (!isStyle || !isPlatformKey(name)) return inherited.flatMap((each) => objectOf(each, name) ?? [])
  const platform = isAppPlusKey(name) ? 'App' : 'H5'
  const objects = [node, ...inherited].flatMap((style) => platformObjects(style, platform))
  return objects.flatMap((each) => (each.node === objectOf(node, name) ? [] : [each.node]))
}

function checkNumber(
  context: Context,
  { name, section }: Attribute,
  { integer, min }: { integer?: true; min?: number },
  number: number,
  value: Node,
): void {
  if ((!integer || Number.isInteger(number)) && (min === undefined || number >= min)) return
  const expected = `${integer ? 'an integer' : 'a number'}${min === undefined ? '' : ` of at least ${min}`}`
  context.report({
    code: 'value-range',
    ...at(value),
    message: `"${name}" takes ${expected} (pages-json §${section}).`,
  })
}

function checkText(
  context: Context,
  attribute: Attribute,
  { format, values, open }: Shape & { is: 'text' },
  text: string,
  value: Node,
): void {
  const { name, section } = attribute
  // Templates use an empty string for "not set".
  if (format && (text !== '' || attribute.row.required) && meaningOf(attribute, text) !== attribute.default) {
    const problem = checkFormat(format, text, `"${name}"`)
    const better = problem?.better
    const fix = better && { title: `Write "${better}"`, edits: [{ ...at(value), text: JSON.stringify(better) }] }
    if (problem) context.report({ code: problem.code, ...at(value), message: problem.message, ...(fix && { fix }) })
  }
  if (values === undefined || format === 'borderColor' || values.includes(text)) return
  const shown = text.slice(0, 60)
  if (open) {
    const message = `pages-json §${section} only defines ${quotedChoice(values)} for "${name}"; the effect of "${shown}" is undefined.`
    context.report({ code: 'value-undocumented', ...at(value), message })
    return
  }
  const suggestion = context.suggest(text, new Set(values)) ?? nearestShade(values, text)
  const hint = suggestion ? ` Did you mean "${suggestion}"?` : ''
  const message = `"${shown}" is not a valid value of "${name}", which takes ${quotedChoice(values)} (pages-json §${section}).${hint}`
  const fix = suggestion && {
    title: `Write "${suggestion}"`,
    edits: [{ ...at(value), text: JSON.stringify(suggestion) }],
  }
  context.report({ code: 'value-unknown', ...at(value), message, ...(fix && { fix }) })
}

/** Suggests black or white for a color where only these two are allowed. */
function nearestShade(values: readonly string[], text: string): string | undefined {
  const color = values.includes('black') && values.includes('white') ? readColor(text) : undefined
  if (color === undefined) return undefined
  return contrast(color, readColor('black')!) > contrast(color, readColor('white')!) ? 'white' : 'black'
}

// --- versions and conditions -----------------------------------------------------------------------------------------

function checkVersion(
  context: Context,
  { key, value }: Property,
  { name, since, otherValuesSince, shapes }: Attribute,
): void {
  const initial = shapes.flatMap((shape) => (shape.is === 'text' ? (shape.values ?? []) : []))
  const isOther = value.kind === 'string' && !initial.includes(value.value)
  for (const platform of context.platforms) {
    const target = context.targets[platform]
    const needed = since[platform] ?? (isOther ? otherValuesSince[platform] : undefined)
    if (needed === undefined || target === undefined || compareVersions(target, needed) >= 0) continue
    const what = since[platform] === undefined ? `This value of "${name}"` : `"${name}"`
    const message = `${what} requires ${platform} ${needed}; it has no effect in the target version ${target}.`
    context.report({ code: 'key-too-new', ...at(key), message }, [platform])
  }
}

/** Reports an attribute that has no effect, because the attribute that it depends on has another value. */
function checkOnlyIf(
  context: Context,
  scope: Scope,
  { key, value }: Property,
  attribute: Attribute,
  onlyIf: OnlyIf,
): void {
  const { name, section } = attribute
  const owner = onlyIf.of === 'self' ? scope : scope.parent
  // An invalid value is reported itself.
  if (owner === undefined || value.kind === 'missing' || isNothing(value) || !isValid(attribute, value)) return
  const dependency = [owner.node, ...owner.inherited]
    .map((node) => valueAt(node, onlyIf.key))
    .find((node) => node !== undefined)
  const found = dependency === undefined ? onlyIf.unset : toJson(dependency)
  if (found === undefined || onlyIf.values.includes(found)) return
  // The same holds for the value that it depends on: the intended one is not known.
  if (dependency && !isValid(attributesOf(owner.table).get(onlyIf.key), dependency)) return
  // Pages may set what globalStyle leaves out.
  if (dependency === undefined && isInGlobalStyle(scope)) return
  // A bar of type default that `transparentTitle` fades in uses it too (pages-json §3.5).
  if (name === 'coverage' && found === 'default' && isFadedIn(scope)) return
  const expected = onlyIf.values.map((each) => JSON.stringify(each)).join(' or ')
  const actual =
    dependency === undefined && found === ''
      ? 'it is not set'
      : `it is ${JSON.stringify(found)}${dependency === undefined ? ' by default' : ''}`
  // On H5 the style is always circle (pages-json §2.10).
  const isCircle = scope.table === 'pullToRefresh' && onlyIf.key === 'style' && onlyIf.values.includes('circle')
  const affected = isCircle ? context.platforms.filter((platform) => platform !== 'H5') : context.platforms
  const finding: Finding = {
    code: 'key-no-effect',
    ...at(key),
    message: `"${name}" has no effect: it only applies if "${onlyIf.key}" is ${expected} (pages-json §${section}), but ${actual}.`,
    ...(dependency && { related: [{ ...at(dependency), message: `"${onlyIf.key}" is set here.` }] }),
  }
  context.report(finding, affected)
}

/** Returns whether a value asks for nothing, so that an attribute without effect does no harm. */
const isNothing = (value: Node): boolean => value.kind === 'string' && (value.value === 'none' || value.value === '0px')

const isDefault = (attribute: Attribute, value: Node): boolean =>
  value.kind !== 'object' &&
  value.kind !== 'list' &&
  value.kind !== 'missing' &&
  meaningOf(attribute, value.value) === attribute.default

/** Returns whether the style around an object has the `transparentTitle` `auto`. */
function isFadedIn({ node, inherited, parent }: Scope): boolean {
  const value = [node, ...inherited].map((each) => valueAt(each, 'transparentTitle')).find((each) => each !== undefined)
  if (value === undefined) return parent !== undefined && isFadedIn(parent)
  return value.kind === 'string' && value.value === 'auto'
}

const isInGlobalStyle = ({ table, parent }: Scope): boolean =>
  table === 'globalStyle' || (parent !== undefined && isInGlobalStyle(parent))

function isValid(attribute: Attribute | undefined, value: Node): boolean {
  const shape = attribute && shapeOf(attribute.shapes, value)
  if (shape?.is !== 'text' || value.kind !== 'string') return shape !== undefined
  return shape.values === undefined || shape.values.includes(value.value)
}
