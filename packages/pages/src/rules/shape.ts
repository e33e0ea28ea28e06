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

/** Whether a value is of a shape's type; what it says is another question. */
export function fits(shape: Shape, value: Node): boolean {
  return kinds[shape.is] === value.kind && (shape.is !== 'false' || (value.kind === 'boolean' && !value.value))
}

/** The shape that a value has the type of. */
export function shapeOf(shapes: readonly Shape[], value: Node): Shape | undefined {
  for (const shape of shapes) if (fits(shape, value)) return shape
  return undefined
}
