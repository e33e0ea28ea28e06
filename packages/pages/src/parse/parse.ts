import type { Finding } from '../diagnostic.ts'
import { bracketEnd, char, fullWidth, isDigit, isWord, startsToken, wordEnd } from './characters.ts'
import { singleEdit } from './edits.ts'
import type { ListNode, Node, ObjectNode } from './nodes.ts'
import type { ObjectCache } from './objectCache.ts'
import {
  closeAll,
  closeMissing,
  endBetween,
  isBetweenObjects,
  isEmptyValue,
  isSuperfluous,
  readUnopened,
  reopenAsList,
  reopenRoot,
  reportExtra,
  reportRest,
  reportUnopened,
} from './recovery/brackets.ts'
import {
  closeBeforeItem,
  handleMissingColon,
  handleMissingComma,
  hasColonAfterValue,
  isBetweenItems,
  reinterpretAsKey,
  skipRun,
  skipUnknown,
} from './recovery/missingTokens.ts'
import { skipSpace } from './space.ts'
import { ParserState } from './state.ts'
import { isAtUnopenedString, readNumber, readString, readUnopenedString, readWord, reportQuotes } from './tokens.ts'

// Not used as `char.comma`: V8 inlines constants of this module only, and these are compared for each character.
const { apostrophe, closeCurly, closeSquare, colon, comma, dot, minus, openCurly, openSquare, plus, quote } = char

/** A syntax tree, which exists unless the text is empty, and the syntax errors. */
export type Parsed = { readonly root: Node | undefined; readonly findings: readonly Finding[] }

/** Deeper nesting is reported and skipped, so that code that walks a tree can recurse. pages.json needs 10 levels. */
export const maxDepth = 100

/**
 * Parses JSON with comments, trailing commas and an optional byte order mark (ADR 100). Never throws: after a syntax
 * error it continues with what was probably meant. Takes linear time and does not recurse. Variants of one file share a
 * `cache`, so that objects they have in common are parsed once.
 */
export function parse(text: string, cache?: ObjectCache): Parsed {
  return run(new ParserState(text, cache))
}

function run(state: ParserState): Parsed {
  const text = state.text
  for (;;) {
    skipSpace(state)
    if (state.pos >= text.length) break
    if (state.open.length === 0 && state.root !== undefined && !hasColonAfterValue(state)) {
      if (reopenRoot(state)) continue
      reportRest(state)
      break
    }
    step(state, text.charCodeAt(state.pos))
  }
  closeAll(state)
  if (state.root === undefined) {
    state.report({
      code: 'syntax-empty',
      offset: 0,
      length: 0,
      message: 'The file is empty: write an object with "pages" in it.',
    })
  }
  return { root: state.root, findings: state.findings }
}

function step(state: ParserState, code: number): void {
  const odd = code > 0x7f ? fullWidth.get(code) : undefined
  if (odd === ',' || odd === ':') {
    state.report({
      code: 'syntax-character',
      offset: state.pos,
      length: 1,
      message: `Full-width "${state.text[state.pos]}" is not allowed in JSON: write "${odd}".`,
      fix: singleEdit(`Write "${odd}"`, state.pos, 1, odd),
    })
    code = odd.charCodeAt(0)
  }
  if (code === closeCurly || code === closeSquare) close(state, code)
  else if (code === comma) readComma(state)
  else if (code === colon) readColon(state)
  else if (state.expect === 'key') readKey(state, code, odd === '"')
  else if (state.expect === 'colon') handleMissingColon(state)
  else if (state.expect === 'after' && startsToken(code)) handleMissingComma(state, code)
  else if (state.expect === 'after') skipUnknown(state)
  else readValue(state, code, odd === '"')
}

function readComma(state: ParserState): void {
  const at = state.pos
  state.pos += 1
  if (state.expect === 'after') {
    state.lastComma = at
    state.lastEnd = state.pos
    state.expect = state.top?.kind === 'object' ? 'key' : 'value'
    return
  }
  if (state.expect === 'colon' || state.pendingKey) {
    state.attachMissing()
    state.pos = at
    return
  }
  state.report({
    code: 'syntax-comma-extra',
    offset: at,
    length: 1,
    message: 'Unexpected comma: remove it.',
    fix: singleEdit('Remove the comma', at, 1, ''),
  })
  skipRun(state, comma)
}

