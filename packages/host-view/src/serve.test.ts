import { openRequestsLimit } from '@souk/contract/bridge'
import type { Bars } from '@souk/shell/bars'
import type { HostMethods, Overlays } from '@souk/shell/host'
import { afterEach, expect, test, vi } from 'vitest'
import { type Session, serve } from './serve.ts'

const open: { session: Session; port: MessagePort }[] = []

afterEach(() => {
  for (const { session, port } of open.splice(0)) {
    session.close()
    port.close()
  }
  vi.restoreAllMocks()
})

/** Connects a frame to a host with these methods. */
function frame(methods: Partial<HostMethods>, overlays: Partial<Overlays> | (() => Promise<Overlays>) = {}) {
  const { port1: port, port2 } = new MessageChannel()
  const bars: Partial<Bars>[] = []
  const session = serve(port2, {
    methods: methods as HostMethods,
    overlays: typeof overlays === 'function' ? overlays : async () => overlays as Overlays,
    mayLoad: (address) => !address.startsWith('https://unlisted.example/'),
    onBars: (changed) => bars.push(changed),
  })
  open.push({ session, port })
  const answers = new Map<number, (answer: unknown) => void>()
  port.onmessage = ({ data }) => answers.get(data.id)?.(data)
  const ask = (id: number, message: object) =>
    new Promise((resolve) => {
      answers.set(id, resolve)
      port.postMessage({ type: 'request', id, ...message })
    })
  return { ask, port, bars, session }
}

test('answers a request with the result of its method', async () => {
  const { ask } = frame(
    { login: async () => ({ code: 'C' }), getUserProfile: async () => ({ userInfo: {} as never }) },
    { showModal: async ({ title }) => ({ confirm: title === 'Sure?', cancel: false }) },
  )
  const modal = {
    title: 'Sure?',
    content: '',
    showCancel: true,
    cancelText: '',
    cancelColor: '',
    confirmText: '',
    confirmColor: '',
    editable: false,
    placeholderText: '',
  }
  expect(await ask(1, { method: 'login', params: {} })).toEqual({ type: 'response', id: 1, result: { code: 'C' } })
  expect(await ask(2, { method: 'showModal', params: modal })).toMatchObject({ id: 2, result: { confirm: true } })
})

test('loads overlays when a method uses them', async () => {
  const loadOverlays = vi.fn(async () => ({ showModal: async () => ({ confirm: true }) }) as unknown as Overlays)
  const methods: Partial<HostMethods> = {
    login: async () => ({ code: 'C' }),
    getClipboardData: async (_, { showModal }) => ({ data: String((await showModal({} as never)).confirm) }),
  }
  const { ask } = frame(methods, loadOverlays)
  await ask(1, { method: 'login', params: {} })
  expect(loadOverlays).not.toHaveBeenCalled()
  expect(await ask(2, { method: 'getClipboardData', params: {} })).toMatchObject({ result: { data: 'true' } })
  expect(loadOverlays).toHaveBeenCalledOnce()
})

test('draws no overlay for a mini app that was closed while the overlays loaded', async () => {
  const hideToast = vi.fn()
  const loaded = Promise.withResolvers<Overlays>()
  const loadOverlays = vi.fn(() => loaded.promise)
  const { ask, session } = frame({}, loadOverlays)
  void ask(1, { method: 'hideToast', params: {} })
  await vi.waitFor(() => expect(loadOverlays).toHaveBeenCalled())
  session.close()
  loaded.resolve({ hideToast } as Partial<Overlays> as Overlays)
  await loaded.promise
  await new Promise(setImmediate)
  expect(hideToast).not.toHaveBeenCalled()
})

test('passes refusals to the mini app, but no internal errors of the host', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ask } = frame({
    getAuthCode: () => Promise.reject(Object.assign(new Error(), { errMsg: 'getAuthCode:fail the user refused' })),
    login: () => Promise.reject(new Error('Bearer 0123456789 is no session')),
    exitMiniApp: () => {
      throw Object.assign(new Error(), { errMsg: 'login:fail of another method' })
    },
  })
  const errMsg = async (id: number, method: string, params = {}) =>
    ((await ask(id, { method, params })) as { errMsg: string }).errMsg
  expect(await errMsg(1, 'getAuthCode', { scope: 'user.info' })).toBe('getAuthCode:fail the user refused')
  expect(await errMsg(2, 'login')).toBe('login:fail internal error of the host application')
  expect(await errMsg(3, 'exitMiniApp')).toBe('exitMiniApp:fail internal error of the host application')
})

test('fails methods that the host application does not have with not supported', async () => {
  const { ask } = frame({})
  expect(await ask(1, { method: 'getLocation', params: { isHighAccuracy: false } })).toEqual({
    type: 'response',
    id: 1,
    errMsg: 'getLocation:fail not supported',
  })
})

test('refuses malformed messages without calling the host, and serves the next one', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const setStorage = vi.fn(async () => ({}))
  const { ask, port, bars } = frame({ setStorage, readStorage: async () => [['secret', '1']] })
  for (const data of [
    null,
    'hello',
    42,
    [],
    {},
    { type: 'bars' },
    { type: 'bars', bars: { navigationBar: {} } },
    { type: 'request' },
  ]) {
    port.postMessage(data)
  }
  expect(await ask(1, { method: 'setStorage', params: { key: 1, data: 'x' } })).toEqual({
    type: 'response',
    id: 1,
    errMsg: 'setStorage:fail key must be a string',
  })
  // The host has this method, but the bridge does not.
  expect(await ask(2, { method: 'readStorage', params: {} })).toMatchObject({ errMsg: expect.stringContaining('fail') })
  expect(await ask(3, { method: 'setStorage', params: { key: 'k', data: 'x', more: 1 } })).toMatchObject({ result: {} })
  expect(setStorage.mock.calls).toEqual([[{ key: 'k', data: 'x' }, expect.anything()]])
  expect(bars).toEqual([])
})

test('refuses requests over the limit, and serves the frame again after its answers', async () => {
  let answer = (_: { code: string }) => {}
  const { ask } = frame({
    login: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
    clearStorage: async () => ({}),
  })
  const waiting = Array.from({ length: openRequestsLimit }, (_, index) =>
    ask(index + 1, { method: 'login', params: {} }),
  )
  const refused = await ask(1000, { method: 'clearStorage', params: {} })
  expect(refused).toMatchObject({ errMsg: `clearStorage:fail more than ${openRequestsLimit} calls are pending` })
  answer({ code: 'last' })
  await waiting.at(-1)
  expect(await ask(1001, { method: 'clearStorage', params: {} })).toMatchObject({ result: {} })
})

test('sends no answers after the session is closed', async () => {
  let answer = (_: { code: string }) => {}
  const { port, session } = await new Promise<ReturnType<typeof frame>>((resolve) => {
    const asking = frame({
      login: () => {
        resolve(asking)
        return new Promise((done) => {
          answer = done
        })
      },
    })
    void asking.ask(1, { method: 'login', params: {} })
  })
  const received: unknown[] = []
  port.onmessage = ({ data }) => received.push(data)
  const isClosed = new Promise((resolve) => port.addEventListener('close', resolve))
  session.close()
  answer({ code: 'late' })
  session.send({ type: 'back' })
  await isClosed
  expect(received).toEqual([])
})
