import type { Os } from '../conditional/builds.ts'
import { type Json, type JsonObject, type Node, setOwn, toJson } from '../parse/nodes.ts'
import { meaningOf } from '../rules/attributes.ts'
import type { TableId } from '../rules/rule.ts'
import { fits } from '../rules/shape.ts'
import { computedDefault, isDecidedByStyle } from './computedDefaults.ts'
import { type FoundValue, findValues, type Layer, layerInside, worksIn } from './layers.ts'
import { type NavigationBar, objectsIn } from './navigationBar.ts'
import {
  countingShape,
  type PlatformAttribute,
  type PlatformTarget,
  platformAttributes,
  type TableAttributes,
} from './platformAttributes.ts'
import { candidatesFor, type ProvenanceRecorder, recordProvenance } from './provenance.ts'

export type ResolveContext = PlatformTarget &
  ProvenanceRecorder & {
    readonly os: Os
    /** globalStyle, the last layers of every page. */
    readonly globalLayers: readonly Layer[]
    /** Cache: what every page inherits, without provenance. */
    readonly inherited: Map<TableId, Inherited>
    /** The bar of the page under resolution, if it has a titleNView. */
    readonly bar: NavigationBar | undefined
    /** False where pages have no `backgroundColor` of their own: on H5 in projects of uni-app (ADR 316). */
    readonly hasBackground: boolean
  }

/**
 * Values that all objects of a table start with: the fixed defaults and, for pages, the plain values of globalStyle.
 */
type Inherited = {
  readonly values: Readonly<JsonObject>
  /** The layers that `values` already contains. */
  readonly layers: readonly Layer[]
  /** Attributes that the layers set to objects or lists. */
  readonly objects: readonly PlatformAttribute[]
}

/** An object under resolution. */
type Target = {
  readonly context: ResolveContext
  readonly attributes: TableAttributes
  readonly layers: readonly Layer[]
  /** Path of the object in the resolved style; empty for the style itself. */
  readonly path: string
  /** The values so far. */
  readonly values: JsonObject
  /** The resolved object around this one. */
  readonly parent: JsonObject | undefined
}

/**
 * Resolves an object: each attribute that works on the platform gets the value of the first layer that sets it to a
 * valid type, or its default. Objects are merged key by key, lists are not. `parent` is the resolved object around it.
 */
export function resolveObject(
  context: ResolveContext,
  table: TableId,
  layers: readonly Layer[],
  path = '',
  parent?: JsonObject,
): JsonObject {
  const attributes = platformAttributes(context, table)
  const inherited = context.provenance ? undefined : inheritedValues(context, attributes, table)
  const values: JsonObject = inherited ? { ...inherited.values } : {}
  const target = { context, attributes, layers, path, values, parent }
  if (inherited) resolveWithoutProvenance(target, inherited)
  else resolveWithProvenance(target)
  if (attributes.appPlusOnly.size > 0) resolveAppPlusOnly(target)
  return values
}

/** Computes defaults after all values that they depend on, but before the objects inside, which depend on them. */
function resolveWithProvenance(target: Target): void {
  const { own, computed } = target.attributes
  for (const attribute of own) if (!attribute.holdsObjects) resolveAttribute(target, attribute)
  for (const attribute of computed)
    if (isComputed(target, attribute)) setDefault(target, attribute, pathOf(target, attribute))
  for (const attribute of own) if (attribute.holdsObjects) resolveAttribute(target, attribute)
}

/** Returns whether the value of an attribute is computed: nothing sets it, or a nearer key of the style does. */
const isComputed = ({ context, values }: Target, { rule, name }: PlatformAttribute): boolean =>
  !Object.hasOwn(values, name) || isDecidedByStyle(rule, context.bar)

/** Resolves one attribute: looks its value up, falls back to the default, and builds the value by its shape. */
function resolveAttribute(target: Target, attribute: PlatformAttribute): void {
  const { context, layers, values } = target
  const found = findValues(attribute, layers)
  const winner = found[0]
  const path = pathOf(target, attribute)
  context.trace?.set(path, candidatesFor(context, attribute, layers, winner))
  if (winner === undefined) {
    // Without provenance the values start with the defaults.
    if (context.provenance && !attribute.rule.row.computed) setDefault(target, attribute, path)
    return
  }
  recordProvenance(context, attribute, path, winner)
  if (winner.shape.is === 'object' && attribute.shapes[0]!.is !== 'list') {
    const inner = objectsIn(found).map(layerInside)
    values[attribute.name] = resolveObject(context, winner.shape.of, inner, path, values)
  } else if (winner.shape.is === 'map') {
    values[attribute.name] = mergeMaps(context, attribute, path, found)
  } else {
    values[attribute.name] = ownValue(target, attribute, path, winner)
  }
}

function pathOf({ context, path }: Target, { name }: PlatformAttribute): string {
  return context.provenance === undefined || path === '' ? name : `${path}.${name}`
}

function setDefault(
  { context, values, parent }: Target,
  { rule, name, shapes }: PlatformAttribute,
  path: string,
): void {
  const origin = { from: 'default', section: rule.section } as const
  const [shape] = shapes
  if (rule.row.namespace && shape?.is === 'object') {
    context.provenance![path] = origin
    values[name] = resolveObject(context, shape.of, [], path, values)
    return
  }
  const { os, bar, provenance } = context
  const { value, source } = rule.row.computed
    ? computedDefault(rule, { os, values, parent, bar })
    : { value: rule.default }
  if (value === undefined) return
  values[name] = value
  provenance![path] = (source === undefined ? undefined : provenance![source]) ?? origin
}

