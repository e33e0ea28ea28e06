import { describe, expect, it } from 'vitest'
import { check } from './check/check.ts'
import { readPages } from './config.ts'
import { applyEdits, fixAll, minimalEdit, removeValue, renamePage, setValue, type ValuePath } from './edit.ts'
import type { Json } from './parse/nodes.ts'

const set = (text: string, path: ValuePath, value: Json) => {
  const edits = setValue(readPages(text), path, value)
  return edits && applyEdits(text, edits)
}
const remove = (text: string, path: ValuePath) => {
  const edits = removeValue(readPages(text), path)
  return edits && applyEdits(text, edits)
}

const text = `{
  // pages
  "pages": [
    {
      "path": "pages/a/a", // first
      "style": {}
    }
  ]
}
`

describe('minimalEdit', () => {
  it.each([
    ['abcd', 'abXd', { offset: 2, length: 1, text: 'X' }],
    ['aa', 'aaa', { offset: 2, length: 0, text: 'a' }],
    ['aaa', 'a', { offset: 1, length: 2, text: '' }],
    ['', 'a', { offset: 0, length: 0, text: 'a' }],
    ['same', 'same', { offset: 4, length: 0, text: '' }],
  ])('turns %j into %j with one edit', (before, after, edit) => {
    expect(minimalEdit(before, after)).toEqual(edit)
    expect(applyEdits(before, [edit])).toBe(after)
  })
})

describe('setValue', () => {
  it('replaces a value and preserves comments and formatting', () => {
    expect(set(text, ['pages', 0, 'path'], 'pages/b/b')).toBe(text.replace('"pages/a/a"', '"pages/b/b"'))
  })

  it('adds a property formatted like its siblings, and missing parent objects', () => {
    expect(set(text, ['pages', 0, 'name'], 'x')).toBe(text.replace('"style": {}', '"style": {},\n      "name": "x"'))
    expect(set(text, ['pages', 0, 'style', 'h5', 'titleNView'], false)).toBe(
      text.replace('"style": {}', '"style": {\n        "h5": {\n          "titleNView": false\n        }\n      }'),
    )
    expect(set('{"a": 1}', ['b'], 2)).toBe('{"a": 1, "b": 2}')
    expect(set('{\r\n\t"a": 1\r\n}', ['b'], [])).toBe('{\r\n\t"a": 1,\r\n\t"b": []\r\n}')
  })

  it('replaces a name that is not defined', () => {
    expect(set('{"globalStyle": {"backgroundColor": "@back"}}', ['globalStyle', 'backgroundColor'], '#FFFFFF')).toBe(
      '{"globalStyle": {"backgroundColor": "#FFFFFF"}}',
    )
  })

  it('returns undefined if the path does not exist', () => {
    expect(set(text, ['pages', 5, 'path'], 'x')).toBe(undefined)
    expect(set(text, ['pages', 0, 'path', 'x'], 'x')).toBe(undefined)
  })
})

describe('removeValue', () => {
  it('removes a property or item with its comma and line', () => {
    expect(remove('{\n  "a": 1,\n  "b": 2\n}', ['a'])).toBe('{\n  "b": 2\n}')
    expect(remove('{\n  "a": 1,\n  "b": 2\n}', ['b'])).toBe('{\n  "a": 1\n}')
    expect(remove('[1, 2, 3]', [1])).toBe('[1, 3]')
    expect(remove('{"a": 1}', ['a'])).toBe('{}')
    expect(remove('{"a": 1}', ['b'])).toBe(undefined)
  })

  it('removes the comma after a comment, and preserves the comment', () => {
    expect(remove('{"a": 1 /* one */, "b": 2}', ['a'])).toBe('{ /* one */ "b": 2}')
    expect(remove('[1 /** one **/, 2]', [0])).toBe('[ /** one **/ 2]')
    expect(remove('{\n  "a": 1 // one\n  , "b": 2\n}', ['a'])).toBe('{\n   // one\n   "b": 2\n}')
  })
})

describe('renamePage', () => {
  const all = `{
  "pages": [{ "path": "pages/a/a" }, { "path": "pages/b/b" }],
  "subPackages": [{ "root": "shop", "pages": [{ "path": "cart/cart" }] }],
  "tabBar": { "list": [{ "pagePath": "/pages/a/a" }, { "pagePath": "pages/b/b" }] },
  // #ifdef H5
  "entryPagePath": "pages/a/a",
  // #endif
  "preloadRule": { "pages/a/a": { "packages": ["shop"] } },
  "leftWindow": { "path": "/pages/a/a.vue" }, "rightWindow": { "path": "pages/a/a" },
  "topWindow": { "path": "@/pages/a/a" },
  "condition": { "current": 0, "list": [{ "name": "x", "path": "pages/a/a?id=1" }, { "name": "y", "path": "shop/cart/cart" }] }
}`
  const rename = (from: string, to: string) => {
    const edits = renamePage(readPages(all), from, to)
    return Array.isArray(edits) ? applyEdits(all, edits) : edits
  }

  it('renames a page and all references in every variant, and nothing else', () => {
    expect(rename('pages/a/a', 'pages/new/new')).toBe(all.replaceAll('pages/a/a', 'pages/new/new'))
  })

  it('writes the path of a subpackage page relative to its root in the entry only', () => {
    expect(rename('shop/cart/cart', '/shop/basket/basket')).toBe(
      all.replace('"cart/cart"', '"basket/basket"').replace('shop/cart/cart', 'shop/basket/basket'),
    )
  })

  it('rejects unknown pages, taken or invalid paths, and paths outside the subpackage', () => {
    for (const [from, to] of [
      ['pages/x/x', 'pages/y/y'],
      ['pages/a/a', 'pages/b/b'],
      ['pages/a/a', ' a'],
      ['pages/a/a', 'pages/c/c.vue'],
      ['shop/cart/cart', 'pages/c/c'],
    ] as const) {
      expect(rename(from, to)).toHaveProperty('error')
    }
  })
})

describe('fixAll', () => {
  it('fixes a broken file in several rounds', () => {
    let broken = `{
  'pages': [
    { "path": "/pages/a/a" "style": { "enablePullDownRefresh": "true" "navigationBarTextStyle": "whit" } }
    { "path": "pages/b/b.vue", }
  ]
}`
    for (let round = 0; round < 5; round += 1) broken = applyEdits(broken, fixAll(check(readPages(broken))).edits)
    expect(broken).toBe(`{
  "pages": [
    { "path": "pages/a/a", "style": { "enablePullDownRefresh": true, "navigationBarTextStyle": "white" } },
    { "path": "pages/b/b", }
  ]
}`)
    expect(check(readPages(broken))).toEqual([])
  })
})
