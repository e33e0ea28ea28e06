import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, isAbsolute, join, normalize } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import type { Device } from '../../packages/shell/src/host.ts'
import { type DevServer, release, serve } from '../../packages/vite-plugin/src/index.ts'
import { afterFile, lendPage } from '../browser.ts'
import { buildPages } from '../buildPages.ts'
import { saveScreenshot } from '../screenshot.ts'

/** Opens mini apps of the playground in a real browser, served like `souk dev` or built like `souk build`. */

const root = join(import.meta.dirname, '../..')

export type Platform = 'H5' | 'App' | 'Mini App'
export const platforms: readonly Platform[] = ['H5', 'App', 'Mini App']
export type Mode = 'serve' | 'build'

/** Target that is built or served once and shared by all tests that open it. */
interface Target {
  /** Name of a folder in `playground`, or an absolute path. */
  project: string
  platform: Platform
  mode: Mode
  /** Defaults to Android. */
  os?: 'Android' | 'iOS'
  /**
   * In mode `serve`: the URL of a Souk server, and with `appid` the app's id there. In a frame this opens the device
   * page of the development server.
   */
  server?: string
  appid?: string
}

export interface Opening extends Target {
  /** BCP 47 tag; defaults to `en`. */
  language?: string
  theme?: 'light' | 'dark'
  /** Screen size in px; defaults to 375 × 667, which the device page always uses. */
  width?: number
  height?: number
  /** Overrides of the device in a frame; by default the status bar is 20 px high and there is no bottom safe area. */
  device?: Partial<Device>
  /** Start page, passed in the URL on H5 and by the host in a frame; defaults to the launch page. */
  path?: string
  query?: Record<string, string>
  /** Enables page animations, which are off by default. */
  hasMotion?: boolean
  hasTouch?: boolean
  /** In mode `serve`, for App and Mini App: opens the device page of `souk dev` instead of the test host. */
  isOnDevicePage?: boolean
  /**
   * Runs before the first page is opened, for example to add routes. What the end of a `LentPage` does not undo, such
   * as an init script, requires that `context` of the app is read.
   */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** If false, `openApp` returns before the app has started. */
  isAwaited?: boolean
}

export interface App {
  /** A separate context once it has been read; otherwise later apps use it again. */
  readonly context: BrowserContext
  readonly page: Page
  /** Document of the mini app: the page on H5, the frame elsewhere. */
  readonly app: Page | Frame
  /** Page in which bars and overlays are drawn. */
  readonly host: Page
  /** Base URL of the mini app's files, with a trailing slash. */
  readonly url: string
  /**
   * Opens a page, by default with `reLaunch`, and waits until the page and its bars are drawn. The path has no leading
   * slash and may have a query.
   */
  go(path: string, by?: 'reLaunch' | 'navigateTo' | 'redirectTo' | 'switchTab'): Promise<void>
  /** Calls a method of `neu` in the mini app. The result must be serializable. */
  neu<T = unknown>(method: string, options?: object): Promise<T>
  /** Waits until everything the app has done so far is drawn, in the page and by the host. */
  settled(): Promise<void>
  /** Returns and clears uncaught errors, and errors and warnings logged to the console. */
  faults(): string[]
  /** Returns the screen settings that the page has last requested from the host. */
  screenSettings(): Promise<ScreenSettings>
  /** Changes the device that the host reports. Has no effect on H5, where the viewport is the device. */
  setDevice(device: Partial<Device>): Promise<void>
  /** See `saveScreenshot`. */
  screenshot(name: string): Promise<void>
  close(): Promise<void>
}

/** Screen settings that pages request and the host applies. */
interface ScreenSettings {
  orientation: 'auto' | 'portrait' | 'landscape'
  /** Color of the status bar's text. */
  statusBar: 'black' | 'white'
}

/** Test interface of the host page. */
interface Host {
  screenSettings: ScreenSettings
  open(props: object): void
  setDevice(device: Partial<Device>): void
  back(): void
}

