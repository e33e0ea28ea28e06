import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { build, defaultClientConditions, type Rolldown } from 'vite'
import type { NavigationBarModel, TabBarModel } from '../../packages/shell/src/bars.ts'
import type { BarEvent, Device, Overlays } from '../../packages/shell/src/host.ts'
import { lendPage } from '../browser.ts'
import { unpackChromium } from '../chromium.ts'

const root = join(import.meta.dirname, '../..')
/** Base URL of the page, with the images red.svg, lime.svg, blue.svg and orange.svg and the font icons.ttf. */
export const baseUrl = 'http://bars.test/'

/** Source of a page that draws the bars around a content area, as an app does. */
const entry = `
  import { createApp, h, reactive } from 'vue'
  import NavigationBar from '/packages/shell/src/NavigationBar.vue'
  import TabBar from '/packages/shell/src/TabBar.vue'

  const props = reactive({ scrollTop: 0, statusBarHeight: 0, viewportHeight: 600, safeAreaBottom: 0, isAnimated: false, language: 'en' })
  const models = reactive({ navigationBar: null, tabBar: null })
  const phone = { language: 'en', theme: 'light', safeAreaBottom: 0 }
  const device = reactive({ ...phone })
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
    set: (changes) => Object.assign(props, changes),
    draw: (changes) => Object.assign(models, changes),
    device: (changes) => Object.assign(device, changes),
    events,
    results: [],
    async overlay(method, params) {
      const { createOverlays } = await import('/packages/shell/src/overlays/overlays.ts')
      overlays ??= createOverlays(document.body, device)
      overlays[method](params).then(
        (result) => window.bars.results.push({ method, result }),
        ({ errMsg }) => window.bars.results.push({ method, errMsg }),
      )
    },
    async clearOverlays() {
      overlays?.close()
      overlays = undefined
      Object.assign(device, phone)
      document.documentElement.removeAttribute('dir')
      await new Promise(requestAnimationFrame)
      events.splice(0)
      window.bars.results.splice(0)
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
  clearOverlays(): Promise<void>
  events: (BarEvent | { type: 'content' })[]
  results: { method: string; result?: unknown; errMsg?: string }[]
}

declare global {
  interface Window {
    bars: Bars
  }
}

/** A phone screen of 375 × 667 px that draws given bars and overlays. */
export interface TestScreen {
  page: Page
  /** See `LentPage`. */
  giveBack(): Promise<void>
  set(props: Partial<Props>): Promise<void>
  draw(models: Parameters<Bars['draw']>[0]): Promise<void>
  device(device: Partial<Device>): Promise<void>
  overlay<M extends keyof Overlays>(method: M, params: Parameters<Overlays[M]>[0]): Promise<void>
  /** Removes all overlays, and resets the device, the direction and what has been recorded. */
  clearOverlays(): Promise<void>
  /** Returns and clears the events of the bars. */
  events(): Promise<Bars['events']>
  /** Returns and clears the results of overlays. */
  results(): Promise<Bars['results']>
}

/** Returns a computed style of an element. */
export const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)

let files: Promise<Map<string, string | Uint8Array>> | undefined

export async function openScreen(options: BrowserContextOptions = {}): Promise<TestScreen> {
  files ??= buildPage()
  const pageFiles = await files
  const { page, giveBack } = await lendPage({
    viewport: { width: 375, height: 667 },
    reducedMotion: 'reduce',
    ...options,
  })
  await page.route(`${baseUrl}**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1) || 'index.html'
    const body = pageFiles.get(path)
    return body === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: Buffer.from(body), contentType: types[path.split('.').at(-1)!] ?? '' })
  })
  await page.goto(baseUrl)
  await page.waitForFunction(() => window.bars)
  const take = (list: 'events' | 'results') => page.evaluate((list) => window.bars[list].splice(0), list)
  const nextFrame = () => page.evaluate(() => new Promise(requestAnimationFrame))
  return {
    page,
    giveBack,
    set: async (props) => {
      await page.evaluate((props) => window.bars.set(props), props)
      await nextFrame()
    },
    draw: async (models) => {
      await page.evaluate((models) => window.bars.draw(models), models)
      await nextFrame()
    },
    device: async (device) => {
      await page.evaluate((device) => window.bars.device(device), device)
    },
    overlay: async (method, params) => {
      await page.evaluate(([method, params]) => window.bars.overlay(method, params), [method, params] as const)
    },
    clearOverlays: () => page.evaluate(() => window.bars.clearOverlays()),
    events: () => take('events') as Promise<Bars['events']>,
    results: () => take('results') as Promise<Bars['results']>,
  }
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
}

/** Returns an SVG of one color, 80 × 40 px. */
const image = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`

async function buildPage(): Promise<Map<string, string | Uint8Array>> {
  const id = '\0bars.js'
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'bars',
        resolveId: (source) => (source === 'bars' ? id : null),
        load: (source) => (source === id ? entry : null),
      },
      vue(),
    ],
    resolve: { conditions: ['souk-source', ...defaultClientConditions] },
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
  files.set('icons.ttf', await readFile(join(await unpackChromium(), 'fonts/fonts/Open_Sans/OpenSans-Bold.ttf')))
  return files
}
