import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { effectScope, nextTick, reactive } from 'vue'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { answers } from './answers.ts'
import { neu, wx } from './index.ts'
import { services } from './lazyServices.ts'
import * as names from './names.generated.ts'
import { objectFunctions } from './objects.ts'
import { storageFunctions } from './storage.ts'
import { systemFunctions } from './system.ts'
import { availableFunctions, missingFunctions } from './table/index.ts'
import type { RequestTask } from './table/network.ts'
import { readBrowser, readUserAgent } from './userAgent.ts'

// Constants of the build.
Object.assign(globalThis, { __SOUK_PLATFORM__: 'App', __SOUK_UNI_APP__: false })

const patiently = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000 })

it('aborts a request made before the services are loaded', async () => {
  const { services } = await import('./lazyServices.ts')
  expect(services).toBe(undefined)
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  vi.stubGlobal('location', { href: 'https://app.example/' })
  const fail = vi.fn()
  const task: RequestTask = neu.request({ url: 'https://api.example/', fail })
  task.abort()
  await patiently(() => expect(fail).toHaveBeenCalledWith(expect.objectContaining({ errMsg: 'request:fail abort' })))
  const again = vi.fn()
  neu.request({ url: 'https://api.example/', fail: again }).abort()
  await patiently(() => expect(again).toHaveBeenCalledWith(expect.objectContaining({ errMsg: 'request:fail abort' })))
  vi.unstubAllGlobals()
})

it('has exactly the functions of the lists, by which the build finds their modules', async () => {
  const { services: served } = await import('./services.ts')
  const sorted = (all: Iterable<string>) => [...all].sort()
  expect(sorted(names.serviceNames)).toEqual(sorted(Object.keys(served)))
  expect(sorted(names.storageNames)).toEqual(sorted(Object.keys(storageFunctions)))
  expect(sorted(names.systemNames)).toEqual(sorted(Object.keys(systemFunctions)))
  expect(sorted(names.answerNames)).toEqual(sorted(Object.keys(answers)))
  expect(sorted(names.objectNames)).toEqual(sorted(Object.keys(objectFunctions)))
  expect(sorted(Object.keys(neu))).toEqual(sorted(new Set(Object.values(names).flat())))
})

it('has exactly the functions that the table lists as available', () => {
  expect(Object.keys(availableFunctions).sort()).toEqual(Object.keys(neu).sort())
  expect(Object.keys(missingFunctions).filter((name) => Object.hasOwn(availableFunctions, name))).toEqual([])
})

const missingOnes = Object.entries(missingFunctions).map(([name, { kind }]) => ({ name, kind }))

it.each(missingOnes)('$name, which is missing, never throws and fails with not supported', async ({ name, kind }) => {
  const called = (neu as unknown as Record<string, (argument?: unknown) => unknown>)[name]!
  expect(neu.canIUse(name)).toBe(false)
  if (kind === 'async') {
    const errMsg = `${name}:fail not supported`
    await expect(called()).rejects.toMatchObject({ errMsg })
    const fail = vi.fn()
    expect(called({ fail })).toBe(undefined)
    await patiently(() => expect(fail).toHaveBeenCalledWith(expect.objectContaining({ errMsg })))
  } else if (kind === 'object') {
    const fail = vi.fn()
    const object = called() as Record<string, (options?: object) => unknown>
    expect(() => object.start!({ fail })).not.toThrow()
    expect(fail).toHaveBeenCalledWith(expect.objectContaining({ errMsg: `${name}:fail not supported` }))
  } else {
    expect(called(() => {})).toEqual(kind === 'sync' ? {} : undefined)
  }
})

it('reports to onError, and to the promise of each method, that advertisements are missing', async () => {
  const create = (neu as unknown as Record<string, (options: object) => never>).createRewardedVideoAd!
  const ad: Record<'onError' | 'onLoad' | 'load' | 'show', (listener?: unknown) => Promise<void>> = create({})
  const [onError, onLoad] = [vi.fn(), vi.fn()]
  void ad.onLoad(onLoad)
  void ad.onError(onError)
  const errMsg = 'createRewardedVideoAd:fail not supported'
  await expect(ad.load().then(() => ad.show())).rejects.toMatchObject({ errMsg })
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ errMsg }))
  expect(onLoad).not.toHaveBeenCalled()
})

it('reports the language that the app sets, and determines no permission in advance', async () => {
  setCarrier({ device: reactive({ language: 'zh-CN', theme: 'light', orientation: 'portrait' }) } as Carrier)
  const onLocaleChange = vi.fn()
  expect(neu.getLocale()).toBe('zh-Hans')
  neu.onLocaleChange(onLocaleChange)
  await patiently(() => expect(services).toBeDefined())
  neu.setLocale('ar')
  expect(neu.getLocale()).toBe('ar')
  await patiently(() => expect(onLocaleChange).toHaveBeenCalledWith({ locale: 'ar' }))
  neu.offLocaleChange(onLocaleChange)
  neu.setLocale('')
  expect(neu.getSystemSetting()).toEqual({ deviceOrientation: 'portrait' })
  expect(neu.getAppAuthorizeSetting()).toMatchObject({ cameraAuthorized: 'not determined' })
})

