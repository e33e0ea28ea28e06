import type { Node } from '../parse/nodes.ts'
import type { Shape } from './rule.ts'

const kinds: Readonly<Record<Shape['is'], Node['kind']>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  false: 'boolean',
  null: 'null',
  object: 'object',
  list: 'list',
  map: 'object',
}

/** Returns whether a value has the type of a shape. Its contents are not checked. */
export function fits(shape: Shape, value: Node): boolean {
  return kinds[shape.is] === value.kind && (shape.is !== 'false' || (value.kind === 'boolean' && !value.value))
}

/** Returns the first shape whose type the value has. */
export function shapeOf(shapes: readonly Shape[], value: Node): Shape | undefined {
  for (const shape of shapes) if (fits(shape, value)) return shape
  return undefined
}
