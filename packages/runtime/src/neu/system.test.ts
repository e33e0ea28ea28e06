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
  expect(getLaunchOptionsSync()).toMatchObject({ path, query })
})