it('reads name and version of the browser from the user agent', () => {
  const chrome = 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.1.2 Safari/537.36'
  const browsers = [
    chrome,
    `${chrome} Edg/126.0.3`,
    'Gecko/20100101 Firefox/128.0',
    'Version/17.5 Mobile/15E148 Safari/604.1',
  ]
  expect(['', ...browsers].map(readBrowser)).toEqual([
    { name: '', version: '' },
    { name: 'chrome', version: '126.0.1.2' },
    { name: 'edge', version: '126.0.3' },
    { name: 'firefox', version: '128.0' },
    { name: 'safari', version: '17.5' },
  ])
})

it('reads model and version of the device from the user agent', () => {
  const android = (text: string) => readUserAgent(`Mozilla/5.0 (${text}) AppleWebKit/537.36`, 'Android')
  expect(android('Linux; Android 10; K')).toEqual({ model: 'K', version: '10' })
  expect(android('Linux; U; Android 8.1.0; zh-cn; MI 8 Build/OPM1.171019')).toEqual({ model: 'MI 8', version: '8.1.0' })
  expect(android('Android 13; Mobile; rv:109.0')).toEqual({ model: '', version: '13' })
  expect(android('X11; Linux x86_64')).toEqual({ model: 'PC', version: '0' })
  const ios = (text: string) => readUserAgent(`Mozilla/5.0 (${text}) AppleWebKit/605.1.15 Version/17.5 Safari`, 'iOS')
  expect(ios('iPhone; CPU iPhone OS 16_5_1 like Mac OS X')).toEqual({ model: 'iPhone', version: '16.5.1' })
  expect(ios('Macintosh; Intel Mac OS X 10_15_7')).toEqual({ model: 'iPad', version: '17.5' })
  expect(readUserAgent('Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows')).toEqual({ model: 'PC', version: '10' })
  expect(readUserAgent('(Macintosh; Intel Mac OS X 10_15_7)', 'Mac')).toEqual({ model: 'PC', version: '10.15.7' })
  expect(readUserAgent('Mozilla/5.0 (X11; Linux x86_64)', 'Linux')).toEqual({ model: 'PC', version: '0' })
  expect(readUserAgent('(Phone; OpenHarmony 5.0) ArkWeb/4', 'HarmonyOS')).toEqual({ model: '', version: '5.0' })
})

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const laterWord = fc.stringMatching(/^[A-Z][A-Za-z\d]{0,8}$/)
const camelCase = fc.tuple(word, laterWord).map((words) => words.join(''))
const probed = ['toJSON', 'webView', 'miniProgram']

it('fails with not supported for every unknown name in camel case', async () => {
  const isUnknown = (name: string) => !Object.hasOwn(neu, name) && !probed.includes(name) && !(name in Object.prototype)
  const takesOptions = (name: string) =>
    !/^(o(n|ff)|report|create|require)[A-Z]|Sync$|^get(\w*(Manager|Adapter)|Performance)$/.test(name)
  await fc.assert(
    fc.asyncProperty(camelCase.filter(isUnknown), async (name) => {
      for (const api of [neu, wx]) {
        const { [name]: called } = api as unknown as Record<string, (options?: object) => unknown>
        expect([name, typeof called, neu.canIUse(name)]).toEqual([name, 'function', false])
        const fail = vi.fn()
        expect(() => void called!({ fail })).not.toThrow()
        if (!takesOptions(name)) continue
        await expect(called!()).rejects.toMatchObject({ errMsg: `${name}:fail not supported` })
        expect(fail).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ errMsg: `${name}:fail not supported` }))
      }
    }),
  )
})

it('has no function for the names that libraries and projects test or add', () => {
  const other = fc.oneof(
    word.filter((name) => !/^(authorize|login|report|request|share|vibrate)$/.test(name)),
    fc.tuple(fc.constantFrom('$', '_', '__', '@'), camelCase).map((parts) => parts.join('')),
    laterWord,
    fc.tuple(camelCase, fc.constantFrom('-', '.', ' '), word).map((parts) => parts.join('')),
  )
  const known = new Set(Object.values(names).flat())
  const get = (name: string | symbol) => [neu, wx].map((api) => Reflect.get(api, name))
  fc.assert(
    fc.property(
      other.filter((name) => !known.has(name)),
      (name) => get(name).every((it) => it === undefined),
    ),
  )
  const tested =
    '$u $http $api __f__ __v_isRef __v_skip __v_raw webview webView miniProgram cloud then catch finally toJSON app ' +
    'store config length name $$typeof _isVue UTSJSONObject'
  for (const name of tested.split(' ')) expect([name, ...get(name)]).toEqual([name, undefined, undefined])
  for (const symbol of [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.asyncIterator])
    expect(get(symbol)).toEqual([undefined, undefined])
})

