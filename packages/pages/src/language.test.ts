import { describe, expect, it } from 'vitest'
import { readPages } from './config.ts'
import { attributeAt, complete, hover, pageAt } from './language.ts'
import { pagesTypes, routes } from './routes.ts'

/** Parses the text without its mark and returns the offset of the mark. */
const at = (marked: string): [ReturnType<typeof readPages>, number] => [
  readPages(marked.replace('|', '')),
  marked.indexOf('|'),
]
const labels = (marked: string) => complete(...at(marked)).map(({ label }) => label)

describe('complete', () => {
  it('offers the keys that an object does not have yet, with their defaults', () => {
    expect(labels('{"pages": [{"path": "pages/a/a", |}]}')).toEqual(['style'])
    expect(labels('{"tabBar": {"list": [{"|"}]}}')).toContain('pagePath')
    const [first] = complete(...at('{"globalStyle": {|}}'))
    expect(first).toMatchObject({
      label: 'navigationBarBackgroundColor',
      kind: 'key',
      text: '"navigationBarBackgroundColor": "#F7F7F7"',
      detail: 'HexColor = #F7F7F7',
      length: 0,
    })
  })

  it('replaces a key that is being typed, and preserves its colon', () => {
    const [first] = complete(...at('{"globalStyle": {"navigationSty|": ""}}')).filter(
      ({ label }) => label === 'navigationStyle',
    )
    expect(first).toMatchObject({ text: '"navigationStyle"', offset: 17, length: 15 })
  })

  it('adds a comma before the next property', () => {
    const [first] = complete(...at('{"globalStyle": {| "backgroundColor": "#FFFFFF"}}'))
    expect(first?.text).toBe('"navigationBarBackgroundColor": "#F7F7F7",')
  })

  it('offers nothing in comments, but keys next to them', () => {
    for (const comment of ['// a|\n', '//|\n', '/* "a": | */', '"backgroundColor": "#FFFFFF", // see "x" |\n', '/*|']) {
      expect(labels(`{"globalStyle": {${comment}}}`), comment).toEqual([])
      // Excluded blocks may precede the comment.
      expect(labels(`{"globalStyle": {\n// #ifdef MP-WEIXIN\n"a": "//",\n// #endif\n${comment}}}`), comment).toEqual([])
    }
    for (const comment of ['// a\n|', '/* a */|', '"maxWidth": 1, // a\n|', '"a": "http://x", |'])
      expect(labels(`{"globalStyle": {${comment}}}`), comment).toContain('navigationStyle')
  })

  it('completes subpackages in the alternative spelling', () => {
    expect(labels('{"subpackages": [{|}]}')).toEqual(['root', 'pages', 'name'])
    expect(labels('{"subpackages": [{"pages": [{"style": {"navigationStyle": "|"}}]}]}')).toEqual(['default', 'custom'])
  })

  it('offers allowed values, booleans and the pages of the file', () => {
    expect(labels('{"globalStyle": {"navigationBarTextStyle": "|"}}')).toEqual(['black', 'white'])
    expect(labels('{"globalStyle": {"enablePullDownRefresh": |}}')).toEqual(['true', 'false'])
    expect(labels('{"pages": [{"path": "pages/a/a"}], "tabBar": {"list": [{"pagePath": "|"}]}}')).toEqual(['pages/a/a'])
  })

  it('does not replace an object or list next to the cursor', () => {
    for (const value of ['|{"titleText": "a"}', '{"titleText": "a"}|', ' | {}', '[]|'])
      expect(labels(`{"globalStyle": {"app-plus": {"titleNView": ${value}}}}`), value).toEqual([])
  })

  it('completes where brackets are not closed yet', () => {
    expect(labels('{|')).toContain('pages')
    expect(labels('{\n  "pages": [{ "path": "pages/a/a" }],\n  |\n')).toContain('tabBar')
    expect(labels('{"pages": [{"path": "pages/a/a", |')).toEqual(['style'])
    expect(labels('{"pages": [{"path": "pages/a/a"}, {"|')).toEqual(['path', 'style'])
    expect(labels('{"globalStyle": {"navigationBarTextStyle": "|')).toEqual(['black', 'white'])
    expect(labels('{"globalStyle": {"navigationBarTextStyle": |')).toEqual(['black', 'white'])
    expect(labels('{"pages": [{"path": "pages/a/a", "style": { |\n{"path": "pages/b/b"}]}')).toContain(
      'navigationStyle',
    )
    for (const closed of ['{"pages": []}|', '{"pages": [}|', '[}|', '{"a": {}}|']) expect(labels(closed)).toEqual([])
  })

  it('offers nothing in unknown objects and outside of the root value', () => {
    expect(labels('{"xyz": {|}}')).toEqual([])
    expect(labels('{}|')).toEqual([])
  })
})

