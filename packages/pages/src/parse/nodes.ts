/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/** `offset` counts UTF-16 code units from 0; `end` is exclusive. */
type Span = { readonly offset: number; end: number }

export type ObjectNode = Span & { readonly kind: 'object'; readonly properties: Property[] }
export type ListNode = Span & { readonly kind: 'list'; readonly items: Node[] }
/** `value` is unescaped. `written` is what the file says, if the value is derived from it. */
export type StringNode = Span & { readonly kind: 'string'; readonly value: string; readonly written?: string }
type NumberNode = Span & { readonly kind: 'number'; readonly value: number }
type BooleanNode = Span & { readonly kind: 'boolean'; readonly value: boolean }
type NullNode = Span & { readonly kind: 'null'; readonly value: null }
/** Placeholder of zero length for a missing value. */
type MissingNode = Span & { readonly kind: 'missing' }

export type Node = ObjectNode | ListNode | StringNode | NumberNode | BooleanNode | NullNode | MissingNode

export type Property = { readonly key: StringNode; value: Node }

/** Returns the property of a key. Of duplicates the last one counts, as in `JSON.parse`. */
export function propertyOf(node: Node | undefined, key: string): Property | undefined {
  if (node?.kind !== 'object') return undefined
  for (let index = node.properties.length - 1; index >= 0; index -= 1) {
    const property = node.properties[index]!
    if (property.key.value === key) return property
  }
  return undefined
}

/** Returns the value of a key; undefined if there is none, or nothing follows the colon. */
export function valueAt(node: Node | undefined, key: string): Node | undefined {
  const value = propertyOf(node, key)?.value
  return value?.kind === 'missing' ? undefined : value
}

/** Returns the string of a key; undefined if there is none or the value has another type. */
export function textOf(node: Node | undefined, key: string): StringNode | undefined {
  const value = propertyOf(node, key)?.value
  return value?.kind === 'string' ? value : undefined
}

/** Returns the items of the array of a key; empty if there is none. */
export function itemsOf(node: Node | undefined, key: string): readonly Node[] {
  const value = propertyOf(node, key)?.value
  return value?.kind === 'list' ? value.items : []
}

/**
 * Converts a node to a plain value; missing values become null. Recursion is safe, because the parser limits the depth.
 */
export function toJson(node: Node): Json {
  switch (node.kind) {
    case 'missing':
      return null
    case 'list':
      return node.items.map(toJson)
    case 'object': {
      const plain: { [key: string]: Json } = {}
      for (const { key, value } of node.properties) setOwn(plain, key.value, toJson(value))
      return plain
    }
    default:
      return node.value
  }
}

/** Sets an own property, even for the key `__proto__`. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}

/** Returns the value if it is an object. */
export const asObject = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
