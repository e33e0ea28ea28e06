import type { ObjectNode } from './nodes.ts'

/**
 * Reuses parsed objects among the variants of a file, by offset. An object without errors that begins at the same
 * offset and has the same text in another variant parses to the same node in any context.
 */
export class ObjectCache {
  readonly #objects = new Map<number, { readonly node: ObjectNode; readonly text: string; readonly depth: number }>()

  /** `depth` is the number of brackets around the object. */
  add(node: ObjectNode, text: string, depth: number): void {
    this.#objects.set(node.offset, { node, text, depth })
  }

  find(offset: number, text: string, depth: number): ObjectNode | undefined {
    const cached = this.#objects.get(offset)
    // At a greater depth its contents could exceed the depth limit.
    if (cached === undefined || depth > cached.depth) return undefined
    const { end } = cached.node
    return text.slice(offset, end) === cached.text.slice(offset, end) ? cached.node : undefined
  }
}
