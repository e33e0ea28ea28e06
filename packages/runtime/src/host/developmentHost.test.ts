import { expect, test } from 'vitest'
import type { Overlays } from '../carrier.ts'
import { developmentHost } from './developmentHost.ts'

/** Simulates a developer who answers dialogs, and records the questions. */
function developer(answers: { confirm?: boolean; tapIndex?: number }) {
  const requests: unknown[] = []
  const overlays = {
    showModal: async (params) => {
      requests.push(params)
      return { confirm: answers.confirm === true, cancel: answers.confirm !== true }
    },
    showActionSheet: async (params) => {
      requests.push(params)
      if (answers.tapIndex === undefined) throw new Error('showActionSheet:fail cancel')
      return { tapIndex: answers.tapIndex }
    },
    showToast: async (params) => {
      requests.push(params)
      return {}
    },
  } as Partial<Overlays> as Overlays
  return { overlays, asked: requests }
}

test('returns recognizable mock codes without a server', async () => {
  const host = developmentHost()
  const { overlays } = developer({ confirm: true })
  const { code } = await host.login({})
  expect(code).toMatch(/^not-a-real-code-/)
  expect((await host.login({})).code).not.toBe(code)
  expect((await host.getAuthCode({ scope: 'user.phone' }, overlays)).code).toMatch(/^not-a-real-code-/)
})

test('asks the developer for consent, which can be denied', async () => {
  const { overlays, asked } = developer({ confirm: false })
  await expect(developmentHost().getAuthCode({ scope: 'user.info,user.phone' }, overlays)).rejects.toMatchObject({
    errMsg: 'getAuthCode:fail the user refused',
  })
  expect(asked).toMatchObject([{ content: expect.stringMatching(/E-mail.*\n.*phone/) }])
})

test('asks before it uses the device, saves a file, or shares', async () => {
  const { overlays, asked } = developer({ confirm: false })
  const host = developmentHost()
  const refused = 'fail the user refused'
  const calls = {
    scanCode: host.scanCode!({ onlyFromCamera: true, scanType: [] }, overlays),
    getLocation: host.getLocation!({ isHighAccuracy: false }, overlays),
    saveFile: host.saveFile!({ kind: 'image', data: 'data:image/png;base64,AAAA' }, overlays),
    share: host.share!({ title: 'Offer', text: '', url: '' }, overlays),
    readSensor: host.readSensor!({ sensor: 'compass', interval: 0 }, overlays),
    startRecording: host.startRecording!({ duration: 1000 }, overlays),
  }
  for (const [method, call] of Object.entries(calls))
    await expect(call).rejects.toMatchObject({ errMsg: `${method}:${refused}` })
  expect(asked).toHaveLength(6)
})

test('lets the developer choose the outcome of a payment', async () => {
  const pay = (tapIndex?: number) =>
    developmentHost().requestPayment({ tradeNo: 'T' }, developer(tapIndex === undefined ? {} : { tapIndex }).overlays)
  expect(await pay(0)).toEqual({ status: 2 })
  expect(await pay(1)).toEqual({ status: 1, failCode: 27 })
  expect(await pay()).toEqual({ status: 0 })
})
