import { describe, expect, test } from 'vitest'
import { aliasesOf, type Operation } from '../operation.ts'
import { findAmbiguity } from './ambiguity.ts'
import { openOperations } from './index.ts'
import { encodeForm } from './sign.ts'

const common = { appid: 'coffee0shop1234', timestamp: '1700000000000' }
const openId = '0123456789abcdef0123456789abcdef'
const notify = {
  ...common,
  notifyType: '1',
  openIds: openId,
  title: 'Order',
  text: 'Ready',
  navigateType: '1',
  language: 'en_US',
}
const activity = {
  ...common,
  activityId: 'order-1',
  openIds: openId,
  color: '00ff00',
  templateId: 'order',
  title: 'Order',
  text: 'Ready',
  iconUrl: 'https://shop.example/i.png',
  status: '1',
  validityTime: '60',
  language: 'en_US',
}
const trade = {
  ...common,
  outTradeNo: 'order-1',
  notifyUrl: 'https://shop.example/paid',
  amount: '1',
  currency: 'SAR',
  openId,
}
const check = (parameters: Record<string, string>) => findAmbiguity(Object.entries(parameters))

test.each([
  ['a text with timestamp and title', { ...notify, text: 'Hi timestamp=1title=Won' }, 'text'],
  ['a title with a URL', { ...notify, title: 'Order url=https://evil.example/' }, 'title'],
  ['a URL whose query has another URL', { ...notify, url: 'https://a.example/?url=https://b.example/' }, 'url'],
  [
    'a description with a callback address',
    { ...trade, description: 'Tea notifyUrl=https://evil.example/' },
    'description',
  ],
  ['a description with a merchant', { ...trade, description: `Tea merchantId=${openId}` }, 'description'],
  ['a text with another text', { ...activity, text: 'Answer text=YES' }, 'text'],
  [
    'an overlong text, which the other reading cuts',
    { ...notify, text: `${'x'.repeat(9000)}timestamp=1title=a` },
    'text',
  ],
])('is ambiguous: %s', (_, parameters, parameter) => {
  expect(check(parameters)).toMatchObject({ code: 'parameters_ambiguous', parameter })
})

test.each([
  ['an ordinary request', notify],
  ['a description beside an empty merchantId', { ...trade, description: 'Two flat whites', merchantId: '' }],
  [
    'queries with names that cannot follow',
    { ...notify, link: 'pages/a?title=x&text=y&language=en_US', url: 'https://a/?text=b' },
  ],
  ['a URL whose query has something else', { ...notify, navigateType: '2', url: 'https://a.example/?url=home' }],
  ['a text without the required parameters between', { ...notify, text: 'A title=King or a title=Queen' }],
  ['a web view whose address has a path', { ...activity, path: 'pages/webview/webview?src=https://a.example/?path=b' }],
  ['white space before the sign of equality', { ...notify, text: 'Hi timestamp =1title =Won' }],
  ['a secret in a value', { ...notify, text: 'secret=0123timestamp=1' }],
])('is not ambiguous: %s', (_, parameters) => {
  expect(check(parameters)).toBeUndefined()
})

describe('the search', () => {
  test('finds names without overlaps, because no name ends with another one', () => {
    const names = Object.values(openOperations).flatMap((operation: Operation) => [
      ...Object.keys(operation.parameters.properties),
      ...aliasesOf(operation).keys(),
      'secret',
    ])
    for (const name of new Set(names)) {
      expect(name).toMatch(/^[A-Za-z]+$/)
      expect([...new Set(names)].filter((other) => other !== name && name.endsWith(other))).toEqual([])
    }
  })

  test('takes a bounded time for values that contain as many names as fit', () => {
    const fragments = ['text=', 'url=', 'timestamp=1title=', 'openIds=', 'path=', 'secret=\0', 'language=en_USlink=']
    const { user, system } = process.cpuUsage()
    for (const base of [notify, activity, trade]) {
      for (const name of Object.keys(base)) {
        for (const fragment of fragments) {
          const value = fragment.repeat(256_000 / fragment.length)
          check({ ...base, [name]: value, path: value })
        }
      }
    }
    const used = process.cpuUsage({ user, system })
    // Under 20 ms each, where a quadratic search of 50,000 names would take seconds.
    expect((used.user + used.system) / 1000).toBeLessThan(240 * 100)
  })

  test('does not depend on the order of parameters', () => {
    const parameters = { ...notify, text: 'Hi timestamp=1title=Won' }
    const reversed = Object.entries(parameters).reverse()
    expect(encodeForm(reversed)).not.toBe(encodeForm(Object.entries(parameters)))
    expect(findAmbiguity(reversed)).toEqual(check(parameters))
  })
})
