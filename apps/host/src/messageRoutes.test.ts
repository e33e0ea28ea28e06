import { expect, test } from 'vitest'
import { toNotified } from './messageRoutes.ts'

const item = { appid: 'a1', navigateType: '1', link: null, url: null }

test('a notification leads to the page of its mini app, with its query, or to the first one', () => {
  const link = 'pages/order/order?id=7&from=inbox'
  expect(toNotified({ ...item, link })).toEqual({ name: 'miniApp', params: { appid: 'a1' }, query: { page: link } })
  expect(toNotified(item)).toEqual({ name: 'miniApp', params: { appid: 'a1' }, query: {} })
})

test('one with navigateType 2 leads to its address', () => {
  const url = 'https://shop.example/sale?x=1'
  expect(toNotified({ ...item, navigateType: '2', url, link: 'pages/a/a' })).toEqual({
    name: 'webView',
    query: { url },
  })
})
