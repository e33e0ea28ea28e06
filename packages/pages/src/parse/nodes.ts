/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** `offset` counts UTF-16 code units from 0; `end` is the offset behind the last one. */
type Span = { readonly offset: number; end: number }

export type ObjectNode = Span & { readonly kind: 'object'; readonly properties: Property[] }
export type ListNode = Span & { readonly kind: 'list'; readonly items: Node[] }
/** `value` is what the text says once its escapes are read. */
export type StringNode = Span & { readonly kind: 'string'; readonly value: string }
type NumberNode = Span & { readonly kind: 'number'; readonly value: number }
type BooleanNode = Span & { readonly kind: 'boolean'; readonly value: boolean }
type NullNode = Span & { readonly kind: 'null'; readonly value: null }
/** Stands where a value belongs and none is written; it has no length. */
type MissingNode = Span & { readonly kind: 'missing' }

export type Node = ObjectNode | ListNode | StringNode | NumberNode | BooleanNode | NullNode | MissingNode

/** Spans from the start of the key to the end of the value. */
export type Property = { readonly key: StringNode; value: Node }

/** The property that counts for `key`: the last one, as in JSON. */
export function propertyOf(node: Node | undefined, key: string): Property | undefined {
  if (node?.kind !== 'object') return undefined
  for (let index = node.properties.length - 1; index >= 0; index -= 1) {
    const property = node.properties[index]!
    if (property.key.value === key) return property
  }
  return undefined
}

/** The value under `key`; undefined also where nothing is written behind the colon. */
export function valueAt(node: Node | undefined, key: string): Node | undefined {
  const value = propertyOf(node, key)?.value
  return value?.kind === 'missing' ? undefined : value
}

/** The text under `key`; undefined where there is none or it is no text. */
export function textOf(node: Node | undefined, key: string): StringNode | undefined {
  const value = propertyOf(node, key)?.value
  return value?.kind === 'string' ? value : undefined
}

/** The items under `key`; none where there is no list. */
export function itemsOf(node: Node | undefined, key: string): readonly Node[] {
  const value = propertyOf(node, key)?.value
  return value?.kind === 'list' ? value.items : []
}

/** The plain value of a node; missing values become null. Recursive: the parser bounds the depth. */
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

/** Sets a property of its own also where the key is `__proto__`. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}