it('is an object like others, to which projects add what they like', async () => {
  const api = neu as unknown as Record<string, unknown>
  expect([String(neu), JSON.stringify(neu)?.startsWith('{'), await Promise.resolve(neu)]).toEqual([
    '[object Object]',
    true,
    neu,
  ])
  expect([api.hasOwnProperty, api.constructor]).toEqual([Object.prototype.hasOwnProperty, Object])
  api.$u = { name: 'own' }
  api.formatPrice = () => 'own'
  expect([api.$u, (api.formatPrice as () => string)()]).toEqual([{ name: 'own' }, 'own'])
  delete api.$u
  delete api.formatPrice
})

it('provides wx, which is not an object for libraries that detect another platform by it', () => {
  expect(wx.navigateTo).toBe(neu.navigateTo)
  expect(typeof wx).toBe('function')
  expect('getStorageSync' in wx).toBe(true)
})

it('lets interceptors change, stop and answer calls, and replace the returned promise', async () => {
  const seen: unknown[] = []
  const interceptor = {
    invoke(options: { service: string }) {
      options.service += '!'
      if (options.service === 'stop!') return false
    },
    success: (result: object) => ({ ...result, extra: 1 }),
    complete: (outcome: object) => void seen.push(outcome),
  }
  neu.addInterceptor('getProvider', interceptor as never)
  const result = { errMsg: 'getProvider:ok', service: 'oauth!', provider: [], extra: 1 }
  expect(await neu.getProvider({ service: 'oauth' })).toEqual(result)
  expect(seen).toHaveLength(1)
  const success = vi.fn()
  neu.getProvider({ service: 'stop' as 'push', complete: success })
  neu.getProvider({ service: 'share', success })
  await patiently(() => expect(success).toHaveBeenCalledOnce())
  expect(success).toHaveBeenCalledWith({ ...result, service: 'share!' })
  neu.removeInterceptor('getProvider')
  const wrap = { returnValue: (promise: Promise<object>) => promise.then((value) => [null, value]) }
  neu.addInterceptor(wrap as never)
  expect(await neu.getProvider({ service: 'oauth' })).toEqual([null, { ...result, service: 'oauth', extra: undefined }])
  neu.removeInterceptor(wrap as never)
  expect(await neu.getProvider({ service: 'oauth' })).toMatchObject({ service: 'oauth' })
})

it('converts between bytes and base64', () => {
  const base64 = neu.arrayBufferToBase64(Uint8Array.of(0, 127, 128, 255).buffer)
  expect(base64).toBe('AH+A/w==')
  expect([...new Uint8Array(neu.base64ToArrayBuffer(base64))]).toEqual([0, 127, 128, 255])
})

it('records an animation as steps and empties it when it is exported', () => {
  vi.stubGlobal('HTMLElement', class {})
  const animation = neu.createAnimation({ duration: 100 })
  animation.translateX(10).opacity(0.5).step({ delay: 5 })
  expect(animation.export()).toEqual({
    actions: [
      {
        options: { duration: 100, delay: 5 },
        calls: [
          ['translateX', [10]],
          ['opacity', [0.5]],
        ],
      },
    ],
  })
  expect(animation.export()).toEqual({ actions: [] })
  vi.unstubAllGlobals()
})

it('reports available functions by canIUse', () => {
  expect(neu.canIUse('navigateTo')).toBe(true)
  expect(neu.canIUse('showToast.object.title')).toBe(true)
  expect(neu.canIUse('toString')).toBe(false)
})

it.each([
  ['en', 279, 367],
  ['ar', 8, 96],
])('has the capsule where the host draws it, in %s', (language, left, right) => {
  setCarrier({ device: { width: 375, statusBarHeight: 20, language } } as Carrier)
  const height = 32
  expect(neu.getMenuButtonBoundingClientRect()).toEqual({ top: 26, bottom: 58, left, right, width: 88, height })
})

it('has a capsule only in a host, but its function everywhere', () => {
  const name = 'getMenuButtonBoundingClientRect'
  for (const [platform, has] of [['H5', false] as const, ['App', true] as const]) {
    vi.stubGlobal('__SOUK_PLATFORM__', platform)
    expect([platform, neu.canIUse(name), typeof neu[name]]).toEqual([platform, has, 'function'])
  }
  vi.unstubAllGlobals()
})

it('calls listeners of device events after the component that added the first one is unmounted', async () => {
  const device = reactive({ theme: 'light' })
  setCarrier({ device } as unknown as Carrier)
  const [first, second] = [vi.fn(), vi.fn()]
  const component = effectScope()
  component.run(() => neu.onThemeChange(first))
  component.stop()
  neu.onThemeChange(second)
  device.theme = 'dark'
  await nextTick()
  expect(first).toHaveBeenCalledWith({ theme: 'dark' })
  expect(second).toHaveBeenCalledWith({ theme: 'dark' })
  neu.offThemeChange()
  device.theme = 'light'
  await nextTick()
  expect(second).toHaveBeenCalledOnce()
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