function readColon(state: ParserState): void {
  const at = state.pos
  state.pos += 1
  if (state.expect === 'colon') {
    state.expect = 'value'
    state.lastEnd = state.pos
    return
  }
  if (hasColonAfterValue(state) && reinterpretAsKey(state, at)) return
  state.report({
    code: 'syntax-colon-extra',
    offset: at,
    length: 1,
    message: 'Unexpected colon: remove it.',
    fix: singleEdit('Remove the colon', at, 1, ''),
  })
  skipRun(state, colon)
}

function close(state: ParserState, code: number): void {
  const at = state.pos
  const sign = code === closeCurly ? '}' : ']'
  const kind = code === closeCurly ? 'object' : 'list'
  if (isEmptyValue(state, code)) {
    readUnopened(state, kind)
    return
  }
  if (!state.open.some((node) => node.kind === kind) && !(code === closeSquare && reopenAsList(state))) {
    reportUnopened(state, sign, at, { runs: true })
    state.pos += 1
    skipRun(state, code)
    return
  }
  if (state.top!.kind !== kind && isBetweenObjects(state, code)) {
    reportExtra(state, sign, at)
    return
  }
  if (state.top!.kind !== kind && isSuperfluous(state, code)) return
  if (state.top!.kind !== kind) {
    const end = endBetween(state, state.lastEnd, at)
    while (state.top!.kind !== kind) closeMissing(state, sign, end)
  }
  if (state.pendingKey) state.attachMissing()
  state.pos = at + 1
  state.pop(state.pos)
}

function readKey(state: ParserState, code: number, odd: boolean): void {
  if (code === quote || code === apostrophe || odd) {
    state.pendingKey = readString(state, code, true)
  } else if (isWord(code)) {
    const start = state.pos
    state.pos = wordEnd(state.text, start)
    const value = state.text.slice(start, state.pos)
    reportQuotes(state, value, start, 'key')
    state.pendingKey = { kind: 'string', offset: start, end: state.pos, value }
  } else if (code === openCurly && isBetweenItems(state)) {
    closeBeforeItem(state)
    return
  } else if (code === openCurly && reopenAsList(state)) {
    state.expect = 'value'
    return
  } else if (code === openCurly || code === openSquare) {
    state.report({
      code: 'syntax-key-missing',
      offset: state.pos,
      length: 1,
      message: 'Missing key before this value, which has no effect: an object contains "key": value pairs.',
    })
    state.pendingKey = { kind: 'string', offset: state.pos, end: state.pos, value: '' }
    state.expect = 'value'
    return
  } else {
    skipUnknown(state)
    return
  }
  state.lastEnd = state.pos
  state.expect = 'colon'
}

function readValue(state: ParserState, code: number, odd: boolean): void {
  const start = state.pos
  if (code === openCurly) {
    const cached = state.cache?.find(start, state.text, state.open.length)
    if (cached) skipTo(state, cached)
    else readBracket(state, { kind: 'object', offset: start, end: start + 1, properties: [] })
  } else if (code === openSquare) {
    readBracket(state, { kind: 'list', offset: start, end: start + 1, items: [] })
  } else if (code === quote || code === apostrophe || odd) {
    state.attachLeaf(readString(state, code, false))
  } else if (isDigit(code) || code === minus || code === plus || code === dot) {
    state.attachLeaf(readNumber(state))
  } else if (isAtUnopenedString(state)) {
    state.attachLeaf(readUnopenedString(state))
  } else if (isWord(code)) {
    state.attachLeaf(readWord(state))
  } else {
    skipUnknown(state)
  }
}

function readBracket(state: ParserState, node: ObjectNode | ListNode): void {
  state.pos += 1
  state.lastEnd = state.pos
  if (state.open.length < maxDepth) {
    state.push(node)
    return
  }
  state.report({
    code: 'syntax-depth',
    offset: node.offset,
    length: 1,
    message: `Brackets are nested more than ${maxDepth} levels deep: the contents are ignored.`,
  })
  state.pos = bracketEnd(state.text, node.offset)
  node.end = state.pos
  state.attachLeaf({ kind: 'null', offset: node.offset, end: state.pos, value: null })
}

/** Reuses an object of another variant. */
function skipTo(state: ParserState, object: ObjectNode): void {
  state.pos = object.end
  state.attachLeaf(object)
}
