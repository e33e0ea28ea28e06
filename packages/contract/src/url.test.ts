import { expect, test } from 'vitest'
import { shownUrl, withShownUrls } from './url.ts'

test.each([
  ['https://user:hidden@souk.example:8443/a/b?token=hidden#hidden', 'https://souk.example:8443/a/b'],
  ['//souk.example?token=hidden', '//souk.example'],
  ['/sign-in?back=hidden@a', '…'],
  ['/sign-in?back=hidden', '/sign-in'],
  ['http://[::1]:7070/?hidden', 'http://[::1]:7070/'],
  ['http://user:hid/den@souk.example', '…@souk.example'],
  ['http://user:hid?den@souk.example', '…'],
  ['user:hidden@souk.example', '…@souk.example'],
  ['localhost:7070', 'localhost:7070'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown)
})

test('URLs in a text are shown in the same way, and the rest as it is', () => {
  const text = 'request to "https://u:hidden@a.example/b?c=hidden" failed; see (http://souk.example/docs).'
  expect(withShownUrls(text)).toBe('request to "https://a.example/b" failed; see (http://souk.example/docs).')
})
