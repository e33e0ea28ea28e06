import { char, fullWidth, nextKey, startsToken } from '../characters.ts'
import { openBracket, shorten, singleEdit } from '../edits.ts'
import type { ListNode, ObjectNode, StringNode } from '../nodes.ts'
import type { ParserState } from '../state.ts'
import { brackets, endBetween, reopenItem, reportMissingBracket } from './brackets.ts'

// Not used as `char.comma`: V8 inlines constants of this module only, and these are compared for each character.
const { colon, openCurly, quote } = char

/** `"path": "style":`: the string before the colon is a key, not a value. */
export function hasColonAfterValue(state: ParserState): boolean {
  const last = lastValue(state)
  const isColon = state.text.charCodeAt(state.pos) === colon || state.text.charCodeAt(state.pos - 1) === colon
  return state.expect === 'after' && isColon && last?.kind === 'string' && last.end === state.lastEnd
}

function lastValue(state: ParserState) {
  const top = state.top
  if (top === undefined) return state.root
  return top.kind === 'list' ? top.items.at(-1) : top.properties.at(-1)?.value
}

/** Continues as if the bracket or value that is missing before this key were there. */
export function reinterpretAsKey(state: ParserState, colonAt: number): boolean {
  const top = state.top
  const key = lastValue(state) as StringNode
  const balance = brackets(state)
  if (top === undefined) {
    state.root = undefined
  } else if (top.kind === 'list') {
    top.items.pop()
    if (state.parent?.kind === 'object' && balance.curly >= 0 && balance.square > 0) {
      closeBeforeKey(state, top, key)
      continueAfterKey(state, key, colonAt)
      return true
    }
    if (reopenItem(state, top, key)) {
      continueAfterKey(state, key, colonAt)
      return true
    }
  } else {
    const property = top.properties.pop()!
    state.pendingKey = property.key
    if (balance.curly >= 0) {
      state.lastEnd = property.key.end
      state.attachMissing()
      continueAfterKey(state, key, colonAt)
      return true
    }
  }
  reportMissingBracket(state, '{', key.offset, `the key "${shorten(key.value)}"`)
  balance.curly += 1
  state.push({ kind: 'object', offset: key.offset, end: key.offset, properties: [] })
  continueAfterKey(state, key, colonAt)
  return true
}

function continueAfterKey(state: ParserState, key: StringNode, colonAt: number): void {
  state.pendingKey = key
  state.pos = colonAt + 1
  state.lastEnd = state.pos
  state.expect = 'value'
}

/** `[ …, "key": `: the list is not closed before the key. */
function closeBeforeKey(state: ParserState, list: ListNode, key: StringNode): void {
  const at = endBetween(state, list.items.at(-1)?.end ?? list.offset + 1, state.lastComma)
  state.report({
    code: 'syntax-bracket-open',
    offset: at,
    length: 0,
    message: `Missing "]" before the key "${shorten(key.value)}".`,
    fix: singleEdit('Insert "]"', at, 0, ']'),
    related: [openBracket(list)],
  })
  brackets(state).square -= 1
  state.pop(at)
}

export function handleMissingColon(state: ParserState): void {
  const key = state.pendingKey!
  const name = /^([\w-]+)\s*:\s*$/.exec(key.value)?.[1]
  if (name !== undefined && state.text.charCodeAt(key.end) !== colon) {
    // `"path: "pages/…"`: the quote after the colon begins the value.
    const end = key.offset + 1 + name.length
    const isDouble = state.text.charCodeAt(key.offset) === quote
    // The quotes of the longer string were reported, with a fix that would include the colon.
    if (!isDouble)
      state.findings.splice(
        state.findings.findLastIndex(({ offset }) => offset === key.offset),
        1,
      )
    const closing = { offset: end, length: 0, text: '"' }
    state.report({
      code: 'syntax-string-open',
      offset: key.offset,
      length: end - key.offset,
      message: `The key ${name} is not closed: add a double quote at its end.`,
      fix: {
        title: 'Insert the quote',
        edits: isDouble ? [closing] : [{ offset: key.offset, length: 1, text: '"' }, closing],
      },
    })
    state.pendingKey = { kind: 'string', offset: key.offset, end, value: name }
    state.pos = key.end - 1
    state.expect = 'value'
    return
  }
  nextKey.lastIndex = state.pos
  if (nextKey.test(state.text)) {
    // The next key is not the value: this key is being typed before state.
    state.attachMissing()
    return
  }
  state.report({
    code: 'syntax-colon-missing',
    offset: key.end,
    length: 0,
    message: `Missing colon after the key "${shorten(key.value)}".`,
    fix: singleEdit('Insert the colon', key.end, 0, ':'),
  })
  state.expect = 'value'
}

