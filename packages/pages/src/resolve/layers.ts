import { type Node, type ObjectNode, valueAt } from '../parse/nodes.ts'
import type { Shape } from '../rules/rule.ts'
import { shapeOf } from '../rules/shape.ts'
import type { PlatformAttribute } from './platformAttributes.ts'

/** An object that may set attributes. The first layer that sets an attribute wins. */
export type Layer = {
  readonly from: 'page' | 'globalStyle' | 'tabBar'
  readonly node: ObjectNode
  /** Path of the object from the style object; empty, or with a trailing dot. */
  readonly prefix: string
  readonly isInAppPlus: boolean
}

/** A value of a valid type, with the layer and the key that set it. */
export type FoundValue = {
  readonly layer: Layer
  readonly value: Node
  readonly key: string
  readonly shape: Shape
}

/** Most attributes are not set anywhere. */
const none: FoundValue[] = []

/**
 * Finds the values of an attribute, first layer first. Values of a wrong type do not count. The search ends at the
 * first value that cannot be merged with those of later layers.
 */
export function findValues(attribute: PlatformAttribute, layers: readonly Layer[]): FoundValue[] {
  const { name, shapes, isAppPlusOnly } = attribute
  let found: FoundValue[] = none
  for (const layer of layers) {
    if (!worksIn(attribute, layer) || (isAppPlusOnly && !layer.isInAppPlus)) continue
    // On H5, `app-plus` of a layer counts after its `h5` (pages-json §2.10).
    for (let key = name; ; key = 'app-plus') {
      const value = valueAt(layer.node, key)
      const shape = value && shapeOf(shapes, value)
      if (value && shape) {
        if (found === none) found = [{ layer, value, key, shape }]
        else found.push({ layer, value, key, shape })
        if (shape.is !== 'object' && shape.is !== 'map') return found
      }
      if (key !== 'h5') break
    }
  }
  return found
}

/** Tells whether an attribute works on the platform when this layer sets it. */
export function worksIn({ fromPage, fromGlobal }: PlatformAttribute, { from }: Layer): boolean {
  return from === 'page' ? fromPage : fromGlobal
}

/** Returns the layer for the attributes inside a found object. */
export function layerInside({ layer, value, key }: FoundValue): Layer {
  return {
    from: layer.from,
    node: value as ObjectNode,
    prefix: `${layer.prefix}${key}.`,
    isInAppPlus: layer.isInAppPlus || (layer.prefix === '' && key === 'app-plus'),
  }
}
