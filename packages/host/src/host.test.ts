import { type EmbedMethod, type EmbedMethods, embedErrors, embedResults } from '@souk/contract/embed'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Connection, connect } from './connection.ts'
import { createHost, Failure, type HostFunctions, type HostOptions, Refusal } from './index.ts'
import { createAnswers } from './methods.ts'

const options = { server: 'https://souk.example', session: 'token' }
const appid = 'mabcdefgh123456'

/** Connects a page, which calls methods and records what it gets, to an application. */
function openPage(host: Partial<HostOptions> = {}) {
  const { port1: page, port2 } = new MessageChannel()
  onTestFinished(() => page.close())
  const notified: unknown[] = []
  const connection: Connection = connect(port2, createAnswers({ ...options, ...host }), (name, params) =>
    notified.push([name, params]),
  )
  const received: unknown[] = []
  const waiting = new Map<number, (message: { result?: never; error?: unknown }) => void>()
  page.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    const settle = message.method === undefined && waiting.get(message.id)
    if (settle) settle(message)
    else received.push(message)
  }
  let id = 0
  const send = (message: unknown) => page.postMessage(typeof message === 'string' ? message : JSON.stringify(message))
  return {
    connection,
    notified,
    received,
    send,
    call: (method: string, params?: unknown) =>
      new Promise<{ result?: never; error?: unknown }>((resolve) => {
        waiting.set(++id, resolve)
        send({ jsonrpc: '2.0', id, method, params })
      }),
  }
}

const anything = {
  share: () => {},
  scanCode: () => ({ result: 'code', scanType: 'QR_CODE', charSet: 'UTF-8' }),
  getLocation: () => ({ latitude: 24.7, longitude: 46.7, accuracy: 5, altitude: 600, speed: -1 }),
  openUrl: () => {},
  requestPayment: async () => ({ status: 2 as const }),
  askConsent: () => ({ isAllowed: true }),
  openMiniApp: () => {},
  shareMiniApp: () => {},
  launchApp: () => {},
  invokeNativePlugin: () => ({ result: [1, 'card'] }),
  setKeepScreenOn: () => {},
  getScreenBrightness: () => ({ value: 0.5 }),
  setScreenBrightness: () => {},
  storage: { read: () => new Map([['cart', '[]']]), set: () => {}, remove: () => {}, clear: () => {} },
}

test('a page gets the session, what the application handles, and its environment', async () => {
  const plain = await openPage().call('initialize', { version: 1, appid })
  expect(plain.result).toEqual({ version: 1, session: 'token', handles: [] })
  const session = vi.fn(async () => 'fresh')
  const page = openPage({
    session,
    environment: { theme: 'dark' },
    handlers: { share() {}, storage: anything.storage },
  })
  const full = await page.call('initialize', { version: 1, appid })
  expect(full.result).toEqual({
    version: 1,
    session: 'fresh',
    handles: ['share', 'storage'],
    environment: { theme: 'dark' },
  })
  expect((await page.call('getSession', {})).result).toEqual({ session: 'fresh' })
  expect(session).toHaveBeenCalledTimes(2)
})

const calls: { [M in EmbedMethod]: EmbedMethods[M]['params'] } = {
  initialize: { version: 1, appid },
  getSession: {},
  share: { title: 'Coffee', text: '', url: '' },
  scanCode: { onlyFromCamera: true, scanType: ['qrCode'] },
  getLocation: { isHighAccuracy: false },
  openUrl: { url: 'tel:+966500000000' },
  requestPayment: { tradeNo: '1', subject: 'Coffee', amount: 1600, currency: 'SAR' },
  askConsent: { appid, name: 'Coffee', scopes: ['user.phone'], titles: ['Phone number'] },
  openMiniApp: { appid, path: '', extraData: '{"from":1}', envVersion: 'trial' },
  shareMiniApp: { appid, title: 'Coffee', path: '', imageUrl: '', extraData: '' },
  launchApp: { url: 'bank://pay', identity: '' },
  invokeNativePlugin: { appid, name: 'readCard', data: '{}' },
  callHostFunction: { appid, name: 'loyaltyCard', input: '{"program":"tea"}' },
  setKeepScreenOn: { keepScreenOn: true },
  getScreenBrightness: {},
  setScreenBrightness: { value: 1 },
  readStorage: { appid },
  setStorage: { appid, key: 'cart', data: '[]' },
  removeStorage: { appid, key: 'cart' },
  clearStorage: { appid },
}

test.for(Object.keys(calls) as EmbedMethod[])('answers %s as the contract says', async (method) => {
  const { result } = await openPage({ handlers: anything, functions }).call(method, calls[method])
  expect(embedResults[method](result, '')).toEqual(result)
})

const functions: HostFunctions = {
  loyaltyCard({ program }, { appid }) {
    if (program !== 'tea') throw new Failure('noCard')
    return { number: `${appid} 4711` }
  },
}