/** `{ …, {` in a list: the first object is not closed. */
export function isBetweenItems(state: ParserState): boolean {
  const top = state.top
  return top?.kind === 'object' && top.properties.length > 0 && state.parent?.kind === 'list'
}

export function closeBeforeItem(state: ParserState): void {
  const top = state.top as ObjectNode
  const at = top.properties.at(-1)!.value.end
  state.report({
    code: 'syntax-bracket-open',
    offset: at,
    length: 0,
    message: 'Missing "}": the object before the comma is not closed.',
    fix: singleEdit('Insert "}"', at, 0, '}'),
    related: [openBracket(top)],
  })
  state.pop(at)
  state.expect = 'value'
}

export function handleMissingComma(state: ParserState, code: number): void {
  const top = state.top!
  const at = state.lastEnd
  const isItem = top.kind === 'object' && state.parent?.kind === 'list'
  if (isItem && code === openCurly) {
    // `{ … {` in a list: the first object is not closed.
    state.report({
      code: 'syntax-bracket-open',
      offset: at,
      length: 0,
      message: 'Missing "},": the object before it is not closed.',
      fix: singleEdit('Insert "},"', at, 0, '},'),
      related: [openBracket(top)],
    })
    state.pop(at)
    state.expect = 'value'
    return
  }
  if (isItem && isAtFirstKeyOf(state, top)) {
    state.report({
      code: 'syntax-bracket-missing',
      offset: at,
      length: 0,
      message: `Missing "}, {": another object begins with the key "${shorten(top.properties[0]!.key.value)}".`,
      fix: singleEdit('Insert "}, {"', at, 0, '}, {'),
      related: [openBracket(top)],
    })
    state.pop(at)
    state.push({ kind: 'object', offset: state.pos, end: state.pos, properties: [] })
    return
  }
  state.report({
    code: 'syntax-comma-missing',
    offset: at,
    length: 0,
    message: `Missing comma between two ${top.kind === 'object' ? 'keys' : 'items'}.`,
    fix: singleEdit('Insert the comma', at, 0, ','),
  })
  state.expect = top.kind === 'object' ? 'key' : 'value'
}

/** `{ "path": …, "style": … "path": … }`: the objects of a list have the same first key. */
function isAtFirstKeyOf(state: ParserState, { properties }: ObjectNode): boolean {
  const key = /^"([^"\\\r\n]{1,60})"\s*:/.exec(state.text.slice(state.pos, state.pos + 100))?.[1]
  return key !== undefined && key === properties[0]?.key.value
}

export function skipUnknown(state: ParserState): void {
  const text = state.text
  const start = state.pos
  let end = start + 1
  while (end < text.length && !startsToken(text.charCodeAt(end))) end += 1
  state.pos = end
  const raw = text.slice(start, end)
  if (/^={7}$/.test(raw)) {
    state.report({
      code: 'syntax-conflict',
      offset: start,
      length: end - start,
      message: 'This line is left over from a merge conflict: remove it.',
    })
    return
  }
  state.report({
    code: 'syntax-character',
    offset: start,
    length: end - start,
    message: `Unexpected ${JSON.stringify(shorten(raw))}: remove it.`,
    fix: singleEdit('Remove it', start, end - start, ''),
  })
}

/** Skips repetitions of a character, also in full width, which are reported once. */
export function skipRun(state: ParserState, code: number): void {
  const sign = String.fromCharCode(code)
  for (;;) {
    const next = state.text.charCodeAt(state.pos)
    if (next !== code && fullWidth.get(next) !== sign) return
    state.pos += 1
  }
}
