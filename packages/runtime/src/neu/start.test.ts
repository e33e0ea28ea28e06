import { expect, it } from 'vitest'
import { neu } from './start.ts'

// A constant of the build.
Object.assign(globalThis, { __SOUK_UNI_APP__: false })

it('has the services at first, and the others with them, except those that the app has set', async () => {
  const { navigateTo, getStorageSync, $u, toJSON } = neu as unknown as Record<string, unknown>
  expect([typeof navigateTo, $u, toJSON]).toEqual(['function', undefined, undefined])
  expect(neu.navigateTo).toBe(navigateTo)
  const own = () => 1
  Object.assign(neu, { rpx2px: own })
  const { getNothing } = neu as unknown as { getNothing(): Promise<unknown> }
  await expect(getNothing()).rejects.toMatchObject({ errMsg: 'getNothing:fail not supported' })
  expect(neu.getStorageSync).not.toBe(getStorageSync)
  expect(neu.createSelectorQuery).toBeTypeOf('function')
  expect((neu as unknown as { getExtConfigSync(): unknown }).getExtConfigSync()).toEqual({})
  expect([neu.rpx2px, neu.navigateTo]).toEqual([own, navigateTo])
})
