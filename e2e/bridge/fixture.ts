import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { type Browser, type BrowserContext, chromium, type Frame, type Page, type Route } from 'playwright-core'
import { build, defaultClientConditions, type Rolldown } from 'vite'
import { afterAll, inject } from 'vitest'
import type { Device } from '../../packages/runtime/src/carrier.ts'
import type { AppManifest } from '../../packages/runtime/src/config.ts'

/** The host and its mini apps, each of an origin of its own. */
export const hostOrigin = 'http://host.test'
export const appsOrigin = 'http://apps.test'

const root = join(import.meta.dirname, '../..')

/** A host application with nothing but one mini app, whose methods say what they were asked. */
const host = `
  import { createApp, h, reactive } from 'vue'
  import { MiniApp, developmentHost, hostStorage } from '/packages/runtime/src/host/index.ts'

  localStorage.setItem('session', 'of the host')
  document.cookie = 'session=of-the-host'
  const props = reactive({})
  const shown = reactive({ isOpen: false })
  const calls = []
  const events = []
  const method = (name, answer) => async (params) => {
    calls.push([name, params])
    return answer
  }
  let miniApp
  window.host = {
    calls,
    events,
    open(own, { server, uid } = {}) {
      const storage = hostStorage(own.appid)
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
        : { ...developmentHost({ server, uid, appid: own.appid }), ...storage }
      Object.assign(props, own, { methods })
      shown.isOpen = true
    },
    set: (own) => Object.assign(props, own),
    setDevice: (own) => { props.device = { ...props.device, ...own } },
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

/** A mini app on the runtime's own carrier, without pages: what its tests do with it is told from outside. */
const app = `
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
  import { initialScreen } from '/packages/runtime/src/host/initialScreen.ts'

  const carrier = await inFrame()
  setCarrier(carrier)
  const events = []
  carrier.onBarEvent = (event) => events.push({ ...event })
  carrier.onVisibilityChange = (visible) => events.push({ type: 'visibility', visible })
  const manifest = await (await fetch('souk-app.json')).json()
  const { bars } = initialScreen(manifest, carrier.start?.path, new URL('.', location.href).href)
  window.app = { ...storage, ...modal, ...toast, ...loading, ...login, ...payment, ...system, ...image, ...request, ...device, carrier, events, bars }
  // As the runtime does it, with what Vue has wrapped.
  app.show = (own) => carrier.showBars(reactive(Object.assign(app.bars, own)))
  app.show({ pageId: 1 })
`

const html = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test</title><body style="margin:0">${body}</body></html>`

/** Written by hand, without anything of Souk: the port and what comes over it are there for the test. */
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

/** What a build would say of a small shop. */
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

/** What a mini app is opened with, when it is not what `phone` and `manifest` say. */
interface Opening {
  url?: string
  appid?: string
  manifest?: AppManifest
  device?: Device
  start?: { path: string; query: Record<string, string> }
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

/** A browser with the host in it. */
export interface Fixture {
  page: Page
  context: BrowserContext
  open(opening?: Opening, options?: { server?: string; uid?: number }): Promise<void>
  /** The document of the mini app that is there now. */
  frame(): Promise<Frame>
  /** A path of the mini apps' origin from now on; `hold` gets the way to let it go. */
  serve(path: string, body: string | ((route: Route) => Promise<void>)): void
  /** What the browser complained of. */
  complaints: string[]
}

const connected: { browser?: Promise<Browser>; contexts: BrowserContext[] } = { contexts: [] }
let files: Promise<Map<string, string>> | undefined

afterAll(async () => {
  await Promise.all(connected.contexts.splice(0).map((context) => context.close()))
  await (await connected.browser)?.close()
})

export async function openFixture(): Promise<Fixture> {
  files ??= built()
  connected.browser ??= chromium.connect(inject('browser'))
  const served = await files
  const context = await (await connected.browser).newContext({
    viewport: { width: phone.width, height: phone.height },
    reducedMotion: 'no-preference',
  })
  connected.contexts.push(context)
  context.setDefaultTimeout(30_000)
  const own = new Map<string, string | ((route: Route) => Promise<void>)>()
  const answer = async (route: Route) => {
    const { origin, pathname, search } = new URL(route.request().url())
    const path = pathname.slice(1)
    const special = origin === appsOrigin ? (own.get(path + search) ?? own.get(path)) : undefined
    if (typeof special === 'function') return special(route)
    const body = special ?? served.get(`${origin === hostOrigin ? 'host' : 'app'}/${path}`) ?? served.get(path)
    if (body === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({
      body,
      contentType: types[path.split('.').at(-1)!] ?? 'text/html',
      headers: { 'access-control-allow-origin': '*' },
    })
  }
  await context.route(`${hostOrigin}/**`, answer)
  await context.route(`${appsOrigin}/**`, answer)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)))
  await page.goto(`${hostOrigin}/index.html`)
  await page.waitForFunction(() => window.host)
  own.set('raw.html', rawApp)

  return {
    page,
    context,
    complaints,
    serve: (path, body) => void own.set(path, body),
    async open({ url = `${appsOrigin}/index.html`, ...opening } = {}, options = {}) {
      const props = { url, appid: 'coffee', manifest, device: phone, ...opening }
      await page.evaluate(([props, options]) => window.host.open(props, options), [props, options] as const)
    },
    async frame() {
      const frame = await (await page.waitForSelector('.souk-mini-app-frame')).contentFrame()
      if (!frame) throw new Error('there is no frame')
      return frame
    },
  }
}

/** Where the mini app is ready, as its host says. */
export async function ready({ page }: Fixture): Promise<void> {
  await page.waitForFunction(() => window.host.events.includes('ready'))
}

/** A picture for people, in the folder that nobody commits. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, '../screenshots')
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `bridge-${name}.png`), animations: 'disabled' })
}

const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
}

/** Host and mini app as they would be built, by path; what belongs to one of them alone is in a folder of its name. */
async function built(): Promise<Map<string, string>> {
  const sources: Record<string, string> = { host, app }
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'fixture',
        resolveId: (id) => (id in sources ? `\0${id}.js` : null),
        load: (id) => sources[id.replace(/^\0|\.js$/g, '')] ?? null,
      },
      vue(),
    ],
    resolve: { conditions: ['souk-source', ...defaultClientConditions] },
    define: {
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __SOUK_PLATFORM__: '"Mini App"',
      __SOUK_DEV__: 'false',
      __SOUK_TAB_BAR__: 'true',
    },
    base: './',
    build: {
      write: false,
      target: 'esnext',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: Object.keys(sources) },
    },
  })) as Rolldown.RolldownOutput
  const files = new Map<string, string>()
  for (const file of result.output) {
    files.set(file.fileName, String(file.type === 'chunk' ? file.code : file.source))
    if (file.type === 'chunk' && file.isEntry) {
      const styles = result.output.filter(({ fileName }) => fileName.endsWith('.css'))
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
