import { expect, test } from 'vitest'
import { startOf, webAddressOf } from './pagePath.ts'

test('a page is told from its query', () => {
  expect(startOf('pages/cup/cup')).toEqual({ path: 'pages/cup/cup', query: {} })
  expect(startOf('/pages/cup/cup?id=1&note=a%26b%3F')).toEqual({
    path: 'pages/cup/cup',
    query: { id: '1', note: 'a&b?' },
  })
})

test('a web page is the host’s to show, unless the mini app has the page for it', () => {
  const page = 'pages/webview/webview?src=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc'
  expect(webAddressOf(page, [{ path: 'pages/index/index' }])).toBe('https://example.com/a?b=c')
  expect(webAddressOf(page, [{ path: 'pages/webview/webview' }])).toBeUndefined()
  expect(webAddressOf('pages/index/index?src=https://example.com', [])).toBeUndefined()
})
