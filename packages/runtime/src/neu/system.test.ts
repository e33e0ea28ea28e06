import { afterEach, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import { getDeviceInfo, getLaunchOptionsSync } from './system.ts'

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

it('the launch options contain what a card passes on', async () => {
  const { carrier } = await memoryApp({ 'pages/a/a': {} })
  Object.assign(carrier, { card: { extraData: '{"from":1}' } })
  expect(getLaunchOptionsSync()).toMatchObject({ scene: 1007, referrerInfo: { extraData: { from: 1 } } })
  Object.assign(carrier, { card: {} })
  expect(getLaunchOptionsSync()).toMatchObject({ scene: 1007, referrerInfo: {} })
})

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'
const iPad = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'
const pixel = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36'
const harmony = 'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1'

it.each([
  ['H5', iPhone, 'Android', { platform: 'ios', system: 'iOS 18.0', model: 'iPhone', brand: 'apple' }],
  ['H5', iPad, 'Android', { platform: 'ios', system: 'iOS 18.0', model: 'iPad', brand: 'apple' }],
  ['H5', pixel, 'Android', { platform: 'android', system: 'Android 14', model: 'Pixel 8', brand: '' }],
  ['H5', windows, 'Android', { platform: 'windows', system: 'Windows 10', model: 'PC', brand: 'microsoft' }],
  ['H5', harmony, 'Android', { platform: 'harmonyos', system: 'HarmonyOS 5.0', model: '', brand: '' }],
  // In a frame the host tells the system.
  ['App', iPhone, 'iOS', { platform: 'ios', system: 'iOS 18.0', model: 'iPhone', brand: 'apple' }],
  ['Mini App', windows, 'Android', { platform: 'android', system: 'Android 0', model: 'PC', brand: '' }],
] as const)('%s tells the system of %s', async (platform, userAgent, os, expected) => {
  const { carrier } = await memoryApp({ 'pages/a/a': {} })
  carrier.device.os = os
  vi.stubGlobal('__SOUK_PLATFORM__', platform)
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 5 })
  vi.stubGlobal('devicePixelRatio', 2)
  const { platform: told, osName, system, model, brand } = getDeviceInfo()
  expect({ platform: told, system, model, brand }).toEqual(expected)
  expect(osName).toBe(told)
})
