import { char, isLineBreak, isOddSpace, lineEnd } from './characters.ts'
import { singleEdit } from './edits.ts'
import type { ParserState } from './state.ts'

// Not used as `char.comma`: V8 inlines constants of this module only, and these are compared for each character.
const { asterisk, lessThan, slash, space, tab } = char

export function skipSpace(state: ParserState): void {
  const text = state.text
  for (;;) {
    const code = text.charCodeAt(state.pos)
    if (code === space || code === tab || isLineBreak(code)) {
      state.pos += 1
    } else if (code === slash) {
      const next = text.charCodeAt(state.pos + 1)
      if (next === slash) state.pos = lineEnd(text, state.pos)
      else if (next === asterisk) skipBlockComment(state)
      else return
    } else if (code === lessThan && text.startsWith('<!--', state.pos)) {
      skipMarkupComment(state)
    } else if (isOddSpace(code)) {
      skipOddSpace(state)
    } else {
      return
    }
  }
}

function skipBlockComment(state: ParserState): void {
  const end = state.text.indexOf('*/', state.pos + 2)
  if (end >= 0) {
    state.pos = end + 2
    return
  }
  state.report({
    code: 'syntax-comment-open',
    offset: state.pos,
    length: 2,
    message: 'This comment is not closed, so everything after it is ignored. Close it with "*/".',
  })
  state.pos = state.text.length
}

function skipMarkupComment(state: ParserState): void {
  const start = state.pos
  state.lastMarkupEnd ??= state.text.lastIndexOf('-->')
  const found = start + 4 > state.lastMarkupEnd ? -1 : state.text.indexOf('-->', start + 4)
  const end = found < 0 ? lineEnd(state.text, start) : found + 3
  state.report({
    code: 'syntax-comment-form',
    offset: start,
    length: 4,
    message: '<!-- --> comments are not allowed in JSON: write // or /* */.',
  })
  state.pos = end
}

function skipOddSpace(state: ParserState): void {
  const start = state.pos
  while (isOddSpace(state.text.charCodeAt(state.pos))) state.pos += 1
  const length = state.pos - start
  state.report({
    code: 'syntax-character',
    offset: start,
    length,
    message: 'This kind of space is not allowed in JSON: use a normal space.',
    fix: singleEdit('Replace with spaces', start, length, ' '.repeat(length)),
  })
}
