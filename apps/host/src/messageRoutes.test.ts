import { expect, test } from 'vitest'
import { notificationRoute } from './messageRoutes.ts'

const item = { appid: 'a1', navigateType: '1', link: null, url: null }

test('routes a notification to the page in `link`, or to the launch page', () => {
  const link = 'pages/order/order?id=7&from=inbox'
  expect(notificationRoute({ ...item, link })).toEqual({
    name: 'miniApp',
    params: { appid: 'a1' },
    query: { page: link },
  })
  expect(notificationRoute(item)).toEqual({ name: 'miniApp', params: { appid: 'a1' }, query: {} })
})

test('routes a notification with navigateType 2 to its URL', () => {
  const url = 'https://shop.example/sale?x=1'
  expect(notificationRoute({ ...item, navigateType: '2', url, link: 'pages/a/a' })).toEqual({
    name: 'webView',
    query: { appid: item.appid, url },
  })
})
