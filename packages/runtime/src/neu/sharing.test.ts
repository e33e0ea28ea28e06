import { afterEach, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import type { SharedCard } from '../stack/hooks.ts'
import { sharePage } from './sharing.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Opens a page with this hook, and returns the app. */
function opened(onShareAppMessage?: (options: object) => unknown) {
  return memoryApp({
    'pages/a/a': { component: { render: () => null, ...(onShareAppMessage && { onShareAppMessage }) } as object },
  })
}

it('the menu shares the card that the page returns', async () => {
  const hook = vi.fn(() => ({
    title: 'Tea',
    path: '../b/b?id=1',
    imageUrl: '/static/tea.png',
    extraData: { cup: 2 },
  }))
  const { app, calls } = await opened(hook)
  app.carrier.onBarEvent({ type: 'share' })
  const imageUrl = 'https://app.example/mini/static/tea.png'
  const card = { title: 'Tea', path: 'pages/b/b?id=1', imageUrl, extraData: '{"cup":2}' }
  await expect.poll(() => calls).toEqual([['shareMiniApp', card]])
  expect(hook).toHaveBeenCalledWith({ from: 'menu' })
})

it('a card without a path opens the page, and a page without the hook shares the mini app', async () => {
  const { calls, app } = await opened(() => ({ title: 'Tea' }))
  Object.assign(app.top!.query, { id: '7' })
  await sharePage({ from: 'button', target: { dataset: { size: 'large' } } })
  expect(calls).toEqual([['shareMiniApp', { title: 'Tea', path: 'pages/a/a?id=7', imageUrl: '', extraData: '' }]])
  const plain = await opened()
  await sharePage({ from: 'menu' })
  expect(plain.calls).toEqual([['shareMiniApp', { title: '', path: '', imageUrl: '', extraData: '' }]])
})

it.each<[string, () => SharedCard | Promise<SharedCard>, string]>([
  ['in time', () => ({ title: 'Tea', promise: Promise.resolve({ title: 'Mint tea' }) }), 'Mint tea'],
  ['too late', () => ({ title: 'Tea', promise: new Promise(() => {}) }), 'Tea'],
  ['with an error', () => ({ title: 'Tea', promise: Promise.reject(new Error('offline')) }), 'Tea'],
  ['as the result', async () => ({ title: 'Mint tea' }), 'Mint tea'],
  [
    'never, because the hook fails',
    () => {
      throw new Error('broken')
    },
    '',
  ],
])('a promise of a card settles %s', async (_, hook, title) => {
  const { calls } = await opened(hook)
  vi.useFakeTimers()
  const sharing = sharePage({ from: 'menu' })
  await vi.advanceTimersByTimeAsync(3000)
  await sharing
  expect(calls).toMatchObject([['shareMiniApp', { title, path: 'pages/a/a' }]])
})

it('a page has 3 s for its card, with all its hooks and promises', async () => {
  const never = () => new Promise<SharedCard>(() => {})
  const hooks = [never, () => ({ title: 'Tea', promise: never() }), never]
  const { calls } = await opened(hooks as never)
  vi.useFakeTimers()
  const sharing = sharePage({ from: 'menu' })
  await vi.advanceTimersByTimeAsync(2999)
  expect(calls).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await sharing
  expect(calls).toMatchObject([['shareMiniApp', { title: 'Tea' }]])
})

const circular: { self?: object } = {}
circular.self = circular

it.each<[string, SharedCard, string]>([
  ['a removed picture', { imageUrl: 'blob:https://app.example/1' }, 'no longer kept'],
  ['a picture of another type', { imageUrl: 7 as never }, ''],
  ['data that JSON cannot contain', { extraData: circular }, 'circular'],
  ['a path of another type', { path: 7 as never }, ''],
])('the user and the mini app see why %s cannot be shared', async (_, card, reason) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const { calls, errors } = await opened(() => card)
  await sharePage({ from: 'menu' })
  expect(calls).toMatchObject([['showToast', { title: expect.stringContaining(reason) }]])
  expect(calls).toMatchObject([['showToast', { title: expect.stringMatching(/^This page could not be shared: ./) }]])
  expect(errors).toMatchObject([{ message: expect.stringContaining(reason) }])
})

it('the user and the mini app see what the host refuses, unless the user has closed the sheet', async () => {
  const { carrier, calls, errors } = await opened(() => ({ title: 'x'.repeat(201) }))
  const answer = carrier.call
  carrier.device.language = 'zh-CN'
  let refusal = 'shareMiniApp:fail title must be a string of at most 200 characters'
  carrier.call = (method, params) =>
    method === 'shareMiniApp' ? Promise.reject(new Error(refusal)) : answer(method, params)
  await sharePage({ from: 'button', target: { dataset: {} } })
  const title = '无法分享此页面：title must be a string of at most 200 characters'
  expect(calls).toMatchObject([['showToast', { title }]])
  expect(errors).toEqual([new Error(refusal)])
  refusal = 'shareMiniApp:fail cancel'
  await sharePage({ from: 'menu' })
  expect(calls).toHaveLength(1)
  expect(errors).toHaveLength(1)
})
