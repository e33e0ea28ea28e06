import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, isAbsolute, join, normalize } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core'
import { build, defaultClientConditions, type Rolldown } from 'vite'
import { afterAll, inject } from 'vitest'
import type { Device } from '../../packages/runtime/src/carrier.ts'
import { type DevServer, release, serve } from '../../packages/vite-plugin/src/index.ts'

/** Mini apps of the playground in a real browser, as `souk dev` serves them and as `souk build` makes them. */

const root = join(import.meta.dirname, '../..')

export type Platform = 'H5' | 'App' | 'Mini App'
export const platforms: readonly Platform[] = ['H5', 'App', 'Mini App']
export type Mode = 'serve' | 'build'

/** What is built or served once, however often it is opened. */
interface Made {
  /** The name of a folder in `playground`, or a folder's absolute path. */
  project: string
  platform: Platform
  mode: Mode
  /** Android unless told. */
  os?: 'Android' | 'iOS'
  /** In mode `serve`: a Souk server and the app's id there; in a frame this opens the device page of the development server. */
  server?: string
  appid?: string
}

export interface Opening extends Made {
  /** BCP 47; `en` unless told. */
  language?: string
  theme?: 'light' | 'dark'
  /** Of the screen, in px; 375 × 667 unless told. On the device page the screen is always of that size. */
  width?: number
  height?: number
  /** What a frame is told of its device besides; the status bar is 20 px high, and nothing at the bottom is the system's. */
  device?: Partial<Device>
  /** Where the app begins: on H5 by the address, in a frame because the host says so; the launch page unless told. */
  path?: string
  query?: Record<string, string>
  /** Whether pages move when they come and go. */
  hasMotion?: boolean
  hasTouch?: boolean
  /** In mode `serve`, for App and Mini App: the page that `souk dev` opens, instead of a host of the tests' own. */
  isOnDevicePage?: boolean
  /** Before the first address is opened, such as for routes. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** False: what there is is given back at once, before the app has started. */
  isAwaited?: boolean
}

export interface App {
  readonly context: BrowserContext
  readonly page: Page
  /** Where the mini app's own elements are: the page on H5, the document in the frame elsewhere. */
  readonly app: Page | Frame
  /** Where bars and overlays are drawn. */
  readonly host: Page
  /** Where the files of the mini app are, with a slash at its end. */
  readonly url: string
  /** Opens a page by `reLaunch` unless told otherwise, and waits until it and its bars stand. The path is without a leading slash and may have a query. */
  go(path: string, by?: 'reLaunch' | 'navigateTo' | 'redirectTo' | 'switchTab'): Promise<void>
  /** Calls a method of `neu` in the mini app. What it gives must be plain. */
  neu<T = unknown>(method: string, options?: object): Promise<T>
  /** Everything that the app has done until now is drawn, in the page and by the host. */
  settled(): Promise<void>
  /** What went wrong or was complained of since the last time: errors, and warnings on the console. */
  faults(): string[]
  /** What a frame's host has last been told of its own part of the screen. */
  wishes(): Promise<Wishes>
  /** Changes the device that the host tells of; of no use on H5, where the viewport is the device. */
  setDevice(device: Partial<Device>): Promise<void>
  /** A picture for people, in the folder that nobody commits. */
  picture(name: string): Promise<void>
  close(): Promise<void>
}

/** What pages want of what the host alone decides. */
interface Wishes {
  orientation: 'auto' | 'portrait' | 'landscape'
  /** The colour of what stands in the status bar. */
  statusBar: 'black' | 'white'
}

/** What the host's own page has for tests. */
interface Host {
  wishes: Wishes
  open(props: object): void
  setDevice(device: Partial<Device>): void
  back(): void
}

type Api = Record<string, (options?: object) => Promise<unknown>>
type Win = Window & { host: Host; uni: Api }

const closing: (() => Promise<unknown>)[] = []
const made = new Map<string, Promise<string>>()
let browser: Promise<Browser> | undefined
/** Of the page that holds mini apps, by their names. */
let hostFiles: Promise<Map<string, string | Uint8Array>> | undefined
let statics: Promise<{ url: string; folders: Map<string, string> }> | undefined

afterAll(async () => {
  // Last opened, first closed.
  for (const close of closing.splice(0).reverse()) await close()
})

