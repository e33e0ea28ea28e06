import { bridgeVersion, type Hello } from '@souk/contract/bridge'
import { reactive } from 'vue'
import type { Bars, Carrier } from '../carrier.ts'
import { ApiError } from '../neu/api.ts'
import type { FromHost, HostWelcome, ToHost } from './bridgeMessages.ts'
import { cachedStorage } from './cachedStorage.ts'

/** How long a host may take to answer, ms. */
const welcomeTimeout = 10_000

/**
 * The carrier of App and Mini App: says hello to the host, and gives the carrier when it is welcomed. Where there is no host, or one of another version, it
 * says so in the page and never resolves.
 */
export function inFrame(): Promise<Carrier> {
  if (window.parent === window) return fail('alone')
  const { port1: port, port2: hostPort } = new MessageChannel()
  // Nothing secret is in it, and the origin of a host is not known here.
  window.parent.postMessage({ souk: 'hello', version: bridgeVersion } satisfies Hello, '*', [hostPort])
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('silence').catch(reject), welcomeTimeout)
    port.onmessage = ({ data }: MessageEvent<FromHost>) => {
      clearTimeout(timer)
      if (data.type === 'welcome' && data.version === bridgeVersion) resolve(createCarrier(port, data))
      else if (data.type === 'welcome' || data.type === 'refused') fail('version').catch(reject)
    }
  })
}

function createCarrier(port: MessagePort, welcome: HostWelcome): Carrier {
  const pending = new Map<number, { method: string; resolve(result: never): void; reject(error: Error): void }>()
  let requests = 0
  /** What the host has, as text by key: only what differs from it is sent. */
  const sentBars = new Map<string, string>()
  const device = reactive(welcome.device)
  const send = (message: ToHost) => port.postMessage(message)
  const write = (request: Promise<unknown>) =>
    // The app has gone on; what it stored is there until it is closed.
    void request.catch((error: Error) => console.error(error.message))

  const carrier: Carrier = {
    kind: 'frame',
    appid: welcome.appid,
    device,
    start: welcome.start,
    onBarEvent: () => {},
    onVisibilityChange: () => {},
    showBars(bars) {
      const changed: Record<string, unknown> = {}
      let isChanged = false
      for (const [key, value] of Object.entries(bars)) {
        const text = JSON.stringify(value)
        if (text === undefined || sentBars.get(key) === text) continue
        sentBars.set(key, text)
        // As JSON has it: what Vue has wrapped cannot be sent.
        changed[key] = JSON.parse(text)
        isChanged = true
      }
      if (isChanged) send({ type: 'bars', bars: changed as Partial<Bars> })
    },
    call(method, params) {
      const id = ++requests
      return new Promise((resolve, reject) => {
        pending.set(id, { method, resolve, reject })
        send({ type: 'request', id, method, params: JSON.parse(JSON.stringify(params)) } as ToHost)
      })
    },
    storage: cachedStorage(welcome.storage, {
      set: (key, data) => write(carrier.call('setStorage', { key, data })),
      remove: (key) => write(carrier.call('removeStorage', { key })),
      clear: () => write(carrier.call('clearStorage', {})),
    }),
  }

  port.onmessage = ({ data }: MessageEvent<FromHost>) => {
    switch (data.type) {
      case 'response': {
        const request = pending.get(data.id)
        pending.delete(data.id)
        if ('errMsg' in data) request?.reject(new ApiError(data.errMsg))
        else request?.resolve(data.result as never)
        break
      }
      case 'barEvent':
        carrier.onBarEvent(data.event)
        break
      case 'back':
        carrier.onBarEvent({ type: 'back' })
        break
      case 'device':
        Object.assign(device, data.device)
        break
      case 'visibility':
        carrier.onVisibilityChange(data.visible)
        break
    }
  }
  return carrier
}

type StartupError = 'alone' | 'silence' | 'version'

/** Says in the page what is wrong. */
async function fail(reason: StartupError): Promise<never> {
  const { showStartupError } = await import('./startupError.ts')
  showStartupError(reason)
  return new Promise(() => {})
}
