import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { inject } from 'vitest'
import type { BarEvent, Device, Overlays } from '../../packages/runtime/src/carrier.ts'
import type { NavigationBarModel, TabBarModel } from '../../packages/runtime/src/shell/bars.ts'

const root = join(import.meta.dirname, '../..')
/** Where the page is, and its images red.svg, lime.svg, blue.svg, orange.svg and its font icons.ttf. */
export const address = 'http://bars.test/'

/** Draws the bars around an area to scroll in, as an app does. */
const entry = `
  import { createApp, h, reactive } from 'vue'
  import NavigationBar from '/packages/runtime/src/shell/NavigationBar.vue'
  import TabBar from '/packages/runtime/src/shell/TabBar.vue'

  const props = reactive({ scrollTop: 0, statusBarHeight: 0, viewportHeight: 600, safeAreaBottom: 0, isAnimated: false, language: 'en' })
  const models = reactive({ navigationBar: null, tabBar: null })
  const device = reactive({ language: 'en', theme: 'light', safeAreaBottom: 0 })
  const events = []
  const onEvent = (event) => events.push(event)
  createApp({
    render: () => [
      h('div', { style: 'position: fixed; inset: 0 0 auto; z-index: 1; pointer-events: none' }, models.navigationBar && [
        h(NavigationBar, { ...props, model: models.navigationBar, onEvent }),
      ]),
      h('button', { id: 'content', style: 'position: fixed; inset: 0; border: 0; background: repeating-linear-gradient(45deg, #def 0 20px, #fed 20px 40px)', onClick: () => events.push({ type: 'content' }) }),
      h('div', { style: 'position: fixed; inset: auto 0 0; z-index: 1; pointer-events: none' }, [
        h(TabBar, { ...props, model: models.tabBar, onEvent }),
      ]),
    ],
  }).mount(document.body.appendChild(document.createElement('div')))
  let overlays
  window.bars = {
    set: (own) => Object.assign(props, own),
    draw: (own) => Object.assign(models, own),
    device: (own) => Object.assign(device, own),
    events,
    answers: [],
    async overlay(method, params) {
      const { createOverlays } = await import('/packages/runtime/src/shell/overlays/overlays.ts')
      overlays ??= createOverlays(document.body, device)
      overlays[method](params).then(
        (result) => window.bars.answers.push({ method, result }),
        ({ errMsg }) => window.bars.answers.push({ method, errMsg }),
      )
    },
  }
`

interface Props {
  scrollTop: number
  statusBarHeight: number
  viewportHeight: number
  safeAreaBottom: number
  isAnimated: boolean
  language: string
}

interface Bars {
  set(props: Partial<Props>): void
  draw(models: { navigationBar?: NavigationBarModel | null; tabBar?: TabBarModel | null }): void
  device(device: Partial<Device>): void
  overlay(method: string, params: unknown): Promise<void>
  events: (BarEvent | { type: 'content' })[]
  answers: { method: string; result?: unknown; errMsg?: string }[]
}

declare global {
  interface Window {
    bars: Bars
  }
}

/** A page that draws what it is told, in a phone of 375 by 667. */
export interface Fixture {
  page: Page
  set(props: Partial<Props>): Promise<void>
  draw(models: Parameters<Bars['draw']>[0]): Promise<void>
  device(device: Partial<Device>): Promise<void>
  overlay<M extends keyof Overlays>(method: M, params: Parameters<Overlays[M]>[0]): Promise<void>
  /** What has happened on the bars since the last time. */
  events(): Promise<Bars['events']>
  answers(): Promise<Bars['answers']>
}

/** A property as the browser has computed it. */
export const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)

let files: Promise<Map<string, string | Uint8Array>> | undefined
let browser: Promise<Browser> | undefined
const contexts: BrowserContext[] = []

/** After the last test of a file. */
export async function closeFixtures(): Promise<void> {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
  await (await browser)?.close()
  browser = undefined
}

export async function openFixture(options: BrowserContextOptions = {}): Promise<Fixture> {
  files ??= built()
  browser ??= chromium.connect(inject('browser'))
  const served = await files
  const context = await (await browser).newContext({
    viewport: { width: 375, height: 667 },
    reducedMotion: 'reduce',
    ...options,
  })
  contexts.push(context)
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  await page.route(`${address}**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1) || 'index.html'
    const body = served.get(path)
    return body === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: Buffer.from(body), contentType: types[path.split('.').at(-1)!] ?? '' })
  })
  await page.goto(address)
  await page.waitForFunction(() => window.bars)
  const take = (list: 'events' | 'answers') => page.evaluate((list) => window.bars[list].splice(0), list)
  const drawn = () => page.evaluate(() => new Promise(requestAnimationFrame))
  return {
    page,
    set: async (props) => {
      await page.evaluate((props) => window.bars.set(props), props)
      await drawn()
    },
    draw: async (models) => {
      await page.evaluate((models) => window.bars.draw(models), models)
      await drawn()
    },
    device: async (device) => {
      await page.evaluate((device) => window.bars.device(device), device)
    },
    overlay: async (method, params) => {
      await page.evaluate(([method, params]) => window.bars.overlay(method, params), [method, params] as const)
    },
    events: () => take('events') as Promise<Bars['events']>,
    answers: () => take('answers') as Promise<Bars['answers']>,
  }
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
}

/** An image of one colour, twice as wide as high. */
const image = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`

async function built(): Promise<Map<string, string | Uint8Array>> {
  const id = '\0bars.js'
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'bars',
        resolveId: (source) => (source === 'bars' ? id : null),
        load: (own) => (own === id ? entry : null),
      },
      vue(),
    ],
    define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
    build: { write: false, rolldownOptions: { input: 'bars' }, modulePreload: { polyfill: false } },
  })) as Rolldown.RolldownOutput
  const files = new Map<string, string | Uint8Array>(
    result.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
  const first = result.output.find((file) => file.type === 'chunk' && file.isEntry)!.fileName
  const styles = result.output.filter(({ fileName }) => fileName.endsWith('.css')).map(({ fileName }) => fileName)
  files.set(
    'index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bars</title>
    <style>:root { --rpx: calc(100vw / 750) } body { margin: 0 }</style>
    ${styles.map((name) => `<link rel="stylesheet" href="/${name}">`).join('')}
    <script type="module" src="/${first}"></script></html>`,
  )
  for (const color of ['red', 'lime', 'blue', 'orange']) files.set(`${color}.svg`, image(color))
  files.set(
    'icons.ttf',
    await readFile(
      join(root, 'node_modules/.cache', await chromiumFolder(), 'fonts/fonts/Open_Sans/OpenSans-Bold.ttf'),
    ),
  )
  return files
}

async function chromiumFolder(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'))
  return `chromium-${version}`
}
