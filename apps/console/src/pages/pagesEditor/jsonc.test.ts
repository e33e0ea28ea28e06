import { getIndentation, syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { jsonc } from './jsonc.ts'

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [jsonc] })

/** Returns the highlighted tokens in text order. */
function marked(doc: string): [name: string, text: string][] {
  const found: [string, string][] = []
  syntaxTree(stateOf(doc)).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Document') found.push([name, doc.slice(from, to)])
    },
  })
  return found
}

describe('jsonc', () => {
  test('distinguishes keys, values, comments and conditional comments', () => {
    expect(marked('{ "key" : "value", "open\n  "n": -1.5, "b": true }')).toEqual([
      ['propertyName', '"key"'],
      ['string', '"value"'],
      ['string', '"open'],
      ['propertyName', '"n"'],
      ['number', '-1.5'],
      ['propertyName', '"b"'],
      ['bool', 'true'],
    ])
    expect(marked('// #ifdef H5 || APP\n"http://x" // no\n/* one\n two */ 1')).toEqual([
      ['meta', '// #ifdef H5 || APP'],
      ['string', '"http://x"'],
      ['comment', '// no'],
      ['comment', '/* one'],
      ['comment', ' two */'],
      ['number', '1'],
    ])
  })

  test('indents by enclosing objects and arrays, not by brackets in strings', () => {
    const doc = '{\n"a": [ "{",\n{\n'
    expect(getIndentation(stateOf(doc), doc.length)).toBe(6)
    expect(getIndentation(stateOf(`${doc}}`), doc.length)).toBe(4)
  })
})
