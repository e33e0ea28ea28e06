import { type BridgeMethod, readFrameMessage } from '@souk/contract/bridge'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import {
  getScreenBrightness,
  invokeNativePlugin,
  launchApp,
  navigateToMiniProgram,
  openPressReader,
  restartMiniProgram,
  setEnableDebug,
  setScreenBrightness,
} from './applications.ts'
import { closePreviewImage } from './image.ts'
import { hideLoading, showLoading } from './loading.ts'
import { getAuthCode, getPhoneNumber, getUserInfo, getUserProfile, login, requestSubscribeMessage } from './login.ts'
import { hideActionSheet, hideModal, showActionSheet, showModal } from './modal.ts'
import { requestPayment } from './payment.ts'
import { share, shareMiniAppMessage } from './sharing.ts'
import { hideToast, showToast } from './toast.ts'

/** The calls that the host received. Each one is also checked against the contract. */
let calls: [BridgeMethod, unknown][]

beforeEach(() => {
  calls = []
  const call: Carrier['call'] = async (method, params) => {
    const received = readFrameMessage({ type: 'request', id: 1, method, params }, () => ({}))
    expect(received).toEqual({ type: 'request', id: 1, method, params })
    calls.push([method, params])
    return {} as never
  }
  setCarrier({ call } as Carrier)
})

test('sends complete parameters for calls without options', async () => {
  for (const run of [
    login,
    getAuthCode,
    getUserProfile,
    getUserInfo,
    showToast,
    hideToast,
    showLoading,
    hideLoading,
    showModal,
    hideModal,
    hideActionSheet,
    closePreviewImage,
    getScreenBrightness,
  ]) {
    await (run as () => Promise<unknown>)()
  }
  await showActionSheet({ itemList: ['A'] })
  await setScreenBrightness({ value: 0.5 })
  expect(calls).toHaveLength(15)
})

test('gives each template the answer about all messages', async () => {
  setCarrier({ call: async () => ({ answer: 'accept' }) } as unknown as Carrier)
  expect(await requestSubscribeMessage({ tmplIds: ['order', 'news'] })).toEqual({
    order: 'accept',
    news: 'accept',
    answer: 'accept',
  })
  expect(await requestSubscribeMessage()).toEqual({ answer: 'accept' })
})

test('accepts scopes as a comma-separated list or an array', async () => {
  await getAuthCode({ scope: ['user.info', 'user.phone'] })
  await getAuthCode({ scope: 'user.info, user.email' })
  await getPhoneNumber()
  expect(calls.map(([, params]) => params)).toEqual([
    { scope: 'user.info,user.phone' },
    { scope: 'user.info,user.email' },
    { scope: 'user.phone' },
  ])
})

test('accepts either name for the trade number, and sends the displayed values as text', async () => {
  await requestPayment({ transactionNo: 'T1', amount: 12.5, currency: 'SAR', name: '', country: undefined as never })
  await requestPayment({ tradeNo: 'T2', transactionNo: 'T1' })
  expect(calls.map(([, params]) => params)).toEqual([
    { tradeNo: 'T1', amount: '12.5', currency: 'SAR' },
    { tradeNo: 'T2' },
  ])
  await expect(requestPayment({ amount: '1' })).rejects.toThrow('tradeNo is missing')
})

test('passes what one mini app gives another, and what others than mini apps open', async () => {
  vi.stubGlobal('document', { baseURI: 'https://app.example/' })
  onTestFinished(() => void vi.unstubAllGlobals())
  await navigateToMiniProgram({ appId: 'a1', path: '/pages/a/a?id=1', extraData: { from: [1] }, envVersion: 'trial' })
  await navigateToMiniProgram({ appId: 'a1' })
  await launchApp({ url: 'bank://pay', identity: 'com.example.bank' })
  await restartMiniProgram({ path: '/pages/a/a' })
  await setEnableDebug({ enableDebug: true })
  await shareMiniAppMessage({ title: 'Offer', path: '/pages/a/a', imageUrl: 'https://cdn.example/a.png', extraData: 0 })
  await share({
    title: 'Offer',
    summary: 'Two',
    mediaUrl: 'https://cdn.example/a.mp4',
    imageUrl: 'https://cdn.example/a.png',
  })
  await share({ type: 1, summary: 'Two', imageUrl: 'https://cdn.example/a.png' })
  expect(calls).toEqual([
    ['openMiniApp', { appid: 'a1', path: 'pages/a/a?id=1', extraData: '{"from":[1]}', envVersion: 'trial' }],
    ['openMiniApp', { appid: 'a1', path: '' }],
    ['launchApp', { url: 'bank://pay', identity: 'com.example.bank' }],
    ['restartMiniApp', { path: 'pages/a/a' }],
    ['setDebug', { isOn: true }],
    ['shareMiniApp', { title: 'Offer', path: 'pages/a/a', imageUrl: 'https://cdn.example/a.png', extraData: '0' }],
    ['share', { title: 'Offer', text: 'Two', url: 'https://cdn.example/a.mp4', imageUrl: 'https://cdn.example/a.png' }],
    ['share', { title: '', text: 'Two', url: '' }],
  ])
  await expect(share({ type: 2 })).rejects.toThrow('imageUrl is missing')
  await expect(launchApp({})).rejects.toThrow('url is missing')
  await expect(navigateToMiniProgram({ appId: 'a1', extraData: () => {} })).rejects.toThrow('extraData must be a value')
})

test('returns the fields of what a native plug-in returns, or the value itself', async () => {
  for (const [result, returned] of [
    [{ card: 1 }, { card: 1 }],
    ['card', { data: 'card' }],
    [[1], { data: [1] }],
    [undefined, { data: undefined }],
  ]) {
    setCarrier({ call: async (...sent: unknown[]) => ({ sent: calls.push(sent as never), result }) } as never)
    expect(await invokeNativePlugin({ api_name: 'readCard', data: { timeout: 3 } })).toEqual(returned)
  }
  await openPressReader({ issue: 7, success: () => {} } as object)
  expect(calls.slice(-2)).toEqual([
    ['invokeNativePlugin', { name: 'readCard', data: '{"timeout":3}' }],
    ['invokeNativePlugin', { name: 'openPressReader', data: '{"issue":7}' }],
  ])
})

test('sends no callbacks, and defaults for options that are not set', async () => {
  const withCallback = { title: 'Sure?', content: undefined as never, showCancel: false, success: () => {} }
  await showModal(withCallback)
  await showToast({ title: 'Done', icon: 'fail' })
  expect(calls).toMatchObject([
    ['showModal', { title: 'Sure?', content: '', showCancel: false }],
    ['showToast', { title: 'Done', icon: 'error' }],
  ])
  expect(calls[0]![1]).not.toHaveProperty('success')
})
