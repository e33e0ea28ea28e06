import { type BridgeMethod, readFrameMessage } from '@souk/contract/bridge'
import { beforeEach, expect, test } from 'vitest'
import type { Carrier } from '../carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { hideLoading, showLoading } from './loading.ts'
import { getAuthCode, getPhoneNumber, getUserInfo, getUserProfile, login } from './login.ts'
import { showActionSheet, showModal } from './modal.ts'
import { requestPayment } from './payment.ts'
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
  ]) {
    await (run as () => Promise<unknown>)()
  }
  await showActionSheet({ itemList: ['A'] })
  expect(calls).toHaveLength(10)
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
