import type { Overlays } from '@souk/shell/host'
import { expect, test, vi } from 'vitest'
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

test('drops scopes that are not known, and fails only without any other', async () => {
  const { overlays } = developer({ confirm: true })
  const host = developmentHost()
  expect(await host.getAuthCode({ scope: 'user.phone,user.qid' }, overlays)).toMatchObject({ scope: 'user.phone' })
  await expect(host.getAuthCode({ scope: 'user.qid' }, overlays)).rejects.toMatchObject({
    errMsg: expect.stringMatching(/^getAuthCode:fail .*user\.info, user\.phone, user\.email$/),
  })
})

test('asks for the scopes that the operator of the sandbox has defined, unless they need no consent', async () => {
  const titles = (en: string) => ({ en, 'zh-Hans': en, ar: en })
  const answers: Record<string, unknown> = {
    '/sandbox/users': [{ uid: 1 }],
    '/sessions': { session: 'token', user: { nickName: 'Layla' } },
    '/apps': { items: [{ appid: 'tea', name: 'Tea House' }] },
    '/scopes': [
      { scope: 'user.qid', titles: titles('QID number'), requiresConsent: true, values: [] },
      { scope: 'user.tier', titles: titles('Membership'), requiresConsent: false, values: [] },
    ],
  }
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    const path = url.replace('http://souk.test/host/v1', '').replace(/\?.*/, '')
    const { scope } = JSON.parse(body ?? '{}')
    return Response.json(path === '/apps/tea/auth-code' ? { code: 'code', expire: 300, scope } : answers[path])
  })
  const host = developmentHost({ server: 'http://souk.test' })
  const { overlays, asked } = developer({ confirm: true })
  expect(await host.getAuthCode({ scope: 'user.tier' }, overlays)).toEqual({ code: 'code', scope: 'user.tier' })
  expect(asked).toEqual([])
  const granted = await host.getAuthCode({ scope: 'user.qid,user.tier,user.other' }, overlays)
  expect(granted).toEqual({ code: 'code', scope: 'user.qid,user.tier' })
  expect(asked).toMatchObject([{ title: 'Share with Tea House?', content: 'QID number\n\nUser: Layla' }])
  vi.unstubAllGlobals()
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
