import { bridgeVersion, type Hello } from '@souk/contract/bridge'
import { second } from '@souk/contract/time'
import { ApiError } from '@souk/shell/apiError'
import type { Bars } from '@souk/shell/bars'
import type { FromHost, HostWelcome, ToHost } from '@souk/shell/bridgeMessages'
import { reactive, shallowReactive } from 'vue'
import { cachedStorage } from './cachedStorage.ts'
import type { Carrier, FrameCarrier } from './carrier.ts'

/** Gets the port of the inspector. */
type Inspect = (inspector: MessagePort, carrier: FrameCarrier) => Promise<void>

/** Time for the host to answer, in ms. */
const welcomeTimeout = 10 * second

/**
 * Creates the carrier for App and Mini App: sends a hello to the host and resolves when the host welcomes it. Without
 * a host, or with one of another version, shows an error in the page and never resolves. `inspect` starts the agent of
 * the inspector, for a developer who inspects the app.
 */
export function inFrame(inspect: Inspect): Promise<Carrier> {
  if (window.parent === window) return fail('noHost')
  const { port1: port, port2: hostPort } = new MessageChannel()
  // The message contains no secret, and the host's origin is not known here.
  window.parent.postMessage({ souk: 'hello', version: bridgeVersion } satisfies Hello, '*', [hostPort])
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('timeout').catch(reject), welcomeTimeout)
    port.onmessage = ({ data, ports: [inspector] }: MessageEvent<FromHost>) => {
      clearTimeout(timer)
      if (data.type === 'welcome' && data.version === bridgeVersion) {
        const carrier = createCarrier(port, data, inspect)
        restoreFocus()
        // Before any module of the project runs.
        if (inspector) void inspect(inspector, carrier).then(() => resolve(carrier))
        else resolve(carrier)
      } else if (data.type === 'welcome' || data.type === 'refused') fail('version').catch(reject)
    }
  })
}

/**
 * Focuses the field again that had the focus before the host took it, for example for a dialog. Browsers clear the
 * focus of a frame when an element around it gets it.
 */
function restoreFocus(): void {
  let left: EventTarget | null = null
  addEventListener('focusout', ({ target }) => {
    left = target
    setTimeout(() => {
      if (document.hasFocus()) left = null
    })
  })
  addEventListener('focus', () => {
    const { activeElement, body } = document
    if (activeElement === body && left instanceof HTMLElement && left.isConnected) left.focus({ preventScroll: true })
  })
}

function createCarrier(port: MessagePort, welcome: HostWelcome, inspect: Inspect): FrameCarrier {
  const pending = new Map<number, { method: string; resolve(result: never): void; reject(error: Error): void }>()
  let requests = 0
  let isVisible = true
  /** The bars last sent to the host, as JSON by key. Only differences are sent. */
  const sentBars = new Map<string, string>()
  const device = reactive(welcome.device)
  const send = (message: ToHost) => port.postMessage(message)
  const write = (request: Promise<unknown>) =>
    // The caller has continued already, and the value stays in memory until the app is closed.
    void request.catch((error: Error) => console.error(error.message))

  const carrier: FrameCarrier = {
    kind: 'frame',
    appid: welcome.appid,
    device,
    fileAddresses: shallowReactive(new Map()),
    start: welcome.start,
    referrer: welcome.referrer,
    card: welcome.card,
    host: welcome.host,
    domainRules: welcome.domainRules,
    mapTiles: welcome.mapTiles,
    collectsEvents: welcome.collectsEvents === true,
    onBarEvent: () => {},
    get isVisible() {
      return isVisible
    },
    onVisibilityChange: () => {},
    showBars(bars) {
      const changed: Record<string, unknown> = {}
      let isChanged = false
      for (const [key, value] of Object.entries(bars)) {
        const text = JSON.stringify(value)
        if (text === undefined || sentBars.get(key) === text) continue
        sentBars.set(key, text)
        // Reactive proxies cannot be cloned, so the value is copied by way of JSON.
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

  port.onmessage = ({ data, ports: [inspector] }: MessageEvent<FromHost>) => {
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
        isVisible = data.visible
        carrier.onVisibilityChange(isVisible)
        break
      case 'inspect':
        if (inspector) void inspect(inspector, carrier)
        break
    }
  }
  return carrier
}

type StartupError = 'noHost' | 'timeout' | 'version'

/** Shows an error in the page. */
async function fail(reason: StartupError): Promise<never> {
  const { showStartupError } = await import('./startupError.ts')
  showStartupError(reason)
  return new Promise(() => {})
}
