import { expect, test } from 'vitest'
import { webViewUrl } from './pagePath.ts'

test('a URL that is not percent-encoded takes the whole rest of the path', () => {
  const url = 'https://shop.example/a?b=%20c&d=e?f#g'
  expect(webViewUrl(`pages/webview/webview?src=${url}`)).toBe(url)
  expect(webViewUrl(`/pages/webview/webview?src=${url}`)).toBe(url)
  expect(webViewUrl(`pages/webview/webview?src=${encodeURIComponent(url)}&title=x`)).toBe(url)
  expect(webViewUrl(`pages/webview/webview?title=x&src=${encodeURIComponent(url)}`)).toBe(url)
})

test('other pages and paths without a URL', () => {
  expect(webViewUrl('pages/index/index?src=https://shop.example')).toBeUndefined()
  expect(webViewUrl('pages/webview/webview')).toBe('')
  expect(webViewUrl('pages/webview/webview?src=')).toBe('')
})
