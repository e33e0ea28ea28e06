import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../check/check.ts'
import { readPages, variantFor } from '../config.ts'
import { toJson } from '../parse/nodes.ts'
import { parse } from '../parse/parse.ts'
import { readConditionals, splitIntoVariants } from './blocks.ts'
import { parseExpression } from './expression.ts'

const seenBy = (text: string) =>
  Object.fromEntries(
    (['H5', 'App', 'Mini App'] as const).map((platform) => {
      const { root } = variantFor(readPages(text), platform)
      return [platform, root && toJson(root)]
    }),
  )

describe('conditional comments', () => {
  it.each([
    ['A', ['A'], true],
    ['A || B', ['B'], true],
    ['A && B', ['B'], false],
    ['A || B && C', ['A'], true],
    ['(A || B) && C', ['A'], false],
    ['!A', [], true],
    ['!(A || MP-NEU)', ['MP-NEU'], false],
    ['!!A', ['A'], true],
    ['uniVersion', [], true],
    ['uniVersion > 3.9', [], true],
    ['uniVersion<3.9', [], false],
    ['!(uniVersion >= 3) || A', [], false],
    ['A && uniVersion <= 4.31', ['A'], false],
    ['A && uniVersion != 4.31', ['A'], true],
    ['uniVersion == 3.9 || uniVersion === 4', [], false],
  ])('%s with %j is %s', (text, defined, holds) => {
    const expression = parseExpression(text)
    expect(typeof expression === 'object' && expression.holds(new Set(defined))).toBe(holds)
  })

  it.each([
    '',
    'A ||',
    '|| A',
    'A B',
    '(A',
    'A)',
    'A & B',
    '!',
    'A > 3.9',
    'uniVersion >',
    'uniVersion > A',
    'uniVersion = 3.9',
    'uniVersion > 3.9.1',
  ])('returns an error for the condition %j', (text) => {
    expect(parseExpression(text)).toBeTypeOf('string')
  })

  it('includes the blocks of each build: line and block comments, nested, with else and ifndef', () => {
    const text = `[
      // #ifdef H5
      "h5",
      // #endif
      /* #ifndef H5 */ "not h5", /* #endif */
      // #ifdef APP || MP-NEU
        "app or mini",
        // #ifdef APP-PLUS
        "app",
        // #else
        "mini",
        // #endif
      // #endif
      // #ifdef MP-WEIXIN
      "never",
      // #endif
      "all"
    ]`
    expect(seenBy(text)).toEqual({
      H5: ['h5', 'all'],
      App: ['not h5', 'app or mini', 'app', 'all'],
      'Mini App': ['not h5', 'app or mini', 'mini', 'all'],
    })
    expect(toJson(variantFor(readPages('[/* #ifdef APP-IOS */ 1 /* #endif */]'), 'App', 'iOS').root!)).toEqual([1])
    expect(toJson(variantFor(readPages('[/* #ifdef APP-IOS */ 1 /* #endif */]'), 'App').root!)).toEqual([])
  })

  it('compares uniVersion, with an else, without a finding', () => {
    const text = '[\n// #ifdef H5 && uniVersion > 3.9\n1\n// #else\n2\n// #endif\n]'
    expect(seenBy(text)).toEqual({ H5: [1], App: [2], 'Mini App': [2] })
    expect(readConditionals(text).findings).toEqual([])
  })

  it('ignores directives in strings and after other words of a comment', () => {
    expect(seenBy('["// #ifdef H5", 1 // see #ifdef H5\n, 2]').App).toEqual(['// #ifdef H5', 1, 2])
  })

  it('recognizes directives in any case and misspelled, but no other words after a #', () => {
    const found = (comment: string) =>
      check(readPages(`{"pages": [{"path": "pages/a/a"}] // ${comment}\n}`)).map(({ code }) => code)
    for (const comment of ['#IFDEF H5', '#ifdfe H5', '#elif H5', '#end', '#EndIf'])
      expect(found(comment), comment).toEqual(['conditional-unknown'])
    for (const comment of ['#endregion', '#elements of the list', '#endpoint', '#iframe', '#elfen'])
      expect(found(comment), comment).toEqual([])
  })

  it('accepts one #else for each #ifdef', () => {
    const text = '[\n// #ifdef H5\n1,\n// #else\n2,\n// #else\n3,\n// #endif\n]'
    expect(seenBy(text)).toEqual({ H5: [1], App: [2, 3], 'Mini App': [2, 3] })
    expect(readConditionals(text).findings).toMatchObject([
      { code: 'conditional-unbalanced', offset: text.lastIndexOf('// #else') },
    ])
  })

  it('includes all parts of a block that is not closed', () => {
    const text = '[\n// #ifdef H5\n1,\n// #else\n2\n]'
    expect(seenBy(text)).toEqual({ H5: [1, 2], App: [1, 2], 'Mini App': [1, 2] })
    expect(readConditionals(text).findings).toMatchObject([{ code: 'conditional-unbalanced', offset: 2 }])
  })

  it('preserves offsets in every build', () => {
    const text = '{\r\n// #ifdef H5\r\n"中": 1,\r\n// #endif\r\n"b": tru\r\n}'
    const [found] = check(readPages(text)).filter(({ code }) => code === 'syntax-quotes')
    expect(text.slice(found!.offset, found!.offset + found!.length)).toBe('tru')
    expect(found!.platforms).toEqual(['H5', 'App', 'Mini App'])
  })

  it('parses and checks common parts once, and different parts for each build', () => {
    const text = `{"pages": [
      {"path": "pages/a/a", "style": {"a": 1}},
      // #ifdef H5
      {"path": "pages/h5/h5", "style": {"a": 1, "h5": {}}},
      // #endif
      {"path": "pages/b/b", "style": {
        // #ifdef APP
        "a": 1,
        // #endif
        "b": 2
      }},
    ], "globalStyle": {}}`
    const config = readPages(text)
    const [h5, app] = (['H5', 'App'] as const).map((platform) => variantFor(config, platform).model)
    expect(h5!.pages.map(({ path }) => path)).toEqual(['pages/a/a', 'pages/h5/h5', 'pages/b/b'])
    expect(app!.pages[0]!.node).toBe(h5!.pages[0]!.node)
    expect(app!.globalStyle).toBe(h5!.globalStyle)
    expect(toJson(app!.pages[1]!.style!)).toEqual({ a: 1, b: 2 })
    const found = check(config).map(({ offset, platforms }) => [text.slice(offset, offset + 3), platforms])
    expect(found).toEqual([
      ['"a"', ['H5', 'App', 'Mini App']],
      ['"a"', ['H5']],
      ['"a"', ['App']],
      ['"b"', ['H5', 'App', 'Mini App']],
    ])
  })

  it('parses each variant as if it were the only one, wherever blocks begin and end', () => {
    const piece = fc.constantFrom(
      '{"a": {"b": [1, {}]}}',
      '{"a": {}',
      '{',
      '}',
      '[',
      ']',
      ',',
      '"k":',
      '"k"',
      '1',
      '{"k": {"k": {}}}',
      '\n// #ifdef H5\n',
      '\n// #ifndef APP-IOS\n',
      '\n// #else\n',
      '\n// #endif\n',
      '/*',
      '*/',
      '"',
    )
    // An object that one build closes and another continues.
    const shared: [string[]][] = [
      [['\n// #ifdef H5\n', '\n// #else\n', '}', '{"a": {"b": [1, {}]}}', '"k":']],
      [['[', '{"a": {"b": [1, {}]}}', '"k":', '\n// #ifndef APP-IOS\n', '\n// #endif\n', '}']],
    ]
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const alone = splitIntoVariants(text, readConditionals(text).blocks).map((each) => parse(each.text))
        const together = readPages(text).variants.map(({ root, syntax }) => ({ root, findings: syntax }))
        expect(together).toEqual(alone)
      }),
      { numRuns: 500, examples: shared },
    )
  })

  it('merges equal findings of several builds and names their platforms', () => {
    const text = '{"pages": [{"path": "pages/a/a"}],\n// #ifndef H5\n"globalStyel": {}\n// #endif\n}'
    const found = check(readPages(text))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      code: 'key-unknown',
      platforms: ['App', 'Mini App'],
      fix: { edits: [{ text: '"globalStyle"' }] },
    })
  })

  it.each([
    ['// #ifdef H5\n{}', 'conditional-unbalanced'],
    ['{}\n// #endif', 'conditional-unbalanced'],
    ['// #ifdef H5 ||\n{}\n// #endif', 'conditional-expression'],
    ['// #ifdef MP-NUE\n// #endif\n{}', 'conditional-name'],
    ['// #elif H5\n{}', 'conditional-unknown'],
  ])('reports %j and continues', (text, code) => {
    const config = readPages(text)
    expect(config.preliminary.map((each) => each.code)).toEqual([code])
    expect(toJson(variantFor(config, 'App').root!)).toEqual({})
  })

  it('warns about an attribute that works in no build that contains it', () => {
    const page = (build: string) =>
      `{"pages": [{"path": "pages/a/a", "style": {\n// #ifdef ${build}\n"titlePenetrate": "YES"\n// #endif\n}}]}`
    expect(check(readPages(page('APP'))).map(({ code }) => code)).toEqual(['key-platform'])
    expect(check(readPages(page('APP || H5')))).toEqual([])
  })
})
