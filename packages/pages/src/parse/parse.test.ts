import { describe, expect, it } from 'vitest'
import { Lines } from './lines.ts'
import { toJson } from './nodes.ts'
import { maxDepth, parse } from './parse.ts'

const read = (text: string) => {
  const { root, findings } = parse(text)
  return {
    value: root && toJson(root),
    errors: findings.map(({ code, offset, length }) => `${code}@${offset}+${length}`),
  }
}
const fixed = (text: string) => {
  let result = text
  for (const { fix } of [...parse(text).findings].reverse()) {
    for (const edit of [...(fix?.edits ?? [])].sort((a, b) => b.offset - a.offset)) {
      result = result.slice(0, edit.offset) + edit.text + result.slice(edit.offset + edit.length)
    }
  }
  return result
}

describe('parse', () => {
  it('accepts comments, trailing commas, a byte order mark and any line breaks', () => {
    const text = '\ufeff// first\r\n{ /* a */ "a": [1, -2.5e3, true, null, "\\u4e2d\\n",], // b\r\n "b": {}, }\r\n'
    expect(read(text)).toEqual({ value: { a: [1, -2500, true, null, '中\n'], b: {} }, errors: [] })
  })

  it('accepts a comment directly after a number or word', () => {
    expect(read('[1// one\n, -2.5/* two */, true// three\n]')).toEqual({ value: [1, -2.5, true], errors: [] })
  })

  it.each([
    ['a comma between keys', '{"a": 1\n "b": 2}', 'syntax-comma-missing@7+0', { a: 1, b: 2 }, '{"a": 1,\n "b": 2}'],
    ['a comma between items', '[1 2]', 'syntax-comma-missing@2+0', [1, 2], '[1, 2]'],
    ['an extra comma', '[1,,2]', 'syntax-comma-extra@3+1', [1, 2], '[1,2]'],
    ['a colon', '{"a" 1}', 'syntax-colon-missing@4+0', { a: 1 }, '{"a": 1}'],
    ['an extra colon', '{"a"::1}', 'syntax-colon-extra@5+1', { a: 1 }, '{"a":1}'],
    ['a closing bracket', '{"a": [1, 2}', 'syntax-bracket-open@11+0', { a: [1, 2] }, '{"a": [1, 2]}'],
    ['a closing bracket at the end', '{"a": {"b": 1}', 'syntax-bracket-open@14+0', { a: { b: 1 } }, '{"a": {"b": 1}}'],
    [
      'a bracket between objects of a list',
      '[{"a": 1 {"b": 2}]',
      'syntax-bracket-open@8+0',
      [{ a: 1 }, { b: 2 }],
      '[{"a": 1}, {"b": 2}]',
    ],
    [
      'a bracket before the comma between objects of a list',
      '[{"a": 1, {"b": 2}]',
      'syntax-bracket-open@8+0',
      [{ a: 1 }, { b: 2 }],
      '[{"a": 1}, {"b": 2}]',
    ],
    [
      'an extra bracket between objects of a list',
      '{"a": [{"b": 1},},{"c": 2}]}',
      'syntax-bracket-extra@16+1',
      { a: [{ b: 1 }, { c: 2 }] },
      '{"a": [{"b": 1},{"c": 2}]}',
    ],
    ['an opening bracket of the file', '"a": 1}', 'syntax-bracket-missing@0+0', { a: 1 }, '{"a": 1}'],
    [
      'an opening bracket of an object in a list',
      '[{"a": 1}, "a": 2}]',
      'syntax-bracket-missing@11+0',
      [{ a: 1 }, { a: 2 }],
      '[{"a": 1}, {"a": 2}]',
    ],
    [
      'the brackets between two objects of a list',
      '[{"a": 1, "b": 2 "a": 3}]',
      'syntax-bracket-missing@16+0',
      [{ a: 1, b: 2 }, { a: 3 }],
      '[{"a": 1, "b": 2}, { "a": 3}]',
    ],
    [
      'an opening bracket of an object after a key',
      '{"a": "b": 1, "c": 2}}',
      'syntax-bracket-missing@6+0',
      { a: { b: 1, c: 2 } },
      '{"a": {"b": 1, "c": 2}}',
    ],
    [
      'an opening bracket of a list',
      '{"a": {"b": 1}, {"b": 2}]}',
      'syntax-bracket-missing@6+0',
      { a: [{ b: 1 }, { b: 2 }] },
      '{"a": [{"b": 1}, {"b": 2}]}',
    ],
    [
      'an opening bracket of an empty list',
      '{"a": ], "b": 1}',
      'syntax-bracket-missing@6+0',
      { a: [], b: 1 },
      '{"a": [], "b": 1}',
    ],
    ['an opening bracket of an empty object', '[{"a": }}]', 'syntax-bracket-missing@7+0', [{ a: {} }], '[{"a": {}}]'],
    [
      'a closing bracket of a list before a key',
      '{"a": [1, 2, "b": 3}',
      'syntax-bracket-open@11+0',
      { a: [1, 2], b: 3 },
      '{"a": [1, 2], "b": 3}',
    ],
    [
      'a bracket that closes a list too early',
      '{"a": [{"b": 1}], {"b": 2}]}',
      'syntax-bracket-extra@15+1',
      { a: [{ b: 1 }, { b: 2 }] },
      '{"a": [{"b": 1}, {"b": 2}]}',
    ],
    [
      'a bracket that closes an object too early',
      '[{"a": 1}, "b": 2}]',
      'syntax-bracket-extra@8+1',
      [{ a: 1, b: 2 }],
      '[{"a": 1, "b": 2}]',
    ],
    [
      'a bracket that closes the file too early',
      '{"a": 1}, "b": 2}',
      'syntax-bracket-extra@7+1',
      { a: 1, b: 2 },
      '{"a": 1, "b": 2}',
    ],
    ['a bracket of the wrong kind', '{"a": [1}}', 'syntax-bracket-wrong@8+1', { a: [1] }, '{"a": [1]}'],
    ['an extra bracket', '[1}]', 'syntax-bracket-extra@2+1', [1], '[1]'],
    [
      'a quote at the end of a string',
      '{"a": "x,\n"b": 1}',
      'syntax-string-open@6+2',
      { a: 'x', b: 1 },
      '{"a": "x",\n"b": 1}',
    ],
    [
      'a single quote at the end of a key',
      `{'a: 'x'}`,
      'syntax-string-open@1+2 syntax-quotes@5+3',
      { a: 'x' },
      '{"a": "x"}',
    ],
    ['a quote at the end of a key', '{"a: "x"}', 'syntax-string-open@1+2', { a: 'x' }, '{"a": "x"}'],
    [
      'double quotes around a string that is not closed',
      `{"a": 'x,\n"b": 1}`,
      'syntax-string-open@6+2',
      { a: 'x', b: 1 },
      '{"a": "x",\n"b": 1}',
    ],
    ['double quotes around a string in two kinds', '{"a": “x"}', 'syntax-quotes@6+3', { a: 'x' }, '{"a": "x"}'],
    ['a quote at the beginning', '{"a": x/y"}', 'syntax-quotes@6+3', { a: 'x/y' }, '{"a": "x/y"}'],
    [
      'a quote at the beginning of any text',
      '{"a": ?id=7&b=#1"}',
      'syntax-quotes@6+10',
      { a: '?id=7&b=#1' },
      '{"a": "?id=7&b=#1"}',
    ],
    ['quotes around a key', '{a: 1}', 'syntax-quotes@1+1', { a: 1 }, '{"a": 1}'],
    ['double instead of single quotes', "{'a': 'b'}", 'syntax-quotes@1+3 syntax-quotes@6+3', { a: 'b' }, '{"a": "b"}'],
    [
      'ASCII instead of full-width punctuation',
      '{"a"：1，"b"：2}',
      'syntax-character@4+1 syntax-character@6+1 syntax-character@10+1',
      { a: 1, b: 2 },
      '{"a":1,"b":2}',
    ],
    ['the words of JSON', '[True, undefined]', 'syntax-quotes@1+4 syntax-quotes@7+9', [true, null], '[true, null]'],
    ['a number that JSON cannot hold', '[NaN]', 'syntax-quotes@1+3', [null], '[null]'],
    ['a number of JSON', '[.5]', 'syntax-number@1+2', [0.5], '[0.5]'],
    ['a font icon', '["\\e600"]', 'icon-escape@2+2', ['e600'], '["\\ue600"]'],
    ['an escape', '["C:\\dir"]', 'syntax-escape@4+2', ['C:dir'], '["C:\\\\dir"]'],
    ['a plain space', '[1,\u00a02]', 'syntax-character@3+1', [1, 2], '[1, 2]'],
  ])('reports the error, fixes it and continues: %s', (_, text, errors, value, repaired) => {
    expect(read(text)).toEqual({ value, errors: errors.split(' ') })
    expect(fixed(text)).toBe(repaired)
    expect(parse(repaired).findings).toEqual([])
  })

  it('continues after a missing value, an unclosed comment and content after the end', () => {
    expect(read('{"a": , "b": 1}')).toEqual({ value: { a: null, b: 1 }, errors: ['syntax-value-missing@1+3'] })
    expect(read('{"a": "b": 1}')).toEqual({ value: { a: null, b: 1 }, errors: ['syntax-value-missing@1+3'] })
    expect(read('[1\n=======\n]')).toEqual({ value: [1], errors: ['syntax-conflict@3+7'] })
    expect(read('{"a": 1} /* x')).toEqual({ value: { a: 1 }, errors: ['syntax-comment-open@9+2'] })
    expect(read('{"a": 1}]')).toEqual({ value: { a: 1 }, errors: ['syntax-after-end@8+1'] })
    expect(read('{"a": 1};\n')).toEqual({ value: { a: 1 }, errors: ['syntax-after-end@8+1'] })
    expect(fixed('{"a": 1};\n')).toBe('{"a": 1}\n')
    expect(read('<!-- x -->{}')).toEqual({ value: {}, errors: ['syntax-comment-form@0+4'] })
    expect(read(' ')).toEqual({ value: undefined, errors: ['syntax-empty@0+0'] })
  })

  it('takes an object without a key and the one before it for a list only if they have a key in common', () => {
    expect(read('{"a": {"b": 1}, {"c": 2}}\n], "d": 3}')).toEqual({
      value: { a: { b: 1 }, '': { c: 2 } },
      errors: ['syntax-key-missing@16+1', 'syntax-after-end@26+10'],
    })
    expect(read('{"a": {"b": 1}, {"c": 2}], "d": 3}')).toEqual({
      value: { a: { b: 1 }, '': { c: 2 }, d: 3 },
      errors: ['syntax-key-missing@16+1', 'syntax-bracket-extra@24+1'],
    })
  })

  it('reports the ineffective one of duplicate keys, in small and large objects', () => {
    expect(read('{"a": 1, "b": 2, "a": 3}')).toEqual({ value: { a: 3, b: 2 }, errors: ['key-duplicate@1+3'] })
    const many = Array.from({ length: 20 }, (_, index) => `"k${index}": 0`).join()
    expect(read(`{${many},"k3": 1}`).errors).toHaveLength(1)
    expect(read('{"a": 1, "a": 2}, "b": 3}, "b": 4}').errors).toEqual([
      'key-duplicate@1+3',
      'syntax-bracket-extra@15+1',
      'syntax-bracket-extra@24+1',
      'key-duplicate@18+3',
    ])
  })

  it('does not take the quote of the next string for that of a word', () => {
    expect(read('[true, ", ", null, "]"]')).toEqual({ value: [true, ', ', null, ']'], errors: [] })
    expect(read('[x, "y"]')).toEqual({ value: ['x', 'y'], errors: ['syntax-quotes@1+1'] })
    expect(read('[x // "\n]')).toEqual({ value: ['x'], errors: ['syntax-quotes@1+1'] })
  })

  it('reports repeated punctuation once, also in full width', () => {
    expect(read('[1,,,,2]')).toEqual({ value: [1, 2], errors: ['syntax-comma-extra@3+1'] })
    expect(read('[1，，，，2]')).toEqual({
      value: [1, 2],
      errors: ['syntax-character@2+1', 'syntax-character@3+1', 'syntax-comma-extra@3+1'],
    })
  })

  it('treats __proto__ like any other key', () => {
    expect(Object.keys(read('{"__proto__": 1}').value as object)).toEqual(['__proto__'])
  })

  it('limits the depth and takes linear time for any number of open brackets', () => {
    for (const text of [
      '['.repeat(200_000),
      '{"a":'.repeat(200_000),
      '[{'.repeat(200_000),
      ']'.repeat(200_000),
      '['.repeat(100_000) + ']'.repeat(100_000),
    ]) {
      const { findings } = parse(text)
      expect(findings.length).toBeLessThanOrEqual(2 * maxDepth)
    }
  })
})

describe('Lines', () => {
  it.each(['a\nbc\n\nd', 'a\r\nbc\r\n\r\nd', 'a\rbc\r\rd'])('converts offsets to positions and back: %j', (text) => {
    const lines = new Lines(text)
    expect(lines.count).toBe(4)
    for (let offset = 0; offset <= text.length; offset += 1) {
      if (text[offset] === '\n' && text[offset - 1] === '\r') continue
      expect(lines.offsetAt(lines.positionAt(offset))).toBe(offset)
    }
    expect(lines.positionAt(text.indexOf('c'))).toEqual({ line: 2, column: 2 })
    expect(lines.positionAt(99)).toEqual({ line: 4, column: 2 })
  })
})
