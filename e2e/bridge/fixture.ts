import type { BrowserContext, Frame, Page, Route } from 'playwright-core'
import type { DomainRules } from '../../packages/contract/src/domainRules.ts'
import type { AppManifest } from '../../packages/shell/src/config.ts'
import type { Device } from '../../packages/shell/src/host.ts'
import { afterTest, lendPage } from '../browser.ts'
import { buildPages } from '../buildPages.ts'
import { saveScreenshot } from '../screenshot.ts'

/** Origins of the host and of its mini apps. */
export const hostOrigin = 'http://host.test'
export const appsOrigin = 'http://apps.test'

/** Source of a host application that shows one mini app and records the methods it calls. */
const hostSource = `
  import { createApp, h, reactive } from 'vue'
  import { MiniApp, developmentHost, hostStorage } from '/packages/host-view/src/index.ts'

  localStorage.setItem('session', 'of the host')
  document.cookie = 'session=of-the-host'
  const props = reactive({})
  const shown = reactive({ isOpen: false })
  const calls = []
  const events = []
  const method = (name, result) => async (params) => {
    calls.push([name, params])
    return result
  }
  let miniApp
  window.host = {
    calls,
    events,
    open(opening, { server, uid } = {}) {
      const storage = hostStorage(opening.appid)
      const methods = server === undefined
        ? {
            ...storage,
            login: method('login', { code: 'a code' }),
            getAuthCode: async ({ scope }, overlays) => {
              const { confirm } = await overlays.showModal({ title: 'Share?', content: scope, showCancel: true, cancelText: '', cancelColor: '',
                confirmText: '', confirmColor: '', editable: false, placeholderText: '' })
              if (!confirm) throw Object.assign(new Error(), { errMsg: 'getAuthCode:fail refused' })
              return { code: 'a code for ' + scope }
            },
            exitMiniApp: method('exitMiniApp', {}),
            vibrate: method('vibrate', {}),
          }
        : { ...developmentHost({ server, uid, appid: opening.appid }), ...storage }
      Object.assign(props, opening, { methods })
      shown.isOpen = true
    },
    set: (changes) => Object.assign(props, changes),
    setDevice: (changes) => { props.device = { ...props.device, ...changes } },
    back: () => miniApp.back(),
    close: () => { shown.isOpen = false },
  }
  const capsule = () => h('button', { style: 'margin: 0 8px', onClick: () => events.push('close') }, 'Close')
  createApp({
    render: () => shown.isOpen && h('div', { style: 'position: fixed; inset: 0' }, [
      h(MiniApp, {
        ...props,
        ref: (value) => { miniApp = value },
        onReady: () => events.push('ready'),
        onOrientation: (value) => events.push(value),
      }, { capsule }),
    ]),
  }).mount("#mount")
`

/** Source of a mini app with the carrier of the runtime, but without pages: the tests drive it through `window.app`. */
const appSource = `
  import { reactive, watch } from 'vue'
  import { inFrame } from '/packages/runtime/src/carriers/inFrame.ts'
  import { setCarrier } from '/packages/runtime/src/carriers/current.ts'
  import * as storage from '/packages/runtime/src/neu/storage.ts'
  import * as modal from '/packages/runtime/src/neu/modal.ts'
  import * as toast from '/packages/runtime/src/neu/toast.ts'
  import * as loading from '/packages/runtime/src/neu/loading.ts'
  import * as login from '/packages/runtime/src/neu/login.ts'
  import * as payment from '/packages/runtime/src/neu/payment.ts'
  import * as system from '/packages/runtime/src/neu/system.ts'
  import * as image from '/packages/runtime/src/neu/image.ts'
  import * as request from '/packages/runtime/src/neu/request.ts'
  import * as device from '/packages/runtime/src/neu/device.ts'
  import { initialScreen } from '/packages/host-view/src/initialScreen.ts'

  const carrier = await inFrame(() => Promise.resolve())
  setCarrier(carrier)
  const events = []
  carrier.onBarEvent = (event) => events.push({ ...event })
  carrier.onVisibilityChange = (visible) => events.push({ type: 'visibility', visible })
  const manifest = await (await fetch('souk-app.json')).json()
  const { bars } = initialScreen(manifest, carrier.start?.path, new URL('.', location.href).href)
  window.app = { ...storage, ...modal, ...toast, ...loading, ...login, ...payment, ...system, ...image, ...request, ...device, carrier, events, bars }
  // The runtime also passes Vue proxies.
  app.show = (changes) => carrier.showBars(reactive(Object.assign(app.bars, changes)))
  app.show({ pageId: 1 })
`

