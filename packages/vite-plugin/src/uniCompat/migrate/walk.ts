/** A name at an offset of a file, in UTF-16 code units. */
export interface Use {
  readonly name: string
  readonly offset: number
}

/** A node of a syntax tree, of a script (ESTree) or of an expression in a template (Babel). */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Visits every node with its parent, in the order of the text. Without recursion: scripts may be nested deeply. */
export function walk(root: SyntaxNode, visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void): void {
  const open: { node: SyntaxNode; parent: SyntaxNode | undefined }[] = [{ node: root, parent: undefined }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, parent } = next
    visit(node, parent)
    for (const child of childrenOf(node).reverse()) open.push({ node: child, parent: node })
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (const [key, value] of Object.entries(node)) {
    // Babel adds comments, positions and tokens to its nodes.
    if (key === 'loc' || key === 'extra' || key.endsWith('Comments')) continue
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) children.push(each)
  }
  return children
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value

/** Returns the name of an identifier. */
export const identifier = (value: unknown): string | undefined =>
  isNode(value) && value.type === 'Identifier' ? String(value.name) : undefined

/** Returns the value of a string literal. */
export const stringOf = (value: unknown): string | undefined =>
  isNode(value) && /^(?:String)?Literal$/.test(value.type) && typeof value.value === 'string' ? value.value : undefined

/** Returns the name of a property that is not computed, or computed from a literal. */
export function propertyName(node: SyntaxNode, key: 'key' | 'property'): string | undefined {
  const name = node[key]
  return node.computed ? stringOf(name) : (identifier(name) ?? stringOf(name))
}
