import type { Finding } from '../../diagnostic.ts'
import { bracketBalance, char, nextKey } from '../characters.ts'
import { isMissingKey, openBracket, shorten, singleEdit } from '../edits.ts'
import type { ListNode, ObjectNode, StringNode } from '../nodes.ts'
import type { ParserState } from '../state.ts'

// Not used as `char.comma`: V8 inlines constants of this module only, and these are compared for each character.
const { closeCurly } = char

export function brackets(state: ParserState) {
  state.balance ??= bracketBalance(state.text)
  return state.balance
}

export function reportMissingBracket(state: ParserState, sign: '{' | '[', at: number, what: string): void {
  state.report({
    code: 'syntax-bracket-missing',
    offset: at,
    length: 0,
    message: `Missing "${sign}" before ${what}.`,
    fix: singleEdit(`Insert "${sign}"`, at, 0, sign),
  })
}

/**
 * `"pages": { … }, { … }]` and `"pages": [{ … }], { … }]`: the value before is the beginning of a list, whose bracket
 * is missing or which is closed too early.
 */
export function reopenAsList(state: ParserState): boolean {
  const top = state.top
  const property = top?.kind === 'object' ? top.properties.at(-1) : undefined
  const balance = brackets(state)
  if (property === undefined || isMissingKey(property.key) || balance.square >= 0) return false
  const { value } = property
  if (value.kind === 'list') {
    reopen(state, value)
    return true
  }
  if (value.kind !== 'object' || !isAtKeyOf(state, value)) return false
  reportMissingBracket(state, '[', value.offset, 'this object')
  balance.square += 1
  const list: ListNode = { kind: 'list', offset: value.offset, end: value.end, items: [value] }
  property.value = list
  state.open.push(list)
  state.findingsBefore.push(-1)
  return true
}

/** Returns false if the object ahead starts with a key that `properties` lack: the two are not items of one list. */
function isAtKeyOf(state: ParserState, { properties }: ObjectNode): boolean {
  const key = /^\{\s{0,200}"([^"\\\r\n]{1,60})"\s{0,20}:/.exec(state.text.slice(state.pos, state.pos + 300))?.[1]
  return key === undefined || properties.some((property) => property.key.value === key)
}

/**
 * Continues inside a list or object whose closing bracket is superfluous. Returns what replaces it: objects are
 * copied, because other builds may share them.
 */
function reopen(state: ParserState, closed: ObjectNode | ListNode): ObjectNode | ListNode {
  const node = closed.kind === 'list' ? closed : ownCopy(state, closed)
  const sign = node.kind === 'list' ? ']' : '}'
  const at = node.end - 1
  state.report({
    code: 'syntax-bracket-extra',
    offset: at,
    length: 1,
    message: `This "${sign}" closes too early: remove it.`,
    fix: singleEdit(`Remove "${sign}"`, at, 1, ''),
  })
  if (node.kind === 'list') brackets(state).square += 1
  else brackets(state).curly += 1
  state.open.push(node)
  state.findingsBefore.push(-1)
  return node
}

/** Copies an object, but only once: one that is closed too early many times would take quadratic time. */
function ownCopy(state: ParserState, object: ObjectNode): ObjectNode {
  if (state.reopened.has(object)) return object
  const copy = { ...object, properties: object.properties.map((each) => ({ ...each })) }
  const keys = new Map(copy.properties.map(({ key }) => [key.value, key]))
  state.reopened.set(copy, { keys, count: copy.properties.length })
  return copy
}

/** `{ … }, "tabBar": …}`: the root is closed before its last key. */
export function reopenRoot(state: ParserState): boolean {
  const root = state.root!
  const balance = brackets(state)
  if (root.kind !== 'object' || balance.curly >= 0) return false
  const rest = /^,?\s{0,200}/.exec(state.text.slice(state.pos, state.pos + 201))![0]
  nextKey.lastIndex = state.pos + rest.length
  if (!nextKey.test(state.text)) return false
  state.root = reopen(state, root)
  state.expect = 'after'
  return true
}

/** `[{ "path": … }, "style": …}]`: the object before the key, which does not have it, is closed too early. */
export function reopenItem(state: ParserState, list: ListNode, key: StringNode): boolean {
  const item = list.items.at(-1)
  const isClosedEarly = brackets(state).curly < 0 && item?.kind === 'object' && !hasKey(state, item, key.value)
  if (isClosedEarly) list.items[list.items.length - 1] = reopen(state, item)
  return isClosedEarly
}

function hasKey(state: ParserState, object: ObjectNode, key: string): boolean {
  const reopened = state.reopened.get(object)
  return reopened ? reopened.keys.has(key) : object.properties.some((property) => property.key.value === key)
}