type Api = Record<string, (options?: object) => Promise<unknown>>
type Win = Window & { host: Host; uni: Api }

/** Files of the host page by name. */
let hostFiles: Promise<Map<string, string | Uint8Array>> | undefined
/** URLs of the targets of the current test file. */
const urls = new Map<string, Promise<string>>()
let staticFiles: Promise<{ url: string; folders: Map<string, string> }> | undefined

/**
 * Opens a mini app in a frame whose scripts are held back until `release` is called. Returns once one of them has been
 * requested.
 */
export async function openHeld(opening: Opening): Promise<{ app: App; release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>()
  const hold = (context: BrowserContext) =>
    context.route(
      ({ pathname }) => /^\/app\d+\/.*\.js$/.test(pathname),
      async (route) => {
        onRequest()
        await released
        await route.continue()
      },
    )
  const app = await openApp({ ...opening, isAwaited: false, prepare: hold })
  await requested
  return { app, release }
}

export async function openApp(opening: Opening): Promise<App> {
  const { platform, mode, language = 'en', theme = 'light', width = 375, height = 667, path, query = {} } = opening
  const isInFrame = platform !== 'H5'
  const isOnDevicePage = isInFrame && mode === 'serve' && (opening.isOnDevicePage ?? opening.server !== undefined)
  const isInHost = isInFrame && !isOnDevicePage
  // Build the host first: all builds in one process share the cache of the Vue compiler.
  if (isInHost) hostFiles ??= buildHost()
  await hostFiles
  const url = await urlOf(opening)
  const options: BrowserContextOptions = {
    viewport: isOnDevicePage ? { width: 760, height: 800 } : { width, height },
    locale: language,
    colorScheme: theme,
    reducedMotion: opening.hasMotion ? 'no-preference' : 'reduce',
    hasTouch: opening.hasTouch ?? false,
  }
  let isContextChanged = false
  const { page, giveBack } = await lendPage(options)
  const context = page.context()
  await opening.prepare?.(context)
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
    get context() {
      isContextChanged = true
      return context
    },
    page,
    host: page,
    url,
    get app() {
      if (!isInFrame) return page
      const [, frame] = page.frames()
      if (!frame) throw new Error('The page has no frame')
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
        // The host answers in order, so this call returns after all earlier ones.
        await (window as unknown as Win).uni.vibrateShort!().catch(() => {})
        await drawn()
      })
      if (isInFrame) await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    },
    faults: () => faults.splice(0),
    screenSettings: () => page.evaluate(() => (window as unknown as Win).host.screenSettings),
    async setDevice(device) {
      if (isInFrame) await page.evaluate((device) => (window as unknown as Win).host.setDevice(device), device)
    },
    screenshot: (name) => saveScreenshot(page, `playground/${name}`),
    close: async () => {
      await (isContextChanged ? context.close() : giveBack())
    },
  }
  if (opening.isAwaited !== false) {
    if (isInFrame) await page.waitForSelector('iframe')
    const shown = path === undefined ? 'neu-page' : pageSelector(path)
    await app.app.waitForSelector(shown).catch((error: unknown) => {
      throw new Error(`${platform} did not start: ${faults.join('\n')}`, { cause: error })
    })
    await app.settled()
  }
  return app
}

/** Pages below the current one are inert. */
const pageSelector = (path: string) => `neu-page-window:not([inert]) neu-page[data-page="${path.replace(/\?.*/, '')}"]`

/** Returns the base URL of a target, with a trailing slash, and serves or builds it on the first call. */
function urlOf(options: Target): Promise<string> {
  const { project, platform, mode, os, server, appid } = options
  const key = [project, platform, mode, os ?? 'Android', server ?? '', appid ?? ''].join('|')
  const existing = urls.get(key)
  if (existing) return existing
  const folder = isAbsolute(project) ? project : join(root, 'playground', project)
  const settings = {
    project: folder,
    platform,
    ...(os && { os }),
    ...(server !== undefined && { server }),
    ...(appid !== undefined && { appid }),
  }
  const url = mode === 'serve' ? serially(folder, () => serveProject(settings)) : buildProject(settings)
  urls.set(key, url)
  afterFile(() => urls.delete(key))
  return url
}