/** Merges maps such as `usingComponents`: globalStyle registers its components for every page. */
function mergeMaps(
  context: ResolveContext,
  attribute: PlatformAttribute,
  path: string,
  found: readonly FoundValue[],
): JsonObject {
  const merged: JsonObject = {}
  for (const { layer, value, key } of found) {
    if (value.kind !== 'object') continue
    // Within one layer the last of two equal keys counts, among layers the first.
    const own: JsonObject = {}
    for (const {
      key: { value: name },
      value: inner,
    } of value.properties) {
      if (inner.kind === 'missing' || Object.hasOwn(merged, name)) continue
      setOwn(own, name, toJson(inner))
      recordProvenance(context, attribute, `${path}.${name}`, { layer, value: inner, key: `${key}.${name}` })
    }
    for (const name of Object.keys(own)) setOwn(merged, name, own[name]!)
  }
  return merged
}

/** Returns the value of one layer; the objects in a list are resolved one by one. */
function ownValue({ context, values }: Target, attribute: PlatformAttribute, path: string, found: FoundValue): Json {
  const { layer, value, shape, key } = found
  const items = value.kind === 'list' ? value.items : value.kind === 'object' ? [value] : undefined
  const itemShape = shape.is === 'list' ? shape.of : shape
  if (items === undefined || itemShape.is !== 'object') return meaningOf(attribute.rule, toJson(value))
  return items
    .filter((item) => fits(itemShape, item))
    .map((item, index) => {
      const suffix = context.provenance ? `[${index}]` : ''
      const foundItem = { layer, value: item, key: key + suffix, shape: itemShape }
      recordProvenance(context, attribute, path + suffix, foundItem)
      return resolveObject(context, itemShape.of, [layerInside(foundItem)], path + suffix, values)
    })
}

/** Adds the attributes of `app-plus` that count on H5 although the H5 object does not have them (pages-json §2.10). */
function resolveAppPlusOnly(target: Target): void {
  const { context, attributes, layers } = target
  const written = layers.flatMap(({ node, isInAppPlus }) =>
    isInAppPlus ? node.properties.map(({ key }) => key.value) : [],
  )
  for (const attribute of attributes.appPlusOnly.values()) {
    if (context.provenance || written.includes(attribute.name)) resolveAttribute(target, attribute)
  }
}

// --- without provenance ----------------------------------------------------------------------------------------------

/**
 * Computes the same values as `resolveAttribute` for every attribute, several times faster: the values start with what
 * is inherited, and only keys that the layers contain are looked at. Later layers are applied first, so that earlier
 * ones win.
 */
function resolveWithoutProvenance(target: Target, inherited: Inherited): void {
  const { context, attributes, layers, values, parent } = target
  const objects = [...inherited.objects]
  for (let index = layers.length - 1; index >= 0; index -= 1) {
    const layer = layers[index]!
    if (!inherited.layers.includes(layer)) setPlainValues(target, layer, objects)
  }
  const surroundings = { os: context.os, values, parent, bar: context.bar }
  for (const attribute of attributes.computed) {
    const { rule, name } = attribute
    const value = isComputed(target, attribute) ? computedDefault(rule, surroundings).value : undefined
    if (value !== undefined) values[name] = value
  }
  for (const attribute of objects) resolveAttribute(target, attribute)
  for (const { name, shapes } of attributes.namespaces) {
    const [shape] = shapes
    if (shape?.is === 'object' && !Object.hasOwn(values, name)) {
      values[name] = resolveObject(context, shape.of, [], '', values)
    }
  }
}

function inheritedValues(context: ResolveContext, attributes: TableAttributes, table: TableId): Inherited {
  const cached = context.inherited.get(table)
  if (cached) return cached
  const layers = table === 'pageStyle' ? context.globalLayers : []
  const values = { ...attributes.defaults }
  const objects: PlatformAttribute[] = []
  const target = { context, attributes, layers, path: '', values, parent: undefined }
  for (const layer of layers.toReversed()) setPlainValues(target, layer, objects)
  const inherited = { values, layers, objects }
  context.inherited.set(table, inherited)
  return inherited
}

/** Sets the plain values of a layer, and adds the attributes that it sets to objects or lists to `objects`. */
function setPlainValues(target: Target, layer: Layer, objects: PlatformAttribute[]): void {
  const { attributes, values } = target
  for (const { key, value } of layer.node.properties) {
    const attribute = attributes.byKey.get(key.value)
    if (attribute === undefined || layer.omits?.has(key.value)) continue
    if (attribute.holdsObjects) {
      if (!objects.includes(attribute)) objects.push(attribute)
    } else if (worksIn(attribute, layer)) {
      if (isPlain(value) && countingShape(attribute, value))
        values[attribute.name] = meaningOf(attribute.rule, value.value)
      else replaceInvalid(target, attribute)
    }
  }
}

const isPlain = (node: Node): node is Extract<Node, { value: Json }> =>
  node.kind === 'string' || node.kind === 'boolean' || node.kind === 'number' || node.kind === 'null'

/** Replaces a value of a wrong type, and earlier ones under the same key, by those of other layers. */
function replaceInvalid(target: Target, attribute: PlatformAttribute): void {
  const { name } = attribute
  const { defaults } = target.attributes
  if (Object.hasOwn(defaults, name)) target.values[name] = defaults[name]!
  else delete target.values[name]
  resolveAttribute(target, attribute)
}
