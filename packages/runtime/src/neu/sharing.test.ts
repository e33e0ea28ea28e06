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