export async function openApp(opening: Opening): Promise<App> {
  const { platform, mode, language = 'en', theme = 'light', width = 375, height = 667, path, query = {} } = opening
  const isInFrame = platform !== 'H5'
  const isOnDevicePage = isInFrame && mode === 'serve' && (opening.isOnDevicePage ?? opening.server !== undefined)
  const isInHost = isInFrame && !isOnDevicePage
  // Before anything else is built: whatever is built in one process shares what the compiler of Vue files remembers of them.
  if (isInHost) hostFiles ??= buildHost()
  await hostFiles
  const url = await addressOf(opening)
  browser ??= chromium.connect(inject('browser')).then((connected) => {
    closing.push(() => connected.close())
    return connected
  })
  const context = await (await browser).newContext({
    viewport: isOnDevicePage ? { width: 760, height: 800 } : { width, height },
    locale: language,
    colorScheme: theme,
    reducedMotion: opening.hasMotion ? 'no-preference' : 'reduce',
    hasTouch: opening.hasTouch ?? false,
  })
  closing.push(() => context.close())
  context.setDefaultTimeout(30_000)
  await opening.prepare?.(context)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`)
  })

  if (isOnDevicePage) {
    await page.goto(new URL('/__souk/device', url).href)
  } else if (isInHost) {
    await page.goto(`${(await staticServer()).url}host/index.html`)
    const manifest = await (await fetch(new URL('souk-app.json', url))).json()
    const device: Device = {
      width,
      height,
      statusBarHeight: 20,
      safeAreaBottom: 0,
      orientation: width > height ? 'landscape' : 'portrait',
      os: opening.os ?? 'Android',
      language,
      theme,
      ...opening.device,
    }
    const start = path === undefined ? undefined : { path, query }
    await page.evaluate((props) => (window as unknown as Win).host.open(props), {
      manifest,
      url: new URL('index.html', url).href,
      appid: opening.appid ?? 'playground',
      device,
      start,
    })
  } else {
    const hash = path === undefined ? '' : `#/${path}?${new URLSearchParams(query)}`
    await page.goto(url + hash)
  }

  const app: App = {
    context,
    page,
    host: page,
    url,
    get app() {
      if (!isInFrame) return page
      const [, frame] = page.frames()
      if (!frame) throw new Error('there is no frame')
      return frame
    },
    async go(path, by = 'reLaunch') {
      await app.neu(by, { url: `/${path}` })
      await app.app.waitForSelector(pageSelector(path))
      await app.settled()
    },
    async neu<T>(method: string, options?: object) {
      const { failure, result } = await app.app.evaluate(
        async ([method, options]) => {
          try {
            return { result: await (window as unknown as Win).uni[method]!(options) }
          } catch (error) {
            const { errMsg, message } = error as { errMsg?: string; message?: string }
            return { failure: errMsg ?? message ?? String(error) }
          }
        },
        [method, options] as const,
      )
      if (failure !== undefined) throw new Error(failure)
      return result as T
    },
    async settled() {
      await app.app.evaluate(async () => {
        const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
        await drawn()
        // What the host answers to comes after what it was told before.
        await (window as unknown as Win).uni.vibrateShort!().catch(() => {})
        await drawn()
      })
      if (isInFrame) await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    },
    faults: () => faults.splice(0),
    wishes: () => page.evaluate(() => (window as unknown as Win).host.wishes),
    async setDevice(device) {
      if (isInFrame) await page.evaluate((device) => (window as unknown as Win).host.setDevice(device), device)
    },
    async picture(name) {
      const folder = join(root, 'e2e/screenshots/playground')
      await mkdir(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
    },
    close: () => context.close(),
  }
  if (opening.isAwaited !== false) {
    if (isInFrame) await page.waitForSelector('iframe')
    const shown = path === undefined ? 'neu-page' : pageSelector(path)
    await app.app.waitForSelector(shown).catch((error: unknown) => {
      throw new Error(`${platform} has not started: ${faults.join('\n')}`, { cause: error })
    })
    await app.settled()
  }
  return app
}

/** Pages below the one on top are inert. */
const pageSelector = (path: string) => `neu-page-window:not([inert]) neu-page[data-page="${path.replace(/\?.*/, '')}"]`

