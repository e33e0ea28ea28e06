import { StreamLanguage } from '@codemirror/language'

interface State {
  /** Enclosing objects and arrays. */
  depth: number
  isComment: boolean
}

/**
 * JSON with comments, for pages.json: highlighting, indentation and brackets. Highlights conditional comments
 * separately.
 */
export const jsonc = StreamLanguage.define<State>({
  name: 'jsonc',
  startState: () => ({ depth: 0, isComment: false }),
  token(stream, state) {
    if (state.isComment) {
      state.isComment = !stream.match(/^.*?\*\//)
      if (state.isComment) stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^\/\/\s*#(?:ifdef|ifndef|endif)\b.*/)) return 'meta'
    if (stream.match(/^\/\/.*/)) return 'comment'
    if (stream.match('/*')) {
      state.isComment = true
      return 'comment'
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string'
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
    if (stream.match(/^(?:true|false|null)\b/)) return 'bool'
    const next = stream.next()
    if (next === '{' || next === '[') state.depth += 1
    if (next === '}' || next === ']') state.depth = Math.max(0, state.depth - 1)
    return null
  },
  indent: ({ depth }, textAfter, { unit }) => Math.max(0, depth - (/^\s*[}\]]/.test(textAfter) ? 1 : 0)) * unit,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['{', '[', '"'] },
    indentOnInput: /^\s*[}\]]$/,
  },
})