const html = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test</title><body style="margin:0">${body}</body></html>`

/** A mini app without any Souk code, which exposes its port and the messages received to the test. */
export const rawApp = html(`
  <p style="padding: 120px 16px">A page written by hand.</p>
  <script>
    const { port1, port2 } = new MessageChannel()
    window.port = port1
    window.received = []
    port.onmessage = ({ data }) => received.push(data)
    window.ask = (id, method, params) => new Promise((resolve) => {
      port.addEventListener('message', ({ data }) => data.id === id && resolve(data))
      port.postMessage({ type: 'request', id, method, params })
    })
    parent.postMessage({ souk: 'hello', version: Number(new URLSearchParams(location.search).get('version') ?? 1) }, '*', [port2])
  </script>`)

const style = (title: string, more: object = {}) => ({
  navigationBarTitleText: title,
  navigationBarTextStyle: 'black' as const,
  navigationBarBackgroundColor: '#F7E9D0',
  navigationStyle: 'default' as const,
  ...more,
})

/** Manifest of a small shop, as a build writes it. */
const manifest = {
  version: 1,
  app: {
    platform: 'Mini App',
    os: 'Android',
    launch: 'pages/home/home',
    tabBar: {
      color: '#555555',
      selectedColor: '#0B6B63',
      backgroundColor: '#FFFFFF',
      list: [
        { pagePath: 'pages/home/home', text: 'Home' },
        { pagePath: 'pages/cart/cart', text: 'Cart' },
      ],
    },
    windows: {},
    style: style(''),
  },
  pages: [
    { path: 'pages/home/home', style: style('Corner Coffee') },
    { path: 'pages/cart/cart', style: style('Cart') },
    { path: 'pages/item/item', style: style('Espresso', { pageOrientation: 'landscape' }) },
  ],
} as unknown as AppManifest

export const phone: Device = {
  width: 375,
  height: 667,
  statusBarHeight: 24,
  safeAreaBottom: 20,
  orientation: 'portrait',
  os: 'Android',
  language: 'en',
  theme: 'light',
}

/** Overrides of how a mini app is opened; the defaults are `phone` and `manifest`. */
interface Opening {
  url?: string
  appid?: string
  manifest?: AppManifest
  device?: Device
  start?: { path: string; query: Record<string, string> }
  canReload?: boolean
  domainRules?: DomainRules
  confirmed?: boolean
}

interface Host {
  calls: [method: string, params: unknown][]
  events: string[]
  open(props: object, options: { server?: string; uid?: number }): void
  set(props: object): void
  setDevice(device: Partial<Device>): void
  back(): void
  close(): void
}

declare global {
  interface Window {
    host: Host
  }
}

/** A browser page with the host, which a later test uses again unless it is closed. */
export interface TestHost {
  page: Page
  context: BrowserContext
  open(opening?: Opening, options?: { server?: string; uid?: number }): Promise<void>
  /** Returns the current frame of the mini app. */
  frame(): Promise<Frame>
  /** Serves a body or a route handler at a path of the mini apps' origin. */
  serve(path: string, body: string | ((route: Route) => Promise<void>)): void
  /** Uncaught errors of the page. */
  errors: string[]
}

let files: Promise<Map<string, string>> | undefined

export async function openHost(): Promise<TestHost> {
  files ??= buildFiles()
  const builtFiles = await files
  const viewport = { width: phone.width, height: phone.height }
  const { page, giveBack } = await lendPage({ viewport, reducedMotion: 'no-preference' }, {}, [appsOrigin])
  afterTest(giveBack)
  const context = page.context()
  const served = new Map<string, string | ((route: Route) => Promise<void>)>()
  const handle = async (route: Route) => {
    const { origin, pathname, search } = new URL(route.request().url())
    const path = pathname.slice(1)
    const special = origin === appsOrigin ? (served.get(path + search) ?? served.get(path)) : undefined
    if (typeof special === 'function') return special(route)
    const body = special ?? builtFiles.get(`${origin === hostOrigin ? 'host' : 'app'}/${path}`) ?? builtFiles.get(path)
    if (body === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({
      body,
      contentType: types[path.split('.').at(-1)!] ?? 'text/html',
      headers: { 'access-control-allow-origin': '*' },
    })
  }
  await context.route(`${hostOrigin}/**`, handle)
  await context.route(`${appsOrigin}/**`, handle)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)))
  await page.goto(`${hostOrigin}/index.html`)
  await page.waitForFunction(() => window.host)
  served.set('raw.html', rawApp)

  return {
    page,
    context,
    errors,
    serve: (path, body) => void served.set(path, body),
    async open({ url = `${appsOrigin}/index.html`, ...opening } = {}, options = {}) {
      const props = { url, appid: 'coffee', manifest, device: phone, ...opening }
      await page.evaluate(([props, options]) => window.host.open(props, options), [props, options] as const)
    },
    async frame() {
      const frame = await (await page.waitForSelector('.souk-mini-app-frame', { state: 'attached' })).contentFrame()
      if (!frame) throw new Error('The mini app has no frame')
      return frame
    },
  }
}

/** Waits until the host reports that the mini app is ready. */
export async function waitUntilReady({ page }: TestHost): Promise<void> {
  await page.waitForFunction(() => window.host.events.includes('ready'))
}

export const screenshot = (page: Page, name: string): Promise<void> => saveScreenshot(page, `bridge-${name}`)

const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
}

/** Builds host and mini app, and returns their files by path. Files of only one of them are in a folder of its name. */
async function buildFiles(): Promise<Map<string, string>> {
  const output = await buildPages({ host: hostSource, app: appSource })
  const files = new Map<string, string>()
  for (const file of output) {
    files.set(file.fileName, String(file.type === 'chunk' ? file.code : file.source))
    if (file.type === 'chunk' && file.isEntry) {
      const styles = output.filter(({ fileName }) => fileName.endsWith('.css'))
      const links = styles.map(({ fileName }) => `<link rel="stylesheet" href="${fileName}">`)
      const name = file.facadeModuleId!.replace(/^\0|\.js$/g, '')
      files.set(
        `${name}/index.html`,
        html(`${links.join('')}<div id="mount"></div><script type="module" src="${file.fileName}"></script>`),
      )
    }
  }
  files.set('app/souk-app.json', JSON.stringify(manifest))
  return files
}