const starts = new Map<string, Promise<unknown>>()

/**
 * Starts the servers of one project one by one, because they share Vite's dependency cache and the first one fills it.
 */
function serially<T>(folder: string, start: () => Promise<T>): Promise<T> {
  const started = (starts.get(folder) ?? Promise.resolve()).then(start)
  starts.set(
    folder,
    started.catch(() => {}),
  )
  return started
}

async function serveProject(options: Parameters<typeof serve>[0]): Promise<string> {
  const { urls: serverUrls, close }: DevServer = await serve(options)
  afterFile(close)
  const url = new URL('/', serverUrls[0]).href
  // The first request makes Vite optimize Vue.
  await (await fetch(new URL('@id/vue', url))).text()
  return url
}

async function buildProject(options: Parameters<typeof release>[0]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-playground-'))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  // The source maps are stored beside it.
  const out = join(folder, 'release')
  await release({ ...options, out })
  const { url, folders } = await staticServer()
  const name = `app${folders.size}`
  folders.set(name, out)
  return `${url}${name}/`
}

/** Serves a build again under another URL of the same origin, as another app, and returns its base URL. */
export async function copyBuild(url: string): Promise<string> {
  const { url: base, folders } = await staticServer()
  const [, name] = new URL(url).pathname.split('/')
  const copy = `app${folders.size}`
  folders.set(copy, folders.get(name!)!)
  return `${base}${copy}/`
}

/** Serves each build under its name, and the host page under `host`. */
function staticServer(): Promise<{ url: string; folders: Map<string, string> }> {
  staticFiles ??= (async () => {
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
    afterFile(() => {
      staticFiles = undefined
      return closeServer(server)
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, folders }
  })()
  return staticFiles
}

function closeServer(server: Server): Promise<void> {
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

/** Source of a host page that shows one mini app across its whole window. */
const host = `
  import { createApp, h, reactive } from 'vue'
  import { MiniApp, developmentHost } from '/packages/host-view/src/index.ts'

  const props = reactive({})
  const shown = reactive({ isOpen: false })
  let miniApp
  window.host = {
    screenSettings: {},
    open(changes) {
      const mapTiles = { url: location.origin + '/tiles/{z}/{x}/{y}.png', attribution: 'Tiles of the test' }
      Object.assign(props, { mapTiles }, changes, { methods: developmentHost({ appid: changes.appid }) })
      shown.isOpen = true
    },
    setDevice: (changes) => { props.device = { ...props.device, ...changes } },
    back: () => miniApp.back(),
  }
  createApp({
    render: () => shown.isOpen && h('div', { style: 'position: fixed; inset: 0' }, [
      h(MiniApp, {
        ...props,
        ref: (value) => { miniApp = value },
        onOrientation: (orientation) => { host.screenSettings.orientation = orientation },
        onStatusBar: (textStyle) => { host.screenSettings.statusBar = textStyle },
      }),
    ]),
  }).mount('#mount')
`

async function buildHost(): Promise<Map<string, string | Uint8Array>> {
  const output = await buildPages({ host })
  const files = new Map<string, string | Uint8Array>(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
  const first = output.find((file) => file.type === 'chunk' && file.isEntry)!.fileName
  const links = [...files.keys()].filter((name) => name.endsWith('.css'))
  files.set(
    'index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title>
    <body style="margin:0">${links.map((name) => `<link rel="stylesheet" href="./${name}">`).join('')}
    <div id="mount"></div><script type="module" src="./${first}"></script>`,
  )
  return files
}
