import { expect, test } from 'vitest'
import type { MiniApp } from './miniApps.ts'
import { findMiniApps, nameIn } from './search.ts'

const app = (name: string, more: Partial<MiniApp> = {}) =>
  ({ appid: name, name, names: {}, keywords: [], tabs: [], category: null, ...more }) as unknown as MiniApp
const coffee = app('Souk Coffee', {
  appid: 'c0ffee000000000',
  names: { ar_SA: 'قهوة سوق', zh_CN: '集市咖啡' },
  keywords: ['Café crème'],
  category: 'food',
  tabs: [
    { path: 'pages/orders/orders', title: 'Orders', titles: { 'zh-Hans': '订单', ar: 'الطلبات' } },
    { path: 'pages/me/me', title: 'Me', titles: {} },
  ],
})
const apps = [app('Best Souk'), coffee, app('إِعادة التدوير')]
const find = (query: string, locale: 'en' | 'ar' | 'zh-CN' = 'en') => {
  const { apps: found, pages } = findMiniApps(apps, query, locale, ({ category }) => (category ? 'Food and drink' : ''))
  return { apps: found.map(({ name }) => name), pages: pages.map(({ title }) => title) }
}

test.each([
  ['coffee', ['Souk Coffee']],
  ['  SOUK cof ', ['Souk Coffee']],
  ['cafe creme', ['Souk Coffee']],
  ['咖啡', ['Souk Coffee']],
  ['قهوه', ['Souk Coffee']],
  ['اعاده', ['إِعادة التدوير']],
  ['drink', ['Souk Coffee']],
  ['c0ffee000000000', ['Souk Coffee']],
  ['c0ffee', []],
  ['coffee tea', []],
])('finds mini apps by names, keywords and category: %s', (query, names) => {
  expect(find(query).apps).toEqual(names)
})

test('puts mini apps whose name begins with the query first', () => {
  expect(find('souk').apps).toEqual(['Souk Coffee', 'Best Souk'])
})

test('finds tabs in every language and shows them in the language of the user', () => {
  expect(find('order')).toEqual({ apps: [], pages: ['Orders'] })
  expect(find('订单', 'ar').pages).toEqual(['الطلبات'])
  expect(find('orders', 'zh-CN').pages).toEqual(['订单'])
})

test('names a mini app in the language of the user', () => {
  expect([nameIn('ar', coffee), nameIn('en', coffee)]).toEqual(['قهوة سوق', 'Souk Coffee'])
})
