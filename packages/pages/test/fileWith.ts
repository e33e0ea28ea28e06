import type { Json, JsonObject } from '../src/parse/nodes.ts'
import { attributesOf } from '../src/rules/attributes.ts'
import { pathTo } from '../src/rules/misplacedKeys.ts'
import type { Shape, TableId } from '../src/rules/rule.ts'

const objectIn = (shape: Shape): TableId | undefined =>
  shape.is === 'object' ? shape.of : shape.is === 'list' ? objectIn(shape.of) : undefined

/** Returns a pages.json whose first object of a table is `object`, in an object with the keys of `parent`. */
export function fileWith(table: TableId, object: JsonObject, parent: JsonObject = {}): string {
  const place = (from: TableId, keys: readonly string[]): JsonObject => {
    const [key, ...rest] = keys
    if (key === undefined) return object
    const shape = attributesOf(from)
      .get(key)!
      .shapes.find((each) => objectIn(each))!
    const inner = place(objectIn(shape)!, rest)
    return { ...(rest.length === 0 && parent), [key]: shape.is === 'list' ? [inner] : inner }
  }
  return JSON.stringify(place('top', pathTo('top', table) ?? []))
}

/** Returns a value of a shape, which is neither empty nor a default. */
export function sampleOf(shape: Shape): Json {
  switch (shape.is) {
    case 'text':
      return shape.values?.at(-1) ?? 'x'
    case 'number':
      return 7
    case 'boolean':
      return true
    case 'false':
      return false
    case 'null':
      return null
    case 'list':
      return []
    default:
      return {}
  }
}
