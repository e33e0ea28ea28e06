import { expect, test } from 'vitest'
import { hostedUrl, parsePage } from './pagePath.ts'

test('separates the path of a page from its query', () => {
  expect(parsePage('pages/cup/cup')).toEqual({ path: 'pages/cup/cup', query: {} })
  expect(parsePage('/pages/cup/cup?id=1&note=a%26b%3F')).toEqual({
    path: 'pages/cup/cup',
    query: { id: '1', note: 'a&b?' },
  })
})

test('returns the URL of a web page unless the mini app has the page', () => {
  const page = 'pages/webview/webview?src=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc'
  expect(hostedUrl(page, [{ path: 'pages/index/index' }])).toBe('https://example.com/a?b=c')
  expect(hostedUrl(page, [{ path: 'pages/webview/webview' }])).toBeUndefined()
  expect(hostedUrl('pages/index/index?src=https://example.com', [])).toBeUndefined()
})