/** Where it is to be had, with a slash at its end. */
function addressOf(options: Made): Promise<string> {
  const { project, platform, mode, os, server, appid } = options
  const key = [project, platform, mode, os ?? 'Android', server ?? '', appid ?? ''].join('|')
  const known = made.get(key)
  if (known) return known
  const folder = isAbsolute(project) ? project : join(root, 'playground', project)
  const own = {
    project: folder,
    platform,
    ...(os && { os }),
    ...(server !== undefined && { server }),
    ...(appid !== undefined && { appid }),
  }
  const address = mode === 'serve' ? inTurn(folder, () => served(own)) : built(own)
  made.set(key, address)
  return address
}

const turns = new Map<string, Promise<unknown>>()

/** Servers of one project share what vite has prepared for it, and so only the first one may do that. */
function inTurn<T>(folder: string, start: () => Promise<T>): Promise<T> {
  const started = (turns.get(folder) ?? Promise.resolve()).then(start)
  turns.set(
    folder,
    started.catch(() => {}),
  )
  return started
}

async function served(options: Parameters<typeof serve>[0]): Promise<string> {
  const { urls, close }: DevServer = await serve(options)
  closing.push(close)
  const url = new URL('/', urls[0]).href
  // The first request makes vite prepare Vue.
  await (await fetch(new URL('@id/vue', url))).text()
  return url
}

async function built(options: Parameters<typeof release>[0]): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'souk-playground-'))
  closing.push(() => rm(out, { recursive: true, force: true }))
  await release({ ...options, out })
  const { url, folders } = await staticServer()
  const name = `app${folders.size}`
  folders.set(name, out)
  return `${url}${name}/`
}

/** Serves builds, each from a folder of its name, and under `host` the page that holds mini apps. */
function staticServer(): Promise<{ url: string; folders: Map<string, string> }> {
  statics ??= (async () => {
    const folders = new Map<string, string>()
    const server = createServer(async (request, response) => {
      const [, name = '', path = ''] = /^\/([^/]+)\/([^?]*)/.exec(request.url ?? '') ?? []
      const folder = folders.get(name)
      const file = folder && join(folder, normalize(`/${decodeURIComponent(path) || 'index.html'}`))
      const body =
        name === 'host' ? (await hostFiles)?.get(path) : file && existsSync(file) ? await readFile(file) : undefined
      response.setHeader('Access-Control-Allow-Origin', '*')
      if (body === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'Content-Type': types[extname(path || '.html')] ?? '' }).end(body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    closing.push(() => closed(server))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, folders }
  })()
  return statics
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
}

/** An application that holds one mini app across its whole window. */
const host = `
  import { createApp, h, reactive } from 'vue'
  import { MiniApp, developmentHost } from '/packages/runtime/src/host/index.ts'

  const props = reactive({})
  const shown = reactive({ isOpen: false })
  let miniApp
  window.host = {
    wishes: {},
    open(own) {
      Object.assign(props, own, { methods: developmentHost({ appid: own.appid }) })
      shown.isOpen = true
    },
    setDevice: (own) => { props.device = { ...props.device, ...own } },
    back: () => miniApp.back(),
  }
  createApp({
    render: () => shown.isOpen && h('div', { style: 'position: fixed; inset: 0' }, [
      h(MiniApp, {
        ...props,
        ref: (value) => { miniApp = value },
        onOrientation: (orientation) => { host.wishes.orientation = orientation },
        onStatusBar: (textStyle) => { host.wishes.statusBar = textStyle },
      }),
    ]),
  }).mount('#mount')
`

async function buildHost(): Promise<Map<string, string | Uint8Array>> {
  const id = '\0host.js'
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'host',
        resolveId: (source) => (source === 'host' ? id : null),
        load: (own) => (own === id ? host : null),
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
      rolldownOptions: { input: 'host' },
    },
  })) as Rolldown.RolldownOutput
  const files = new Map<string, string | Uint8Array>(
    result.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
  const first = result.output.find((file) => file.type === 'chunk' && file.isEntry)!.fileName
  const links = [...files.keys()].filter((name) => name.endsWith('.css'))
  files.set(
    'index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title>
    <body style="margin:0">${links.map((name) => `<link rel="stylesheet" href="./${name}">`).join('')}
    <div id="mount"></div><script type="module" src="./${first}"></script>`,
  )
  return files
}
