import { describe, expect, it } from 'vitest'
import { formatUrl, parseUrl } from './address.ts'

describe('the url of a page', () => {
  it.each([
    ['/pages/b/b', 'pages/b/b'],
    ['../b/b', 'pages/b/b'],
    ['./b', 'pages/a/b'],
    ['b', 'pages/a/b'],
    ['../../../../x/x', 'x/x'],
    ['/pages//b/./b/', 'pages/b/b'],
    ['/pages/b/b#part', 'pages/b/b'],
  ])('%s on pages/a/a is %s', (url, path) => {
    expect(parseUrl(url, 'pages/a/a')).toEqual({ path, query: {} })
  })

  it('decodes its query, takes the last of equal names, and allows any name', () => {
    expect(parseUrl('/a?x=1&x=2&y&z=%3D%26+%&=e&w=a=b&__proto__=p').query).toEqual(
      Object.fromEntries([
        ['x', '2'],
        ['y', ''],
        ['z', '%3D%26 %'],
        ['', 'e'],
        ['w', 'a=b'],
        ['__proto__', 'p'],
      ]),
    )
  })

  it('survives formatting and parsing', () => {
    const address = { path: 'pages/a/a', query: { 'a b': '=&?#/+ü', empty: '' } }
    expect(parseUrl(formatUrl(address))).toEqual(address)
    expect(formatUrl({ path: 'a', query: {} })).toBe('/a')
  })
})
