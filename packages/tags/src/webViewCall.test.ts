import { expect, test } from 'vitest'
import { readCall } from './webViewCall.ts'

const sent = (name: unknown, arg: unknown) => ({
  type: 'WEB_INVOKE_APPSERVICE',
  data: { options: { timestamp: 1 }, name, arg },
  pageId: '',
})

test.each([
  ['navigateTo', 'navigate'],
  ['redirectTo', 'redirect'],
  ['reLaunch', 'reLaunch'],
  ['switchTab', 'switchTab'],
] as const)('%s opens a page', (name, openType) => {
  const url = '/pages/a/a?name=%C3%BC'
  expect(readCall(sent(name, { url, success: 'x' }))).toEqual({ name: 'navigate', openType, url, options: {} })
  for (const wrong of [{}, { url: '' }, { url: 1 }, null, 'x', undefined])
    expect(readCall(sent(name, wrong))).toEqual({ name: 'refused', reason: `${name} has no url` })
})

test('navigateBack takes a number of pages only', () => {
  const back = (options: object) => ({ name: 'navigate', openType: 'navigateBack', url: '', options })
  expect(readCall(sent('navigateBack', { delta: 2 }))).toEqual(back({ delta: 2 }))
  for (const arg of [{}, { delta: '2' }, { delta: Number.NaN }, undefined])
    expect(readCall(sent('navigateBack', arg))).toEqual(back({}))
})

test('postMessage passes on whatever was posted', () => {
  for (const data of [{ a: 1 }, 'text', 0, null, [1]])
    expect(readCall(sent('postMessage', data))).toEqual({ name: 'postMessage', data })
})

test.each(['setStorage', 'exit', 'constructor', '__proto__', '', 1, null, undefined])('refuses %s', (name) => {
  expect(readCall(sent(name, { url: '/pages/a/a' }))).toMatchObject({ name: 'refused' })
})

test.each([
  undefined,
  null,
  1,
  'text',
  [],
  {},
  { type: 'other', data: { name: 'postMessage' } },
  { type: 'WEB_INVOKE_APPSERVICE' },
])('does not take %j for a call', (message) => {
  expect(readCall(message)).toBeUndefined()
})
