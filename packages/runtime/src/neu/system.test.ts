import { afterEach, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import { getLaunchOptionsSync } from './system.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it.each([
  [undefined, 'pages/a/a', {}],
  // On H5 the address bar shows the launch page without its path.
  [{ path: '', query: { id: '1' } }, 'pages/a/a', { id: '1' }],
  [{ path: 'pages/b/b', query: {} }, 'pages/b/b', {}],
])('the launch options of an app that was opened with %j have the path %s', async (start, path, query) => {
  const { carrier } = await memoryApp({ 'pages/a/a': {}, 'pages/b/b': {} })
  Object.assign(carrier, { start })
  expect(getLaunchOptionsSync()).toEqual({ path, query, scene: 1001, referrerInfo: {} })
})

it('the launch options contain the mini app that has opened this one, and what it has passed', async () => {
  const { carrier } = await memoryApp({ 'pages/a/a': {} })
  Object.assign(carrier, { referrer: { appid: 'a1', extraData: '{"from":1}' } })
  const referrerInfo = { appId: 'a1', extraData: { from: 1 } }
  expect(getLaunchOptionsSync()).toEqual({ path: 'pages/a/a', query: {}, scene: 1037, referrerInfo })
  Object.assign(carrier, { referrer: { appid: 'a1' } })
  expect(getLaunchOptionsSync().referrerInfo).toEqual({ appId: 'a1' })
})
