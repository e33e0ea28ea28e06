import type { Platform } from '../diagnostic.ts'
import { platformObjects, platformValues, type SetValue } from '../model.ts'
import { type Node, type ObjectNode, valueAt } from '../parse/nodes.ts'
import { isAppPlusKey, platformObjectKeys } from '../rules/honored.ts'
import type { Shape } from '../rules/rule.ts'
import { countingShape, type PlatformAttribute } from './platformAttributes.ts'

/** An object that may set attributes. The first layer that sets an attribute wins. */
export type Layer = {
  readonly from: 'page' | 'globalStyle' | 'tabBar'
  readonly node: ObjectNode
  /** Path of the object from the style object; empty, or with a trailing dot. */
  readonly prefix: string
  readonly isInAppPlus: boolean
  /** Keys of the object that do not count in this layer. */
  readonly omits?: ReadonlySet<string>
}

/**
 * Returns the layers of a style on a platform: first the objects for the platform, whose page-style keys override those
 * of the style, then the style itself.
 */
export function styleLayers(from: Layer['from'], style: ObjectNode, platform: Platform): Layer[] {
  const layers: Layer[] = []
  for (const { key, node } of platformObjects(style, platform)) {
    if (key === '') continue
    layers.push({ from, node, prefix: `${key}.`, isInAppPlus: isAppPlusKey(key), omits: platformObjectKeys })
  }
  layers.push({ from, node: style, prefix: '', isInAppPlus: false })
  return layers
}

const noValues: never[] = []

/** Returns the values that a layer has for an attribute, nearest first; the key of a direct part is empty. */
export function valuesIn(
  { name, isAppPlusOnly }: PlatformAttribute,
  { node, omits, isInAppPlus }: Layer,
): readonly SetValue[] {
  if (omits?.has(name) || (isAppPlusOnly && !isInAppPlus)) return noValues
  if (name === 'h5') return platformValues(node, 'H5')
  if (name === 'app-plus') return platformValues(node, 'App')
  const value = valueAt(node, name)
  return value ? [{ key: name, value }] : noValues
}

/** A value of a valid type, with the layer and the key that set it. */
export type FoundValue = {
  readonly layer: Layer
  readonly value: Node
  readonly key: string
  readonly shape: Shape
}

/** Shared result for attributes that are not set, which are most. */
const none: FoundValue[] = []

/**
 * Finds the values of an attribute, first layer first. Values of a wrong type do not count. The search ends at the
 * first value that cannot be merged with those of later layers.
 */
export function findValues(attribute: PlatformAttribute, layers: readonly Layer[]): FoundValue[] {
  let found: FoundValue[] = none
  for (const layer of layers) {
    if (!worksIn(attribute, layer)) continue
    for (const { key, value } of valuesIn(attribute, layer)) {
      const shape = countingShape(attribute, value)
      if (shape === undefined) continue
      if (found === none) found = [{ layer, value, key, shape }]
      else found.push({ layer, value, key, shape })
      if (shape.is !== 'object' && shape.is !== 'map') return found
    }
  }
  return found
}

/** Returns whether an attribute works on the platform when this layer sets it. */
export function worksIn({ fromPage, fromGlobal }: PlatformAttribute, { from }: Layer): boolean {
  return from === 'page' ? fromPage : fromGlobal
}

/** Returns the layer for the attributes inside a found object. */
export function layerInside({ layer, value, key }: FoundValue): Layer {
  return {
    from: layer.from,
    node: value as ObjectNode,
    prefix: key === '' ? layer.prefix : `${layer.prefix}${key}.`,
    isInAppPlus: layer.isInAppPlus || (layer.prefix === '' && isAppPlusKey(key)),
  }
}
