import type { ObjectNode } from './nodes.ts'

/**
 * The faultless objects of texts that are alike but for some places, by their offsets. Where such an object begins at the same offset in another
 * of these texts, and everything up to its end is the same, it is the same object: without a fault nothing around it has a say in how it is read.
 */
export class ObjectCache {
  readonly #objects = new Map<number, { readonly node: ObjectNode; readonly text: string; readonly depth: number }>()

  /** `depth` is the number of brackets around it. */
  add(node: ObjectNode, text: string, depth: number): void {
    this.#objects.set(node.offset, { node, text, depth })
  }

  /** Further inside, what was read may be too deep to be read. */
  find(offset: number, text: string, depth: number): ObjectNode | undefined {
    const known = this.#objects.get(offset)
    if (known === undefined || depth > known.depth) return undefined
    const { end } = known.node
    return text.slice(offset, end) === known.text.slice(offset, end) ? known.node : undefined
  }
}
