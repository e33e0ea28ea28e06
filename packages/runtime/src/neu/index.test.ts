import { expect, it, vi } from 'vitest'
import { laterNames, neu } from './index.ts'
import type { Task } from './request.ts'

const patiently = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000 })

it('aborts a request made before the services are loaded', async () => {
  const { services } = await import('./lazyServices.ts')
  expect(services).toBe(undefined)
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  vi.stubGlobal('location', { href: 'https://app.example/' })
  const fail = vi.fn()
  const task: Task = neu.request({ url: 'https://api.example/', fail })
  task.abort()
  await patiently(() => expect(fail).toHaveBeenCalledWith(expect.objectContaining({ errMsg: 'request:fail abort' })))
  const again = vi.fn()
  neu.request({ url: 'https://api.example/', fail: again }).abort()
  await patiently(() => expect(again).toHaveBeenCalledWith(expect.objectContaining({ errMsg: 'request:fail abort' })))
  vi.unstubAllGlobals()
})

it('has exactly the functions of the lazy services', async () => {
  const { serviceNames } = await import('./services.ts')
  expect([...laterNames].sort()).toEqual([...serviceNames].sort())
  for (const name of serviceNames) expect(neu).toHaveProperty(name)
})

it('reports available functions by canIUse', () => {
  expect(neu.canIUse('navigateTo')).toBe(true)
  expect(neu.canIUse('showToast.object.title')).toBe(true)
  expect(neu.canIUse('toString')).toBe(false)
})

it('passes listeners on without checking them as options', async () => {
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('navigator', { onLine: true })
  const listener = vi.fn()
  const { serve } = await import('./services.ts')
  expect(() => serve('onNetworkStatusChange', listener as never)).not.toThrow()
  expect(() => serve('offNetworkStatusChange', undefined as never)).not.toThrow()
  expect(() => serve('navigateTo', listener as never)).toThrow('parameter should be Object instead of Function')
  vi.unstubAllGlobals()
})

it('checks the options of lazy functions, in both styles', async () => {
  const errMsg = 'setTabBarBadge:fail parameter error: parameter.index should be Number instead of Undefined'
  await expect(neu.setTabBarBadge({ text: '1' } as never)).rejects.toMatchObject({ errMsg })
  const fail = vi.fn()
  neu.setTabBarBadge({ text: '1', fail } as never)
  await patiently(() => expect(fail).toHaveBeenCalledWith(expect.objectContaining({ errMsg })))
})

it('rejects options of a wrong type, at compile time and at run time', async () => {
  const text = 'should be String instead of Number'
  // @ts-expect-error a title is a string
  await expect(neu.showToast({ title: 7 })).rejects.toThrow(`showToast:fail parameter error: parameter.title ${text}`)
  // @ts-expect-error with callbacks too
  neu.showModal({ content: 7, success: () => {} })
  // @ts-expect-error and if no option is required
  await expect(neu.showLoading({ title: 7 })).rejects.toThrow(text)
  // @ts-expect-error unknown function
  neu.hideTabBar({ animated: true }).catch(() => {})
  // @ts-expect-error options are an object
  await expect(neu.login(7)).rejects.toThrow('parameter should be Object instead of Number')
})