test('calls the functions of the host with their input, and passes declared failures on', async () => {
  const page = openPage({ functions })
  const callFunction = (name: string, input: object) =>
    page.call('callHostFunction', { appid, name, input: JSON.stringify(input) })
  expect((await page.call('initialize', { version: 1, appid })).result).toMatchObject({ handles: ['callHostFunction'] })
  expect((await callFunction('loyaltyCard', { program: 'tea' })).result).toEqual({
    result: { number: `${appid} 4711` },
  })
  expect((await callFunction('loyaltyCard', { program: 'miles' })).result).toEqual({ failure: 'noCard' })
  for (const name of ['bookTaxi', 'toString'])
    expect((await callFunction(name, {})).error).toMatchObject({ code: embedErrors.methodNotFound })
  expect(() => createHost({ ...options, functions: { loyaltyCard: true } as never })).toThrow(TypeError)
})

test('asks for consent with the titles that the server sends, if it does', async () => {
  const askConsent = vi.fn(() => ({ isAllowed: true }))
  const page = openPage({ handlers: { askConsent } })
  const scopes = { appid, name: 'Coffee', scopes: ['user.qid'] }
  for (const params of [scopes, { ...scopes, titles: ['QID number'] }]) {
    expect((await page.call('askConsent', params)).result).toEqual({ isAllowed: true })
    expect(askConsent).toHaveBeenLastCalledWith(params)
  }
  expect((await page.call('askConsent', { ...scopes, titles: [1] } as never)).error).toMatchObject({ code: -32602 })
})

test('refusals are passed on, and errors of the application are not', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => logged.mockRestore())
  const page = openPage({
    handlers: {
      scanCode: () => {
        throw new Refusal('canceled')
      },
      getLocation: () => Promise.reject(new Error('https://internal.example is down')),
    },
  })
  expect((await page.call('scanCode', calls.scanCode)).error).toEqual({
    code: embedErrors.refused,
    message: 'canceled',
  })
  expect((await page.call('getLocation', calls.getLocation)).error).toEqual({
    code: embedErrors.internal,
    message: expect.not.stringContaining('internal.example'),
  })
  expect(logged).toHaveBeenCalledOnce()
})

test('invalid calls have no effect and are explained', async () => {
  const openUrl = vi.fn()
  const page = openPage({ handlers: { openUrl, storage: anything.storage } })
  const errorOf = async (method: string, params?: unknown) => (await page.call(method, params)).error
  const invalid = (text: string) => ({ code: embedErrors.invalidParams, message: expect.stringContaining(text) })
  expect(await errorOf('openUrl', { url: 'javascript:alert(1)' })).toEqual(invalid('url must match'))
  expect(await errorOf('openUrl')).toEqual(invalid('url must be a string'))
  expect(await errorOf('setStorage', { appid, key: 1, data: '' })).toEqual(invalid('key must be a string'))
  expect(await errorOf('initialize', { version: 2, appid })).toEqual(invalid('version 1 of the protocol, not 2'))
  for (const method of ['share', 'toString', '__proto__']) {
    expect(await errorOf(method, {})).toMatchObject({ code: embedErrors.methodNotFound })
  }
  expect(openUrl).not.toHaveBeenCalled()
})

test('the element asks a page to go back, and tells it about changes', async () => {
  const page = openPage()
  const answered = page.connection.call('back', {})
  await expect.poll(() => page.received).toMatchObject([{ method: 'back' }])
  page.send({ jsonrpc: '2.0', id: (page.received[0] as { id: number }).id, result: { isHandled: true } })
  expect(await answered).toEqual({ isHandled: true })
  page.connection.notify('environment', { theme: 'dark' })
  await expect
    .poll(() => page.received[1])
    .toEqual({ jsonrpc: '2.0', method: 'environment', params: { theme: 'dark' } })
  const unanswered = page.connection.call('back', {})
  page.connection.close()
  await expect(unanswered).rejects.toThrow('closed')
})

test('only notifications of the protocol become events', async () => {
  const page = openPage()
  for (const method of ['click', 'constructor', 'ready'])
    page.send({ jsonrpc: '2.0', method, params: { name: 'Coffee' } })
  await expect.poll(() => page.notified).toEqual([['ready', { name: 'Coffee' }]])
})

test.for([
  [{ server: 'souk' }, 'server must be the address of a Souk server'],
  [{ server: 'ftp://souk.example' }, 'server must be the address of a Souk server'],
  [{ server: 'https://souk.example/host/' }, 'without a path; it is https://souk.example/host/'],
  [{ session: '' }, 'session must be a session token or a function'],
  [{ session: undefined }, 'session must be a session token or a function'],
  [{ handlers: { pay() {} } }, 'there is no handler pay. The handlers are share, scanCode'],
  [{ handlers: { share: true } }, 'the handler share must be a function'],
  [{ handlers: { storage: { read() {} } } }, 'storage must have the methods read, set, remove, clear'],
] as const)('createHost names the mistake in %j', ([mistake, text]) => {
  expect(() => createHost({ ...options, ...mistake } as never)).toThrow(text)
})

test('an application that is rendered on a server can be configured there', () => {
  expect(() => createHost({ ...options, server: 'http://localhost:7070/' })).not.toThrow()
})