describe('hover', () => {
  it('documents an attribute with its default, condition and section', () => {
    const found = hover(
      ...at('{"pages": [{"path": "p", "style": {"app-plus": {"titleNView": {"cove|rage": "1px"}}}}]}'),
    )
    expect(found?.markdown).toContain('**coverage**')
    expect(found?.markdown).toContain('pages-json §2.6')
    expect(found?.markdown).toContain('Default: 132px')
    expect(found?.markdown).toContain('only if `type` is `transparent`')
  })

  it('documents keys of other tools, and no others', () => {
    expect(hover(...at('{"uniId|Router": {}}'))?.markdown).toContain('uni-id')
    expect(hover(...at('{"q|q": {}}'))).toBe(undefined)
  })
})

describe('pageAt', () => {
  it('returns the page that an entry or reference names', () => {
    const file =
      '{"subPackages": [{"root": "shop", "pages": [{"path": "ca|rt"}]}], "tabBar": {"list": [{"pagePath": "shop/cart"}]}}'
    expect(pageAt(...at(file))).toMatchObject({ path: 'shop/cart' })
    expect(pageAt(...at(file.replace('|', '').replace('shop/', 'sh|op/')))).toMatchObject({ path: 'shop/cart' })
    expect(pageAt(...at('{"ro|ot": 1}'))).toBe(undefined)
  })
})

describe('attributeAt', () => {
  it('returns the attribute as explain names it, and the page of the style', () => {
    const file = `{
  "globalStyle": { "navigationBarText^Style": "black" },
  "pages": [{ "path": "a/a" }, { "path": "b/b", "style": { "h5": { "titleNView": { "buttons": [{}, { "text": "^x" }] } } } }],
  "subPackages": [{ "root": "shop", "pages": [{ "path": "c", "style": { "enablePullDownRefresh"^: true } }] }],
  "tabBar": { "list": [{ "te^xt": "A" }] },
  "cond^ition": {}
}`
    const text = file.replaceAll('^', '')
    const marks = [...file.matchAll(/\^/g)].map(({ index }, before) => index - before)
    expect(marks.map((offset) => attributeAt(readPages(text), offset))).toEqual([
      { page: undefined, attribute: 'navigationBarTextStyle' },
      { page: 'b/b', attribute: 'h5.titleNView.buttons[1].text' },
      { page: 'shop/c', attribute: 'enablePullDownRefresh' },
      { page: undefined, attribute: 'tabBar.list[0].text' },
      undefined,
    ])
  })
})

describe('routes', () => {
  const config = readPages(
    '{"pages": [{"path": "pages/a/a"}, {"path": "pages/b/b"}\n// #ifdef H5\n, {"path": "pages/web/web"}\n// #endif\n], "tabBar": {"list": [{"pagePath": "pages/a/a"}]}}',
  )

  it('lists the pages of every build with the platforms on which tabs open them', () => {
    expect(routes(config)).toEqual([
      { path: 'pages/a/a', platforms: ['H5', 'App', 'Mini App'], tabOn: ['H5', 'App', 'Mini App'] },
      { path: 'pages/b/b', platforms: ['H5', 'App', 'Mini App'], tabOn: [] },
      { path: 'pages/web/web', platforms: ['H5'], tabOn: [] },
    ])
  })

  it('generates types', () => {
    const types = pagesTypes(config)
    expect(types).toContain('export type TabPath =\n  | "/pages/a/a"\n')
    expect(types).toContain('export type PagePath =\n  | "/pages/b/b"\n  | "/pages/web/web"\n')
    expect(types).toContain('export type LaunchPath = "/pages/a/a"')
  })
})