/** `"subPackages": ]`: the closing bracket of an empty value that was not opened. */
export function isEmptyValue(state: ParserState, code: number): boolean {
  if (state.pendingKey === undefined || state.expect !== 'value') return false
  return (code === closeCurly ? brackets(state).curly : brackets(state).square) < 0
}

/** Continues as if the opening bracket before the closing one were there. */
export function readUnopened(state: ParserState, kind: 'object' | 'list'): void {
  const at = state.pos
  state.pos = at + 1
  state.lastEnd = state.pos
  if (kind === 'object') {
    reportMissingBracket(state, '{', at, 'this "}"')
    brackets(state).curly += 1
    state.attach({ kind, offset: at, end: state.pos, properties: [] })
  } else {
    reportMissingBracket(state, '[', at, 'this "]"')
    brackets(state).square += 1
    state.attach({ kind, offset: at, end: state.pos, items: [] })
  }
}

/** Handles a bracket of the wrong kind if the text has too many of its kind: ignores it, or reads the other kind. */
export function isSuperfluous(state: ParserState, code: number): boolean {
  const at = state.pos
  const balance = brackets(state)
  const [kind, other] = code === closeCurly ? (['curly', 'square'] as const) : (['square', 'curly'] as const)
  const [sign, wanted] = code === closeCurly ? ['}', ']'] : [']', '}']
  if (balance[kind] >= 0) return false
  balance[kind] += 1
  state.pos += 1
  if (balance[other] <= 0) {
    reportUnopened(state, sign, at)
    return true
  }
  balance[other] -= 1
  state.report({
    code: 'syntax-bracket-wrong',
    offset: at,
    length: 1,
    message: `This "${sign}" closes a "${wanted === '}' ? '{' : '['}": write "${wanted}".`,
    fix: singleEdit(`Write "${wanted}"`, at, 1, wanted),
    related: [openBracket(state.top!)],
  })
  if (state.pendingKey) state.attachMissing()
  state.pop(state.pos)
  return true
}

export function reportUnopened(state: ParserState, sign: string, at: number, more: Pick<Finding, 'runs'> = {}): void {
  state.report({
    code: 'syntax-bracket-extra',
    offset: at,
    length: 1,
    message: `This "${sign}" has no opening bracket: remove it.`,
    fix: singleEdit(`Remove "${sign}"`, at, 1, ''),
    ...more,
  })
}

/** `{ … }, }, {` in a list: the second bracket is superfluous. */
export function isBetweenObjects(state: ParserState, code: number): boolean {
  const top = state.top!
  if (code !== closeCurly || top.kind !== 'list' || top.items.length === 0 || state.expect !== 'value') return false
  return /^\}\s*,\s*\{/.test(state.text.slice(state.pos, state.pos + 200))
}

export function reportExtra(state: ParserState, sign: string, at: number): void {
  const end = state.text.indexOf(',', at) + 1
  state.report({
    code: 'syntax-bracket-extra',
    offset: at,
    length: 1,
    message: `This "${sign}" has no opening bracket: remove it and its comma.`,
    fix: singleEdit(`Remove "${sign},"`, at, end - at, ''),
  })
  state.pos = end
}

/**
 * Returns where an object or list ends whose last token ends at `from`, and whose closing bracket is missing: before
 * `to` if there are comments between, since conditional ones may contain further items for other platforms.
 */
export function endBetween(state: ParserState, from: number, to: number): number {
  return state.text.slice(from, to).trim() === '' ? from : to
}

export function closeMissing(state: ParserState, before: string, at: number): void {
  const top = state.top!
  const sign = top.kind === 'object' ? '}' : ']'
  if (state.pendingKey) state.attachMissing()
  const place = before === '' ? 'at the end' : `before this "${before}"`
  state.report({
    code: 'syntax-bracket-open',
    offset: at,
    length: 0,
    message: `Missing "${sign}" ${place}.`,
    fix: singleEdit(`Insert "${sign}"`, at, 0, sign),
    related: [openBracket(top)],
  })
  state.pop(at)
}

export function closeAll(state: ParserState): void {
  while (state.open.length > 0) closeMissing(state, '', state.lastEnd)
}

export function reportRest(state: ParserState): void {
  const start = state.pos
  const rest = state.text.slice(start).trimEnd()
  const brackets = /^[\]}\s,]*$/.test(rest)
  // As after a statement of JavaScript.
  const isSemicolon = /^[;\s]*$/.test(rest)
  state.report({
    code: 'syntax-after-end',
    offset: start,
    length: rest.length,
    message: isSemicolon
      ? 'JSON has no semicolons: remove it.'
      : brackets
        ? `${shorten(rest)} after the end of the file's root value: remove it, or find a bracket above that closes too early.`
        : 'Only one root value is allowed, and what follows has no effect. A bracket above may close too early.',
    ...((brackets || isSemicolon) && { fix: singleEdit('Remove it', start, rest.length, '') }),
  })
  state.pos = state.text.length
}
