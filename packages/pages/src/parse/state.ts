import type { Finding } from '../diagnostic.ts'
import type { bracketBalance } from './characters.ts'
import { isMissingKey, shorten } from './edits.ts'
import type { ListNode, Node, ObjectNode, StringNode } from './nodes.ts'
import type { ObjectCache } from './objectCache.ts'

/** The next token inside the innermost open bracket. */
type Expectation = 'value' | 'key' | 'colon' | 'after'

/** What has been read so far: the tree with its open brackets, the findings, and the place in the text. */
export class ParserState {
  readonly text: string
  readonly cache: ObjectCache | undefined
  readonly findings: Finding[] = []
  /** The open brackets, outermost first. */
  readonly open: (ObjectNode | ListNode)[] = []
  /** The number of findings before each open bracket. */
  readonly findingsBefore: number[] = []
  /** Interned keys: there are few distinct ones, and identical strings compare faster. */
  readonly keys = new Map<string, string>()
  pos: number
  root: Node | undefined
  expect: Expectation = 'value'
  /** The end of the last token, where missing tokens are reported. */
  lastEnd: number
  /** The offset of the last comma between two items or keys. */
  lastComma = 0
  pendingKey: StringNode | undefined
  /** Objects that were closed too early, which are our own copies, with the keys that have been compared. */
  readonly reopened = new Map<ObjectNode, { readonly keys: Map<string, StringNode>; count: number }>()
  /** The offset of the last `-->`, which is only searched for once; -1 if there is none. */
  lastMarkupEnd: number | undefined
  /** The brackets of the whole text, counted when one seems to be missing. */
  balance: ReturnType<typeof bracketBalance> | undefined

  constructor(text: string, cache: ObjectCache | undefined) {
    this.text = text
    this.cache = cache
    this.pos = text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.lastEnd = this.pos
  }

  get top(): ObjectNode | ListNode | undefined {
    return this.open[this.open.length - 1]
  }

  /** The bracket around the innermost open one. */
  get parent(): ObjectNode | ListNode | undefined {
    return this.open[this.open.length - 2]
  }

  report(finding: Finding): void {
    this.findings.push(finding)
  }

  pop(end: number): void {
    const node = this.open.pop()!
    node.end = end
    if (node.kind === 'object') this.#findDuplicates(node)
    const hasNoFindings = this.findingsBefore.pop() === this.findings.length
    if (node.kind === 'object' && hasNoFindings) this.cache?.add(node, this.text, this.open.length)
    this.lastEnd = end
    this.pendingKey = undefined
    this.expect = 'after'
  }

  push(node: ObjectNode | ListNode): void {
    this.attach(node)
    this.open.push(node)
    this.findingsBefore.push(this.findings.length)
    this.expect = node.kind === 'object' ? 'key' : 'value'
  }

  /** Attaches a value that is missing to the key before it. */
  attachMissing(): void {
    const key = this.pendingKey!
    this.report({
      code: 'syntax-value-missing',
      offset: key.offset,
      length: key.end - key.offset,
      message: `"${shorten(key.value)}" has no value: add one, or remove the key.`,
    })
    this.attach({ kind: 'missing', offset: this.lastEnd, end: this.lastEnd })
  }

  attachLeaf(node: Node): void {
    this.attach(node)
    this.lastEnd = node.end
  }

  attach(node: Node): void {
    const top = this.top
    if (top === undefined) this.root ??= node
    else if (top.kind === 'list') top.items.push(node)
    else top.properties.push({ key: this.pendingKey!, value: node })
    this.pendingKey = undefined
    this.expect = 'after'
  }

  #findDuplicates(object: ObjectNode): void {
    const { properties } = object
    if (properties.length < 2) return
    const reopened = this.reopened.get(object)
    if (reopened === undefined && properties.length <= 8) {
      for (let later = 1; later < properties.length; later += 1) {
        for (let earlier = later - 1; earlier >= 0; earlier -= 1) {
          if (properties[earlier]!.key.value !== properties[later]!.key.value) continue
          this.#reportDuplicate(properties[earlier]!.key, properties[later]!.key)
          break
        }
      }
      return
    }
    const seen = reopened?.keys ?? new Map<string, StringNode>()
    for (let index = reopened?.count ?? 0; index < properties.length; index += 1) {
      const { key } = properties[index]!
      const earlier = seen.get(key.value)
      if (earlier) this.#reportDuplicate(earlier, key)
      seen.set(key.value, key)
    }
    if (reopened) reopened.count = properties.length
  }

  #reportDuplicate(earlier: StringNode, later: StringNode): void {
    if (isMissingKey(earlier)) return
    this.report({
      code: 'key-duplicate',
      offset: earlier.offset,
      length: earlier.end - earlier.offset,
      message: `"${shorten(earlier.value)}" is repeated below, so this one has no effect. Remove one of the two.`,
      related: [{ offset: later.offset, length: later.end - later.offset, message: 'This one takes effect.' }],
    })
  }
}
