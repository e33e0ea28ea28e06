import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import type { ConsoleMessage, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf, wcag } from './axe.ts'
import { afterTest, newContext } from './browser.ts'
import { saveScreenshot } from './screenshot.ts'

const root = join(import.meta.dirname, '..')
const origin = 'http://tags.example'

/** An event that a listener of the page received. */
interface RecordedEvent {
  type: string
  detail: Record<string, unknown>
  /** Dataset of `event.currentTarget`. */
  dataset: Record<string, string>
  tag: string
}

interface TestPage {
  show(page: {
    template: string
    css?: string
    data?: Record<string, unknown>
    dir?: string
    isScoped?: boolean
  }): Promise<void>
  /** The server of maps. */
  tiles?: { url: string; attribution?: string }
  events: RecordedEvent[]
  hostCalls: unknown[][]
  state: Record<string, unknown>
}
declare const testPage: TestPage

/** Source of a page that compiles a template with the table of tags, as a build does, and shows it. */
const entry = `
import '@fontsource-variable/noto-sans-arabic/wght.css'
import '@souk/tags/tags.css'
import * as components from '@souk/tags'
import { tags } from '@souk/tags/tags'
import { compile, createApp, h, nextTick } from 'vue'

const table = new Map(tags.map((tag) => [tag.tag, tag]))
function asTag(node) {
  const tag = node.type === 1 && table.get(node.tag)
  if (!tag) return
  const names = node.props.map((prop) => (prop.type === 6 ? prop.name : prop.name === 'bind' ? prop.arg?.content : undefined))
  const isPlain = tag.element && !tag.componentWhen?.some((name) => names.includes(name))
  node.tag = isPlain ? tag.element : (tag.component ?? 'Block')
  node.tagType = isPlain ? 0 : 1
}

let app
window.testPage = {
  events: [],
  hostCalls: [],
  state: undefined,
  async show({ template, css = '', data = {}, dir = 'ltr', isScoped = false }) {
    app?.unmount()
    document.documentElement.dir = dir
    document.querySelector('#style').textContent = css
    this.events.length = 0
    this.hostCalls.length = 0
    app = createApp({
      ...(isScoped && { __scopeId: 'data-v-page' }),
      data: () => data,
      components: { ...components, Block: (_, { slots }) => slots.default() },
      methods: {
        record(event) {
          const { type, detail, currentTarget } = event
          testPage.events.push({ type, detail, dataset: { ...currentTarget.dataset }, tag: currentTarget.localName })
        },
      },
      render: compile(template, { nodeTransforms: [asTag] }),
    })
    app.provide(components.tagHostKey, {
      navigate: async (...call) => void testPage.hostCalls.push(call),
      preload: (url) => void testPage.hostCalls.push(['preload', url]),
      authorize: async (scope) => {
        testPage.hostCalls.push([scope])
        if (scope === 'user.info') throw { errMsg: 'getAuthCode:fail cancel' }
        return { code: 'abc', errMsg: 'getAuthCode:ok' }
      },
      href: (url) => '#' + url,
      assetUrl: (path) => path.replace(/^\\/static\\//, '/files/'),
      share: (dataset) => testPage.hostCalls.push(['share', { ...dataset }]),
      webViewUrl: (url) => (url.host === 'refused.example' ? undefined : url),
      mapTiles: () => testPage.tiles,
      locate: async () => ({ latitude: 25, longitude: 47 }),
    })
    app.config.warnHandler = (message) => console.error(message)
    this.state = app.mount('neu-page')
    await nextTick()
  },
}
`
const shell = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Tags</title><style>body { margin: 0; font: 16px/1.5 'Open Sans', 'Noto Sans Arabic Variable', sans-serif; }</style>
<body><script type="module" src="./main.js"></script><neu-page-window><neu-page></neu-page></neu-page-window></body></html>`

let folder: string
let files: Map<string, Buffer>

async function bundle(source: string, name: string): Promise<Map<string, Buffer>> {
  const home = join(folder, name)
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'main.js'), source)
  await writeFile(join(home, 'index.html'), shell)
  await build({
    configFile: false,
    logLevel: 'error',
    root: home,
    base: './',
    plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('neu-') } } })],
    resolve: {
      alias: [
        { find: /^@fontsource-variable\//, replacement: `${join(root, 'node_modules/@fontsource-variable')}/` },
        { find: /^@souk\/tags$/, replacement: join(root, 'packages/tags/src/index.ts') },
        { find: /^@souk\/tags\/tags$/, replacement: join(root, 'packages/tags/src/tags.ts') },
        { find: /^@souk\/tags\//, replacement: `${join(root, 'packages/tags/src')}/` },
        {
          find: /^vue$/,
          replacement: join(root, `node_modules/vue/dist/vue.${name === 'tags' ? 'esm' : 'runtime.esm'}-bundler.js`),
        },
      ],
    },
    define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', 'process.env.NODE_ENV': '"production"' },
    build: { modulePreload: { polyfill: false }, reportCompressedSize: false, assetsInlineLimit: 0 },
  })
  const out = join(home, 'dist')
  const names = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(
      names.map(async (entry): Promise<[string, Buffer]> => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(out.length), await readFile(path)]
      }),
    ),
  )
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-tags-'))
  files = await bundle(entry, 'tags')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="teal"/></svg>'

/** A second of silence. */
function silence(): Buffer {
  const rate = 8000
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + rate, 4)
  header.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, rate],
  ] as const)
    header.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.writeUInt16LE(value, at)
  header.write('data', 36)
  return Buffer.concat([header, Buffer.alloc(rate, 128)])
}

interface PageOptions {
  template: string
  css?: string
  data?: Record<string, unknown>
  dir?: 'ltr' | 'rtl'
  /** Compiles the page with the style scope `data-v-page`. */
  isScoped?: boolean
  /** Enables animations, which are off by default. */
  hasMotion?: boolean
  hasTouch?: boolean
}
interface WatchedPage extends Page {
  errors: string[]
}

/** Phone-sized pages by their options. Their documents are kept, since loading them takes longer than most tests. */
const pages = new Map<string, Promise<WatchedPage>>()

async function openPage(hasMotion: boolean, hasTouch: boolean): Promise<WatchedPage> {
  const context = await newContext({
    viewport: { width: 375, height: 667 },
    reducedMotion: hasMotion ? 'no-preference' : 'reduce',
    hasTouch,
    locale: 'en',
  })
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (/^\/files\/(?:a|unseen)\.svg$/.test(pathname)) return route.fulfill({ contentType: 'image/svg+xml', body: svg })
    if (pathname === '/files/a.wav') {
      const whole = silence()
      // Browsers seek only in files that they can read in ranges.
      const from = /^bytes=(\d+)-/.exec(route.request().headers().range ?? '')?.[1] ?? '0'
      const headers = {
        'content-type': 'audio/wav',
        'accept-ranges': 'bytes',
        'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}`,
      }
      return route.fulfill({ status: 206, headers, body: whole.subarray(Number(from)) })
    }
    if (pathname === '/files/inner.html')
      return route.fulfill({
        contentType: 'text/html',
        body: '<p>inner<script>parent.postMessage({ n: 1 }, "*")</script>',
      })
    const body = files.get(pathname === '/' ? '/index.html' : pathname)
    const contentType = types[extname(pathname) || '.html']
    return body
      ? route.fulfill({ body, ...(contentType && { contentType }) })
      : route.fulfill({ status: 404, body: '' })
  })
  const page = (await context.newPage()) as WatchedPage
  page.on('pageerror', (error) => page.errors.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 404/.test(message.text())) page.errors.push(message.text())
  })
  page.errors = []
  await page.goto(`${origin}/`)
  await page.evaluate(() => {
    const style = document.createElement('style')
    style.id = 'style'
    document.head.append(style)
  })
  return page
}

/** Replaces the shown template. `eventsOf` returns the events that listeners named `record` received. */
async function show({ hasMotion = false, hasTouch = false, ...options }: PageOptions): Promise<WatchedPage> {
  const key = `${hasMotion} ${hasTouch}`
  const opened = pages.get(key) ?? openPage(hasMotion, hasTouch)
  pages.set(key, opened)
  // A page that could not be opened fails one test only.
  opened.catch(() => pages.delete(key))
  const page = await opened
  await page.mouse.up()
  // Below the document, where nothing is under the mouse.
  await page.mouse.move(0, 666)
  page.errors = []
  await page.evaluate(async (shown) => {
    await testPage.show({ template: '' })
    const { documentElement, activeElement } = document
    documentElement.lang = 'en'
    document.querySelector('neu-page-window')!.className = ''
    ;(activeElement as HTMLElement | null)?.blur()
    getSelection()?.empty()
    scrollTo(0, 0)
    performance.clearResourceTimings()
    delete testPage.tiles
    if (shown.dir === 'rtl') await document.fonts.load('16px "Noto Sans Arabic Variable"', 'ا')
    await testPage.show(shown)
  }, options)
  return page
}

/** Lets this many milliseconds pass between two frames for the scripts of the page, until the test ends. */
async function setFrameInterval(page: Page, milliseconds: number): Promise<void> {
  const restore = await page.evaluateHandle((interval) => {
    const { requestAnimationFrame } = window
    let frame = 0
    let now = 0
    performance.now = () => now
    window.requestAnimationFrame = (callback) =>
      requestAnimationFrame((time) => {
        if (time !== frame) now += interval
        frame = time
        callback(now)
      })
    return () => {
      window.requestAnimationFrame = requestAnimationFrame
      Reflect.deleteProperty(performance, 'now')
    }
  }, milliseconds)
  afterTest(() => restore.evaluate((undo) => undo()))
}

const eventsOf = (page: Page): Promise<RecordedEvent[]> => page.evaluate(() => structuredClone(testPage.events))
const eventTypesOf = async (page: Page): Promise<string[]> => (await eventsOf(page)).map(({ type }) => type)
const hostCallsOf = (page: Page): Promise<unknown[][]> => page.evaluate(() => structuredClone(testPage.hostCalls))
const state = (page: Page, name: string): Promise<unknown> =>
  page.evaluate((key) => JSON.parse(JSON.stringify(testPage.state[key] ?? null)), name)
const set = (page: Page, name: string, value: unknown): Promise<void> =>
  page.evaluate(
    ([key, now]) => {
      testPage.state[key as string] = now
    },
    [name, value] as const,
  )
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!
const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

async function screenshot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await saveScreenshot(page, name, { fullPage: true })
}

/** Swipes with one finger in steps, and lifts it unless `isHeld`. */
async function swipe(page: Page, from: [number, number], to: [number, number], isHeld = false): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: string, [x, y]: [number, number]) =>
    session.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
    })
  await send('touchStart', from)
  for (let step = 1; step <= 8; step++)
    await send('touchMove', [from[0] + ((to[0] - from[0]) * step) / 8, from[1] + ((to[1] - from[1]) * step) / 8])
  if (!isHeld) await send('touchEnd', to)
}

describe('view, text, block', () => {
  test('draws a view as a block element, and a block as its children only', async () => {
    const page = await show({ template: '<view id="a" class="x"><block><text>t</text></block></view>' })
    expect(await page.locator('neu-page').innerHTML()).toBe(
      '<neu-view id="a" class="x"><neu-text>t</neu-text></neu-view>',
    )
    expect(await styleOf(page, '#a', 'display')).toBe('block')
    expect(page.errors).toEqual([])
  })

  test('adds the hover class while touched, and can stop its propagation', async () => {
    const page = await show({
      template: `<view id="out" hover-class="on" :hover-start-time="0" :hover-stay-time="0">out
        <view id="in" hover-class="on" :hover-start-time="0" :hover-stay-time="100" :hover-stop-propagation="true">in</view></view>`,
    })
    const inner = await boxOf(page, '#in')
    await page.mouse.move(inner.x + 5, inner.y + 5)
    await page.mouse.down()
    await page.locator('#in.on').waitFor()
    expect(await page.locator('#out.on').count()).toBe(0)
    await page.mouse.up()
    await page.locator('#in:not(.on)').waitFor()
    await page.mouse.move(inner.x + 5, inner.y - 5)
    await page.mouse.down()
    await page.locator('#out.on').waitFor()
  })

  test('keeps line breaks in text, and applies space and decode to changing data', async () => {
    const page = await show({
      template: `<text id="a">{{ text }}</text><view></view><text id="b" space="emsp" decode>{{ text }}</text>`,
      data: { text: 'one\ntwo  &lt;' },
    })
    expect(await page.locator('#a').innerText()).toBe('one\ntwo &lt;')
    expect(await page.locator('#b').textContent()).toBe('one\ntwo\u2003\u2003<')
    await set(page, 'text', 'a b')
    await expect.poll(() => page.locator('#b').textContent()).toBe('a\u2003b')
  })

  test('hides elements with hidden, and makes selectable text selectable', async () => {
    const page = await show({
      template: '<view id="a" :hidden="true">x</view><text id="b" selectable>y</text><button id="c" hidden>z</button>',
      css: 'neu-page { user-select: none } .x, neu-view { display: flex }',
    })
    expect(await page.locator('#a').isVisible()).toBe(false)
    expect(await page.locator('#c').isVisible()).toBe(false)
    expect(await styleOf(page, '#b', 'user-select')).toBe('text')
  })
})

describe('image', () => {
  test('is 320 × 240 px by default, and applies each mode', async () => {
    const modes = { scaleToFill: 'fill', aspectFit: 'contain', aspectFill: 'cover', 'bottom right': 'none' }
    for (const [mode, fit] of Object.entries(modes)) {
      const page = await show({ template: `<image src="/static/a.svg" mode="${mode}" @load="record" data-id="7" />` })
      expect(await boxOf(page, 'neu-image')).toMatchObject({ width: 320, height: 240 })
      expect(await styleOf(page, 'img', 'object-fit')).toBe(fit)
      await page.waitForFunction(() => testPage.events.length > 0)
      expect(await eventsOf(page)).toEqual([
        { type: 'load', detail: { width: 80, height: 40 }, dataset: { id: '7' }, tag: 'neu-image' },
      ])
    }
  })

  test('overrides the other dimension by the aspect ratio for widthFix and heightFix', async () => {
    const page = await show({
      template: `<image id="w" src="/static/a.svg" mode="widthFix" style="width: 200px; height: 7px" @load="record" />
        <image id="h" src="/static/a.svg" mode="heightFix" style="width: 7px; height: 60px" @load="record" />`,
    })
    await page.waitForFunction(() => testPage.events.length === 2)
    expect(await boxOf(page, '#w')).toMatchObject({ width: 200, height: 100 })
    expect(await boxOf(page, '#h')).toMatchObject({ width: 120, height: 60 })
  })

  test('rounds the other dimension to an even number and stretches the image in a smaller box, as in uni-app', async () => {
    const page = await show({
      template: `<image id="w" src="/static/a.svg" mode="widthFix" :style="{ width: width + 'px' }" @load="record" />
        <image id="s" src="/static/a.svg" mode="widthFix" style="width: 80px; max-height: 10px" @load="record" />
        <image id="i" src="/static/a.svg" mode="widthFix" style="width: 18px" @load="record" />`,
      data: { width: 102 },
    })
    await page.waitForFunction(() => testPage.events.length === 3)
    expect((await boxOf(page, '#w')).height).toBe(52)
    expect(await boxOf(page, '#s img')).toMatchObject({ width: 80, height: 10 })
    expect((await boxOf(page, '#i')).height).toBe(9)
    await set(page, 'width', 200)
    await expect.poll(async () => (await boxOf(page, '#w')).height).toBe(100)
  })

  test('is drawn inside of its padding, as in uni-app', async () => {
    const page = await show({
      template: '<image src="/static/a.svg" style="width: 80px; height: 40px; padding: 10px 5px" @load="record" />',
    })
    await page.waitForFunction(() => testPage.events.length === 1)
    expect(await boxOf(page, 'neu-image')).toMatchObject({ width: 90, height: 60 })
    const drawn = await page.locator('img').evaluate((image) => {
      const { width, height, paddingTop, paddingLeft, boxSizing } = getComputedStyle(image)
      return { width, height, paddingTop, paddingLeft, boxSizing }
    })
    expect(drawn).toEqual({
      width: '90px',
      height: '60px',
      paddingTop: '10px',
      paddingLeft: '5px',
      boxSizing: 'border-box',
    })
  })

  test('loads quietly after it has been removed', async () => {
    const page = await show({
      template: '<image v-if="isShown" src="/static/a.svg" mode="widthFix" />',
      data: { isShown: false },
    })
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const image = document.querySelector('neu-image img')
        if (!image) return
        observer.disconnect()
        image.addEventListener('load', () => Object.assign(window, { hasLoaded: true }))
        testPage.state.isShown = false
      }).observe(document.body, { childList: true, subtree: true })
      testPage.state.isShown = true
    })
    await page.waitForFunction(() => 'hasLoaded' in window)
    expect(page.errors).toEqual([])
  })

  test('has no size of its own if its size is automatic, as in uni-app', async () => {
    const page = await show({
      template: `<view style="width: 300px"><image id="h" src="/static/a.svg" class="auto" @load="record" />
        <image id="w" src="/static/a.svg" mode="aspectFill" style="width: auto; height: 50px" @load="record" /></view>`,
      css: '.auto { width: 40%; height: auto }',
    })
    await page.waitForFunction(() => testPage.events.length === 2)
    expect(await boxOf(page, '#h')).toMatchObject({ width: 120, height: 0 })
    expect(await boxOf(page, '#w')).toMatchObject({ width: 0, height: 50 })
  })

  test('reports a missing image once, and loads lazy images when visible', async () => {
    const page = await show({
      template: `<image src="/static/none.png" @error="record" /><view style="height: 9000px"></view><image id="far" lazy-load src="/static/unseen.svg" @load="record" />`,
    })
    await page.waitForFunction(() => testPage.events.length > 0)
    expect(await eventsOf(page)).toMatchObject([
      { type: 'error', detail: { errMsg: expect.stringContaining('none.png') } },
    ])
    await page.locator('#far').scrollIntoViewIfNeeded()
    await page.waitForFunction(() => testPage.events.length > 1)
    expect(await eventTypesOf(page)).toEqual(['error', 'load'])
  })
})

describe('video, audio and canvas', () => {
  test('a video reports what it does with detail, and draws its content above', async () => {
    const listeners = 'play pause ended timeupdate loadedmetadata progress seekcomplete error waiting'
    const page = await show({
      template: `<video id="v" src="/static/a.wav" muted initial-time="0.8" object-fit="cover" poster="/static/a.svg"
        :show-fullscreen-btn="false" data-n="1" ${listeners.split(' ').map((name) => `@${name}="record"`)}>
        <cover-view id="over" style="position: absolute; top: 0">Live</cover-view></video>`.replaceAll(',@', ' @'),
    })
    expect(await boxOf(page, 'neu-video')).toMatchObject({ width: 300, height: 225 })
    const video = page.locator('#v > video')
    expect(
      await video.evaluate((it: HTMLVideoElement) => [
        it.controls,
        it.getAttribute('controlslist'),
        it.style.objectFit,
      ]),
    ).toEqual([true, 'nofullscreen', 'cover'])
    expect(await video.getAttribute('poster')).toBe('/files/a.svg')
    expect(await page.locator('#over').evaluate((it) => it.parentElement?.localName)).toBe('neu-video')
    await video.evaluate((it: HTMLVideoElement) => it.play())
    await page.waitForFunction(() => testPage.events.some(({ type }) => type === 'ended'))
    const events = await eventsOf(page)
    expect(events.every(({ dataset, tag }) => dataset.n === '1' && tag === 'neu-video')).toBe(true)
    expect(events.find(({ type }) => type === 'loadedmetadata')?.detail).toEqual({ width: 0, height: 0, duration: 1 })
    expect(events.find(({ type }) => type === 'seekcomplete')?.detail).toEqual({ position: expect.closeTo(0.8, 2) })
    const times = events.filter(({ type }) => type === 'timeupdate').map(({ detail }) => detail)
    expect(times.at(-1)).toEqual({ currentTime: 1, duration: 1 })
    for (const type of ['play', 'progress', 'ended'])
      expect(events.filter((it) => it.type === type).length).toBeGreaterThan(0)
  })

  test('a video without a file reports an error, and reads sources inside', async () => {
    const page = await show({
      template: `<video id="none" src="/static/none.mp4" @error="record" />
        <video id="inside" :controls="false" width="200" height="100" style="margin: 1px"><source src="/files/a.wav" /></video>`,
    })
    await page.waitForFunction(() => testPage.events.length > 0)
    expect(await eventsOf(page)).toMatchObject([{ type: 'error', detail: { errMsg: expect.any(String) } }])
    expect(await boxOf(page, '#inside')).toMatchObject({ width: 200, height: 100 })
    const inside = page.locator('#inside > video')
    await expect.poll(() => inside.evaluate((it: HTMLVideoElement) => it.currentSrc)).toBe(`${origin}/files/a.wav`)
    expect(await inside.evaluate((it: HTMLVideoElement) => it.controls)).toBe(false)
  })

  test('reports full screen with detail, once', async () => {
    const page = await show({
      template: '<video id="v" src="/static/a.wav" @fullscreenchange="record"><text>above</text></video>',
    })
    await page.locator('#v').evaluate((it) => it.requestFullscreen())
    await page.waitForFunction(() => testPage.events.length === 1)
    await page.evaluate(() => document.exitFullscreen())
    await page.waitForFunction(() => testPage.events.length === 2)
    expect((await eventsOf(page)).map(({ detail }) => detail.fullScreen)).toEqual([true, false])
  })

  test('an audio shows its name and author, and plays by its button', async () => {
    const page = await show({
      template: `<audio id="a" src="/static/a.wav" controls name="Oud" author="Munir" poster="/static/a.svg"
        @play="record" @pause="record" @ended="record" @timeupdate="record" /><audio src="/static/a.wav" />`,
    })
    expect(await page.locator('neu-audio').nth(1).isVisible()).toBe(false)
    expect(await page.locator('#a').innerText()).toContain('Munir')
    const button = page.getByRole('button', { name: 'Oud' })
    expect(await button.evaluate((it) => it.style.backgroundImage)).toContain('/files/a.svg')
    await button.click()
    await page.waitForFunction(() => testPage.events.some(({ type }) => type === 'ended'))
    const events = await eventsOf(page)
    expect(events[0]?.type).toBe('play')
    expect(events.findLast(({ type }) => type === 'timeupdate')?.detail).toEqual({ currentTime: 1, duration: 1 })
    await expect.poll(() => page.locator('#a').innerText()).toContain('00:01')
  })

  test('a canvas has the pixels of the screen, unless the page or its scripts set others', async () => {
    const page = await show({
      template: `<canvas id="a" canvas-id="a" style="width: 100px; height: 50px" /><canvas id="b" type="2d" />
        <canvas id="c" width="40" height="20" /><canvas id="d" />`,
    })
    const sizes = await page.evaluate(() =>
      ['a', 'b', 'c', 'd'].map((id) => {
        const canvas = document.querySelector<HTMLCanvasElement>(`#${id} > canvas`)!
        if (id === 'd') canvas.width = 30
        canvas.getContext('2d')
        return [canvas.width, canvas.height]
      }),
    )
    expect(sizes).toEqual([
      [100, 50],
      [300, 150],
      [40, 20],
      [30, 150],
    ])
    expect(await boxOf(page, '#c')).toMatchObject({ width: 40, height: 20 })
    expect(await page.evaluate(() => document.querySelector('#b canvas') instanceof HTMLCanvasElement)).toBe(true)
  })

  test('touches of a canvas have x and y from its corner', async () => {
    const page = await show({
      template:
        '<canvas disable-scroll style="margin: 20px" @touchstart="at = [...$event.touches].map(({ x, y }) => [x, y])" />',
      data: { at: [] },
    })
    expect(await styleOf(page, 'neu-canvas', 'touch-action')).toBe('none')
    await page.locator('canvas').evaluate((target) => {
      const { left, top } = target.getBoundingClientRect()
      const touch = new Touch({ identifier: 1, target, clientX: left + 30, clientY: top + 10 })
      target.dispatchEvent(new TouchEvent('touchstart', { touches: [touch], bubbles: true }))
    })
    expect(await state(page, 'at')).toEqual([[30, 10]])
  })
})

describe('button', () => {
  test('reports one tap per click, Enter and Space, and none if disabled', async () => {
    const page = await show({
      template: `<button data-n="1" @click="record">one</button><button disabled @click="record">two</button>`,
    })
    const button = page.getByRole('button', { name: 'one' })
    await button.click()
    await button.press('Enter')
    await button.press(' ')
    expect((await eventsOf(page)).map(({ dataset }) => dataset)).toEqual([{ n: '1' }, { n: '1' }, { n: '1' }])
    const off = page.getByRole('button', { name: 'two' })
    expect(await off.getAttribute('aria-disabled')).toBe('true')
    await off.click({ force: true })
    await off.evaluate((element: HTMLElement) => element.click())
    expect(await eventsOf(page)).toHaveLength(3)
  })

  test('returns the authorization code or failure, and shares, by open-type', async () => {
    const page = await show({
      template: `<button open-type="getPhoneNumber" @getphonenumber="record">phone</button>
        <button open-type="getUserInfo" @getuserinfo="record">info</button>
        <button open-type="share" data-a="b">share</button><button open-type="contact">contact</button>`,
    })
    for (const name of ['phone', 'info', 'share', 'contact']) await page.getByRole('button', { name }).click()
    await page.waitForFunction(() => testPage.events.length === 2)
    expect(await eventsOf(page)).toMatchObject([
      { type: 'getphonenumber', detail: { errMsg: 'getPhoneNumber:ok', code: 'abc' } },
      { type: 'getuserinfo', detail: { errMsg: 'getUserInfo:fail cancel' } },
    ])
    expect(await hostCallsOf(page)).toEqual([['user.phone'], ['user.info'], ['share', { a: 'b' }]])
  })

  test('can be styled by tag, class and ::after, but not by a reset with *', async () => {
    const page = await show({
      template: `<button id="a" class="b">a</button><button id="b" class="b" data-page type="primary">b</button>
        <button id="c" class="b" type="primary">c</button><button id="d" class="b" disabled>d</button>`,
      css: `* { padding: 0 } neu-button::after { border: none }
        .b { background-color: rgb(1, 2, 3) } .b[data-page] { background-color: rgb(4, 5, 6) }`,
    })
    expect(await styleOf(page, '#a', 'padding-left')).toBe('14px')
    expect(await styleOf(page, '#a', 'background-color')).toBe('rgb(1, 2, 3)')
    expect(await styleOf(page, '#b', 'background-color')).toBe('rgb(4, 5, 6)')
    // As in uni-app, a type and a state are more specific than a class that is not limited to a component.
    expect(await styleOf(page, '#c', 'background-color')).toBe('rgb(0, 113, 235)')
    expect(await styleOf(page, '#d', 'background-color')).toBe('rgb(247, 247, 247)')
    expect(await page.locator('#a').evaluate((element) => getComputedStyle(element, '::after').borderStyle)).toBe(
      'none',
    )
  })
})

describe('form', () => {
  const template = `<form @submit="record" @reset="record" data-form="f">
    <input name="name" value="Layla" aria-label="name" />
    <textarea name="note" value="n" aria-label="note" />
    <switch name="on" checked aria-label="on" />
    <checkbox-group name="fruits"><checkbox value="a" checked>A</checkbox><checkbox value="b">B</checkbox></checkbox-group>
    <radio-group name="size"><radio value="s">S</radio><radio value="m" checked>M</radio></radio-group>
    <slider name="level" :value="30" aria-label="level" />
    <picker name="city" :range="['x', 'y']" :value="1">city</picker>
    <input aria-label="nameless" />
    <button form-type="submit">send</button><button form-type="reset">clear</button></form>`

  test('submits its named fields, and resets them', async () => {
    const page = await show({ template })
    const first = { name: 'Layla', note: 'n', on: true, fruits: ['a'], size: 'm', level: 30, city: 1 }
    await page.getByRole('button', { name: 'send' }).click()
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Omar')
    await page.getByRole('switch').click()
    await page.getByRole('checkbox', { name: 'B' }).click()
    await page.getByRole('radio', { name: 'S' }).click()
    await page.getByRole('slider').press('End')
    await page.getByRole('button', { name: 'send' }).press('Enter')
    await page.getByRole('button', { name: 'clear' }).click()
    await page.getByRole('button', { name: 'send' }).click()
    const all = await eventsOf(page)
    expect(all.map(({ type }) => type)).toEqual(['submit', 'submit', 'reset', 'submit'])
    expect(all[0]).toEqual({ type: 'submit', detail: { value: first }, dataset: { form: 'f' }, tag: 'neu-form' })
    expect(all[1]!.detail).toEqual({
      value: { name: 'Omar', note: 'n', on: false, fruits: ['a', 'b'], size: 's', level: 100, city: 1 },
    })
    expect(all[3]!.detail).toEqual({ value: first })
    expect(await page.getByRole('radio', { name: 'M' }).isChecked()).toBe(true)
  })

  test('updates the models of its groups when it resets them', async () => {
    const page = await show({
      template: `<form><radio-group v-model="size"><radio value="s">S</radio><radio value="m">M</radio></radio-group>
        <checkbox-group v-model="fruits"><checkbox value="a">A</checkbox><checkbox value="b">B</checkbox></checkbox-group>
        <button form-type="reset">clear</button></form>`,
      data: { size: 'm', fruits: ['a'] },
    })
    await page.getByRole('radio', { name: 'S' }).click()
    await page.getByRole('checkbox', { name: 'B' }).click()
    expect([await state(page, 'size'), await state(page, 'fruits')]).toEqual(['s', ['a', 'b']])
    await page.getByRole('button', { name: 'clear' }).click()
    await expect.poll(() => state(page, 'size')).toBe('m')
    expect(await state(page, 'fruits')).toEqual(['a'])
    expect(await page.getByRole('radio', { name: 'M' }).isChecked()).toBe(true)
  })

  test('submits the radio that the page has selected after the user', async () => {
    const page = await show({
      template: `<form @submit="record"><radio-group name="size"><radio value="s">S</radio><radio value="m" :checked="isMedium">M</radio></radio-group>
        <button form-type="submit">send</button></form>`,
      data: { isMedium: false },
    })
    await page.getByRole('radio', { name: 'S' }).click()
    await set(page, 'isMedium', true)
    await expect.poll(() => page.getByRole('radio', { name: 'M' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'send' }).click()
    expect(await eventsOf(page)).toMatchObject([{ type: 'submit', detail: { value: { size: 'm' } } }])
  })

  test('does not submit on Enter in a field', async () => {
    const page = await show({ template: '<form @submit="record"><input @confirm="record" value="x" /></form>' })
    await page.getByRole('textbox').press('Enter')
    expect(await eventsOf(page)).toMatchObject([{ type: 'confirm', detail: { value: 'x' }, tag: 'neu-input' }])
  })

  test('lays out its children by its own style', async () => {
    const page = await show({
      template: '<form style="display: flex"><view id="a">a</view><view id="b">b</view></form>',
    })
    expect((await boxOf(page, '#a')).y).toBe((await boxOf(page, '#b')).y)
  })
})

describe('input and textarea', () => {
  test('emits each event once with detail and dataset, and updates v-model', async () => {
    const page = await show({
      template: `<input v-model="text" data-id="3" @input="record" @focus="record" @blur="record" @confirm="record" @change="record" /><text id="t">{{ text }}</text>`,
      data: { text: 'a' },
    })
    const field = page.getByRole('textbox')
    await field.focus()
    await field.press('End')
    await field.pressSequentially('b')
    expect(await page.locator('#t').innerText()).toBe('ab')
    await field.press('Enter')
    const all = await eventsOf(page)
    expect(all.map(({ type }) => type)).toEqual(['focus', 'input', 'confirm', 'blur'])
    expect(all[1]).toMatchObject({
      detail: { value: 'ab', cursor: 2, keyCode: 98 },
      dataset: { id: '3' },
      tag: 'neu-input',
    })
    await set(page, 'text', 'changed')
    await expect.poll(() => field.inputValue()).toBe('changed')
  })

  test('replaces the text by the return value of an input listener', async () => {
    const page = await show({
      template: `<input v-model="text" @input="(event) => event.detail.value.toUpperCase()" />`,
      data: { text: '' },
    })
    await page.getByRole('textbox').pressSequentially('abc')
    expect(await page.getByRole('textbox').inputValue()).toBe('ABC')
    expect(await state(page, 'text')).toBe('ABC')
  })

  test('accepts only numbers for number and digit, including digits of other scripts', async () => {
    const page = await show({
      template: `<input type="number" aria-label="n" @input="record" /><input type="digit" aria-label="d" />`,
    })
    const number = page.getByRole('textbox', { name: 'n' })
    await number.pressSequentially('1a2')
    await number.pressSequentially('٣')
    expect(await number.inputValue()).toBe('123')
    expect((await eventsOf(page)).map(({ detail }) => detail.value)).toEqual(['1', '12', '123'])
    expect(await number.getAttribute('inputmode')).toBe('numeric')
    const digit = page.getByRole('textbox', { name: 'd' })
    await digit.pressSequentially('1.x5')
    expect(await digit.inputValue()).toBe('1.5')
    expect(await digit.getAttribute('inputmode')).toBe('decimal')
  })

  /** Type, `maxlength` and the text that is pasted, and the value. */
  test.each([
    ['number', -1, '-12.5', '-12.5'],
    ['number', -1, '12e3', '12e3'],
    ['number', -1, '1,234.50', '1234.50'],
    ['number', -1, '12a3', ''],
    ['digit', -1, '-12.5', '-12.5'],
    ['digit', -1, '10:30', ''],
    ['idcard', -1, '11010519491231002X', '11010519491231002X'],
    ['tel', -1, '+974 (44) 12-34', '+974 (44) 12-34'],
    ['text', -1, ' 12a3 ', ' 12a3 '],
    ['text', 3, 'ab😀c', 'ab'],
    ['text', 4, 'ab😀c', 'ab😀'],
    ['textarea', -1, '-12.5\n12e3', '-12.5\n12e3'],
    ['textarea', 3, 'ab😀c', 'ab'],
  ])('a field of type %s with a maximum length of %i accepts %j as %j', async (type, maxlength, text, value) => {
    const tag = type === 'textarea' ? 'textarea' : `input type="${type}"`
    const page = await show({
      template: `<${tag} v-model="text" maxlength="${maxlength}" @input="record" />`,
      data: { text: '' },
    })
    await page.getByRole('textbox').focus()
    await page.keyboard.insertText(text)
    expect(await page.getByRole('textbox').inputValue()).toBe(value)
    expect(await state(page, 'text')).toBe(value)
    expect((await eventsOf(page)).map(({ detail }) => detail.value)).toEqual(value === '' ? [] : [value])
  })

  test('types a negative decimal number, and refuses other characters', async () => {
    const page = await show({ template: `<input type="number" v-model="text" />`, data: { text: '' } })
    await page.getByRole('textbox').pressSequentially('x-1-2.e5.')
    expect(await state(page, 'text')).toBe('-12.5')
    await page.getByRole('textbox').press('Home')
    await page.getByRole('textbox').press('ArrowRight')
    await page.getByRole('textbox').pressSequentially('a7')
    expect(await page.getByRole('textbox').inputValue()).toBe('-712.5')
  })

  test('emits input of an input method only after composition', async () => {
    const page = await show({
      template: '<input @input="record" v-model="text" /><text id="t">{{ text }}</text>',
      data: { text: '' },
    })
    await page.getByRole('textbox').focus()
    const session = await page.context().newCDPSession(page)
    for (const text of ['n', 'ni'])
      await session.send('Input.imeSetComposition', { text, selectionStart: 2, selectionEnd: 2 })
    expect(await eventsOf(page)).toEqual([])
    await session.send('Input.insertText', { text: '你' })
    await expect.poll(() => page.locator('#t').innerText()).toBe('你')
    expect((await eventsOf(page)).map(({ detail }) => detail.value)).toEqual(['你'])
  })

  test('does not confirm by the Enter key that chooses a text of an input method', async () => {
    const page = await show({ template: '<input @confirm="record" />' })
    const press = (init: { isComposing?: boolean; keyCode?: number }) =>
      page
        .getByRole('textbox')
        .evaluate(
          (field, own) => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ...own })),
          init,
        )
    await press({ isComposing: true })
    // As Safari sends it.
    await press({ keyCode: 229 })
    expect(await eventTypesOf(page)).toEqual([])
    await press({ keyCode: 13 })
    expect(await eventTypesOf(page)).toEqual(['confirm'])
  })

  test('limits text to 140 characters by default, and not at all for maxlength -1', async () => {
    const page = await show({
      template:
        '<input aria-label="a" /><input aria-label="b" :maxlength="-1" /><input aria-label="c" maxlength="3" />',
    })
    expect(await page.getByLabel('a').getAttribute('maxlength')).toBe('140')
    expect(await page.getByLabel('b').getAttribute('maxlength')).toBe(null)
    await page.getByLabel('c').pressSequentially('abcd')
    expect(await page.getByLabel('c').inputValue()).toBe('abc')
  })

  test('applies focus and selection of the page, and keeps the focus for confirm-hold', async () => {
    const page = await show({
      template: `<input aria-label="a" value="hello" :focus="isOn" :selection-start="1" :selection-end="3" confirm-hold confirm-type="search" />`,
      data: { isOn: false },
    })
    const field = page.getByLabel('a')
    expect(await field.getAttribute('enterkeyhint')).toBe('search')
    await set(page, 'isOn', true)
    await expect
      .poll(() =>
        field.evaluate((input: HTMLInputElement) =>
          document.activeElement === input ? [input.selectionStart, input.selectionEnd] : undefined,
        ),
      )
      .toEqual([1, 3])
    await field.press('Enter')
    expect(await field.evaluate((input) => document.activeElement === input)).toBe(true)
    await set(page, 'isOn', false)
    await expect.poll(() => field.evaluate((input) => document.activeElement === input)).toBe(false)
  })

  test('applies password and disabled, and hides the styled placeholder when text is entered', async () => {
    const page = await show({
      template: `<input password aria-label="p" /><input disabled aria-label="d" />
        <input placeholder="your name" placeholder-class="ph" placeholder-style="font-size: 20px" />`,
      css: '.ph[data-v-page] { color: rgb(255, 0, 0) }',
      isScoped: true,
    })
    expect(await page.getByLabel('p').getAttribute('type')).toBe('password')
    expect(await page.getByLabel('d').isDisabled()).toBe(true)
    expect(await styleOf(page, '.ph', 'color')).toBe('rgb(255, 0, 0)')
    expect(await styleOf(page, '.ph', 'font-size')).toBe('20px')
    await page.getByRole('textbox', { name: 'your name' }).fill('x')
    expect(await page.locator('.ph').isVisible()).toBe(false)
  })

  test('aligns the placeholder as the text, and centers it in a high input', async () => {
    const page = await show({
      template: `<input placeholder="hint" style="height: 60px; width: 300px; text-align: right" />`,
    })
    const text = await page.locator('.neu-input-placeholder').evaluate((placeholder) => {
      const range = document.createRange()
      range.selectNodeContents(placeholder)
      const [box, input] = [range.getBoundingClientRect(), placeholder.parentElement!.getBoundingClientRect()]
      return { toEnd: input.right - box.right, middle: box.top + box.height / 2 - input.top }
    })
    expect(text.toEnd).toBeCloseTo(0, 0)
    expect(Math.abs(text.middle - 30)).toBeLessThan(1)
    const native = page.getByRole('textbox', { name: 'hint' })
    expect(await native.evaluate((input) => getComputedStyle(input, '::placeholder').color)).toBe('rgba(0, 0, 0, 0)')
  })

  test('fits a textarea with auto-height to its lines, and reports their number', async () => {
    const page = await show({
      template: `<textarea auto-height :maxlength="-1" @linechange="record" style="width: 200px; height: 9px; padding: 10px; line-height: 20px" />`,
    })
    const field = page.getByRole('textbox')
    expect((await boxOf(page, 'neu-textarea')).height).toBe(40)
    await field.fill('one\ntwo\nthree')
    await page.waitForFunction(() => testPage.events.some(({ detail }) => detail.lineCount === 3))
    expect((await boxOf(page, 'neu-textarea')).height).toBe(80)
    await field.fill('word '.repeat(20))
    const { scroll, client } = await field.evaluate((area) => ({
      scroll: area.scrollHeight,
      client: area.clientHeight,
    }))
    expect(scroll).toBe(client)
    expect((await eventsOf(page)).every(({ type, tag }) => type === 'linechange' && tag === 'neu-textarea')).toBe(true)
  })

  test('inserts a line break on Enter in a textarea, unless confirm-type is set', async () => {
    const page = await show({
      template: `<textarea aria-label="a" @confirm="record" /><textarea aria-label="b" confirm-type="send" @confirm="record" />`,
    })
    await page.getByLabel('a').pressSequentially('x')
    await page.getByLabel('a').press('Enter')
    expect(await page.getByLabel('a').inputValue()).toBe('x\n')
    await page.getByLabel('b').pressSequentially('y')
    await page.getByLabel('b').press('Enter')
    expect(await eventsOf(page)).toMatchObject([{ type: 'confirm', detail: { value: 'y' } }])
  })
})

describe('editor', () => {
  interface EditorElement extends HTMLElement {
    context: Record<string, (...args: unknown[]) => void>
  }
  /** Calls a method of the editor's context, and returns what its callbacks get. */
  const call = (page: Page, method: string, ...args: unknown[]) =>
    page.locator('neu-editor').evaluate(
      (editor, [method, args]) =>
        new Promise((resolve) => {
          const { context } = editor as EditorElement
          if (method === 'format') resolve(context.format!(...args))
          else context[method]!({ ...(args[0] as object), complete: resolve })
        }),
      [method, args] as const,
    )

  test('formats what the user types, reports formats and contents, and undoes', async () => {
    const page = await show({
      template: `<editor placeholder="Write here" @ready="record" @input="record" @statuschange="record" @focus="record" />`,
    })
    await expect.poll(async () => (await eventsOf(page)).map(({ type }) => type)).toContain('ready')
    const field = page.getByRole('textbox', { name: 'Write here' })
    expect(await field.getAttribute('data-placeholder')).toBe('Write here')
    await field.click()
    await page.keyboard.type('plain ')
    await call(page, 'format', 'bold')
    await page.keyboard.type('bold')
    await call(page, 'format', 'header', 2)
    await call(page, 'format', 'color', '#ff0000')
    await page.keyboard.type('red')
    await expect
      .poll(async () => (await eventsOf(page)).findLast(({ type }) => type === 'statuschange')?.detail)
      .toMatchObject({ bold: true, header: 2, color: 'rgb(255, 0, 0)' })
    const { html, text } = (await call(page, 'getContents')) as Record<string, string>
    expect(html).toMatch(/^<h2>plain(?: |&nbsp;)<b>bold<span [^>]*color: #ff0000[^>]*>red<\/span><\/b><\/h2>/)
    expect(text).toMatch(/^plain boldred\n+$/)
    expect(await field.getAttribute('data-placeholder')).toBeNull()
    await page.keyboard.press('ControlOrMeta+a')
    expect(await call(page, 'getSelectionText')).toMatchObject({ text: expect.stringMatching(/^plain boldred\n?$/) })
    await call(page, 'removeFormat')
    expect(await call(page, 'getContents')).toMatchObject({ html: expect.not.stringMatching(/<b>|<span/) })
    await call(page, 'undo')
    expect(await call(page, 'getContents')).toMatchObject({ html: expect.stringContaining('<b>') })
    expect(page.errors).toEqual([])
  })

  test('adds no line to a text whose blocks get a format, and keeps those of the page', async () => {
    const page = await show({ template: '<editor placeholder="Write" @ready="record" />' })
    await expect.poll(() => eventTypesOf(page)).toEqual(['ready'])
    await page.getByRole('textbox', { name: 'Write' }).click()
    await page.keyboard.type('a')
    const html = async () => ((await call(page, 'getContents')) as Record<string, string>).html
    await call(page, 'format', 'header', 2)
    expect(await html()).toBe('<h2>a</h2>')
    await call(page, 'format', 'header', 2)
    await call(page, 'format', 'list', 'ordered')
    expect(await html()).toBe('<ol><li>a</li></ol>')
    await call(page, 'format', 'list', 'ordered')
    expect(await html()).toBe('<p>a</p>')
    await page.keyboard.type('b')
    expect(await html()).toContain('<p>ab')
    await call(page, 'setContents', { html: '<p>a</p><div><br></div>' })
    await call(page, 'format', 'header', 2)
    expect(await html()).toBe('<h2>a</h2><div><br></div>')
  })

  test('takes headings by their names, and removes a check list that is set again', async () => {
    const page = await show({ template: '<editor placeholder="Write" @ready="record" />' })
    await expect.poll(() => eventTypesOf(page)).toEqual(['ready'])
    await page.getByRole('textbox', { name: 'Write' }).click()
    await page.keyboard.type('a')
    const html = async () => ((await call(page, 'getContents')) as Record<string, string>).html
    await call(page, 'format', 'header', 'H2')
    expect(await html()).toContain('<h2>a</h2>')
    await call(page, 'format', 'header', 'h2')
    expect(await html()).toContain('<p>a</p>')
    await call(page, 'format', 'list', 'check')
    expect(await html()).toContain('<ul><li>a')
    await call(page, 'format', 'list', 'check')
    expect(await html()).not.toContain('<ul>')
  })

  test('sets contents without scripts, inserts images and text, and clears', async () => {
    const page = await show({ template: '<editor @ready="record" :read-only="isFixed" />', data: { isFixed: false } })
    await expect.poll(async () => (await eventsOf(page)).length).toBe(1)
    await call(page, 'setContents', { html: '<p>kept</p><img src="x" onerror="alert(1)"><script>alert(2)</script>' })
    expect(await call(page, 'getContents')).toMatchObject({
      html: '<p>kept</p><div><img src="x"><br></div>',
      text: 'kept\n\n',
    })
    await call(page, 'setContents', {
      delta: { ops: [{ insert: 'one' }, { insert: 'two', attributes: { bold: true } }] },
    })
    expect(await call(page, 'getContents')).toMatchObject({ html: expect.stringContaining('one<b>two</b>') })
    await page.locator('.neu-editor-content').focus()
    await call(page, 'insertImage', { src: '/static/a.svg', alt: 'A picture', data: { id: 1 } })
    expect(await page.getByAltText('A picture').getAttribute('src')).toBe('/files/a.svg')
    expect(await page.getByAltText('A picture').getAttribute('data-custom')).toBe('id=1')
    expect(await call(page, 'insertImage', {})).toEqual({ errMsg: 'insertImage:fail src is required' })
    expect(await call(page, 'setContents', {})).toEqual({ errMsg: 'setContents:fail contents is missing' })
    await call(page, 'clear')
    expect(await call(page, 'getContents')).toMatchObject({ text: '\n', errMsg: 'getContents:ok' })
    await set(page, 'isFixed', true)
    await expect.poll(() => page.locator('.neu-editor-content').getAttribute('contenteditable')).toBe('false')
  })
})

describe('map', () => {
  const riyadh = { latitude: 24.7, longitude: 46.7 }
  const size = 'style="width: 375px; height: 300px"'
  interface MapElement extends HTMLElement {
    context: Record<string, (options?: object) => Promise<Record<string, unknown>>>
  }
  const call = (page: Page, method: string, options: object = {}) =>
    page
      .locator('neu-map')
      .evaluate(
        (map, [method, options]) => (map as MapElement).context[method]!(options).catch(({ errMsg }) => ({ errMsg })),
        [method, options] as const,
      )

  test('groups markers into clusters, draws arrows on lines, and elements of the page as callouts', async () => {
    const [near, far] = [
      { latitude: 24.7001, longitude: 46.7001 },
      { latitude: 24.71, longitude: 46.71 },
    ]
    const page = await show({
      template: `<map ${size} latitude="24.705" longitude="46.705" scale="14" :markers="markers"
        :polyline="[{ points: line, color: '#ff0000', width: 8, arrowLine: true }]" @callouttap="record">
        <cover-view slot="callout"><cover-view v-for="id in [3, 4]" :key="id" :marker-id="id">Callout {{ id }}</cover-view></cover-view>
      </map>`,
      data: {
        line: [riyadh, far],
        markers: [
          { id: 1, ...riyadh, joinCluster: true, title: 'One' },
          { id: 2, ...near, joinCluster: true, title: 'Two' },
          { id: 3, ...far, joinCluster: true, title: 'Three', customCallout: { display: 'ALWAYS', anchorY: -4 } },
          { id: 4, latitude: 24.7, longitude: 46.71, title: 'Four', customCallout: {} },
        ],
      },
    })
    const names = () =>
      page.locator('.neu-map-marker[role="button"]').evaluateAll((all) => all.map((one) => one.ariaLabel).sort())
    await expect.poll(names).toEqual(['2', 'Four', 'Three'])
    expect(await page.locator('.neu-map-cluster').textContent()).toBe('2')

    // Each arrow points from the first to the second point, to the north-east.
    const arrows = await page
      .locator('.neu-map-arrow')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).transform))
    expect(arrows.length).toBeGreaterThan(1)
    const [cosine, sine] = /matrix\((.*)\)/.exec(arrows[0]!)![1]!.split(', ').map(Number) as [number, number]
    expect((Math.atan2(sine, cosine) * 180) / Math.PI).toBeGreaterThan(30)
    expect((Math.atan2(sine, cosine) * 180) / Math.PI).toBeLessThan(60)

    // The callout is centered above its marker; the other one opens by a tap.
    const callout = page.getByText('Callout 3')
    const icon = page.getByRole('button', { name: 'Three' }).locator('.neu-map-icon')
    const [above, below] = [(await callout.boundingBox())!, (await icon.boundingBox())!]
    expect(above.x + above.width / 2).toBeCloseTo(below.x + below.width / 2, 0)
    expect(above.y + above.height).toBeCloseTo(below.y - 4, 0)
    expect(await page.getByText('Callout 4').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Four' }).locator('.neu-map-icon').click()
    await page.getByText('Callout 4').click()
    expect((await eventsOf(page)).map(({ type, detail }) => [type, detail])).toEqual([['callouttap', { markerId: 4 }]])
    await screenshot(page, 'mapClusters')

    // The page draws a cluster itself.
    await page.locator('neu-map').evaluate((map) => {
      const { context } = map as MapElement & {
        context: { on(type: string, listener: (detail: object) => void): void }
      }
      Object.assign(globalThis, { clusters: [] })
      for (const type of ['markerClusterCreate', 'markerClusterClick'])
        context.on(
          type,
          (detail) => void (globalThis as unknown as { clusters: unknown[] }).clusters.push([type, detail]),
        )
    })
    await call(page, 'initMarkerCluster', { enableDefaultStyle: false, zoomOnClick: false, gridSize: 30 })
    expect(await page.locator('.neu-map-cluster').count()).toBe(0)
    await call(page, 'addMarkers', {
      markers: [{ ...riyadh, clusterId: 1, label: { content: 'Two here' } }],
    })
    await page.getByText('Two here').click()
    const cluster = {
      clusterId: 1,
      markerIds: [1, 2],
      center: { latitude: expect.closeTo(24.70005, 5), longitude: expect.closeTo(46.70005, 5) },
    }
    expect(await page.evaluate('clusters')).toEqual([['markerClusterClick', { cluster }]])
    // At a larger scale they are apart.
    await call(page, 'includePoints', { points: [riyadh, near] })
    await expect.poll(names).toEqual(['Four', 'One', 'Three', 'Two'])
    await call(page, 'initMarkerCluster', { gridSize: 10_000 })
    expect(await page.evaluate('clusters')).toContainEqual([
      'markerClusterCreate',
      { clusters: [expect.objectContaining({ clusterId: 2, markerIds: [1, 2] })] },
    ])
  })

  test('keeps markers without id when others are removed and added', async () => {
    const page = await show({ template: `<map ${size} latitude="24.7" longitude="46.7" scale="14" />` })
    await call(page, 'addMarkers', {
      markers: [
        { id: 1, ...riyadh },
        { ...riyadh, title: 'First' },
      ],
    })
    await call(page, 'removeMarkers', { markerIds: [1] })
    await call(page, 'addMarkers', { markers: [{ ...riyadh, title: 'Second' }] })
    const names = await page
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
    expect(names).toEqual(['First', 'Second'])
  })

  test('groups again without comparing each cluster with each other', async () => {
    const page = await show({ template: `<map ${size} latitude="0" longitude="0" scale="14" />` })
    const reads = await page.locator('neu-map').evaluate(async (map) => {
      const { context } = map as MapElement
      let reads = 0
      const idOf = (at: number) => ({
        toString() {
          reads++
          return String(at)
        },
      })
      const pairs = Array.from({ length: 40 }, (_, at) => ({ latitude: at, longitude: at, joinCluster: true }))
      await context.addMarkers!({ markers: [...pairs, ...pairs].map((marker, at) => ({ ...marker, id: idOf(at) })) })
      reads = 0
      await context.initMarkerCluster!()
      return reads
    })
    expect(reads).toBeLessThan(1000)
  })

  test('groups markers that are added or removed together once', async () => {
    const page = await show({ template: `<map ${size} latitude="24.7" longitude="46.7" scale="14" />` })
    await call(page, 'getScale')
    await page.locator('neu-map').evaluate((map) => {
      const created: (string | number)[][] = []
      const { context } = map as unknown as {
        context: { on(type: string, listener: (detail: { clusters: { markerIds: number[] }[] }) => void): void }
      }
      context.on('markerClusterCreate', ({ clusters }) => {
        for (const { markerIds } of clusters) created.push(markerIds)
      })
      Object.assign(globalThis, { created })
    })
    const ids = [1, 2, 3, 4, 5]
    const markers = ids.map((id) => ({ id, ...riyadh, joinCluster: true }))
    await call(page, 'addMarkers', { markers })
    expect(await page.evaluate('created')).toEqual([ids])
    await call(page, 'removeMarkers', { markerIds: [1, 2, 3] })
    expect(await page.evaluate('created')).toEqual([ids, [4, 5]])
    // Markers before one without a position are added.
    const failed = await call(page, 'addMarkers', { markers: [markers[0], { id: 6 }] })
    expect(failed.errMsg).toBe('addMarkers:fail latitude and longitude must be numbers')
    expect(await page.evaluate('created')).toEqual([ids, [4, 5], [4, 5, 1]])
    expect(await page.locator('.neu-map-cluster').textContent()).toBe('3')
  })

  test('moves callouts with their markers, and groups a marker where it arrives', async () => {
    const page = await show({
      template: `<map ${size} latitude="24.7" longitude="46.7" scale="14" :markers="markers">
        <cover-view slot="callout"><cover-view marker-id="1">Callout</cover-view></cover-view></map>`,
      data: {
        markers: [
          { id: 1, ...riyadh, title: 'One', customCallout: { display: 'ALWAYS' } },
          { id: 2, ...riyadh, title: 'Two', joinCluster: true },
          { id: 3, ...riyadh, title: 'Three', joinCluster: true },
        ],
      },
    })
    const cluster = page.locator('.neu-map-cluster')
    await expect.poll(() => cluster.textContent()).toBe('2')
    const east = { latitude: 24.7, longitude: 46.71 }
    await call(page, 'translateMarker', { markerId: 2, destination: east, duration: 0 })
    expect(await cluster.count()).toBe(0)
    await call(page, 'moveAlong', { markerId: 3, path: [east], duration: 0 })
    expect(await cluster.textContent()).toBe('2')

    /** Returns the centers of the marker's icon and its callout in px, in the same frame. */
    const centers = () =>
      page.evaluate(() =>
        ['[aria-label="One"] .neu-map-icon', '[marker-id="1"]'].map((selector) => {
          const { left, width } = document.querySelector(selector)!.getBoundingClientRect()
          return left + width / 2
        }),
      )
    const [start] = await centers()
    // It moves until the page is closed.
    const far = { latitude: 24.7, longitude: 56.7 }
    await page.locator('neu-map').evaluate((map, destination) => {
      void (map as MapElement).context.translateMarker!({ markerId: 1, destination, duration: 10_000_000 })
    }, far)
    await expect.poll(async () => (await centers())[0]! - start!).toBeGreaterThan(5)
    const [marker, callout] = await centers()
    // The library rounds the positions of markers.
    expect(Math.abs(callout! - marker!)).toBeLessThan(1)
  })

  test('includes its points when it is shown', async () => {
    const page = await show({
      template: `<view v-show="isShown"><map ${size} :include-points="points" @updated="record" /></view>`,
      data: { isShown: false, points: [riyadh, { latitude: 24.8, longitude: 46.8 }] },
    })
    await expect.poll(() => eventTypesOf(page)).toEqual(['updated'])
    await set(page, 'isShown', true)
    await expect.poll(() => call(page, 'getScale')).toEqual({ scale: expect.closeTo(11.9, 1), errMsg: 'getScale:ok' })
    expect(await call(page, 'getCenterLocation')).toMatchObject({ latitude: expect.closeTo(24.75, 1) })
  })

  test('rejects positions that are not numbers yet', async () => {
    const page = await show({ template: `<map ${size} latitude="24.7" longitude="46.7" scale="14" />` })
    const errMsg = 'addMarkers:fail latitude and longitude must be numbers'
    for (const [latitude, longitude] of [
      ['', ''],
      [null, null],
      ['x', 46.7],
    ])
      expect(await call(page, 'addMarkers', { markers: [{ latitude, longitude }] })).toEqual({ errMsg })
    expect(await call(page, 'addMarkers', { markers: [{ latitude: '24.7', longitude: 46.7 }] })).toEqual({
      errMsg: 'addMarkers:ok',
    })
  })

  test('reports the first gesture as one', async () => {
    const page = await show({
      template: `<map ${size} latitude="24.7" longitude="46.7" @begin="record" @regionchange="record" @updated="record" />`,
    })
    await expect.poll(() => eventTypesOf(page)).toEqual(['updated'])
    const { x, y } = await boxOf(page, 'neu-map')
    await page.mouse.move(x + 100, y + 100)
    await page.mouse.wheel(0, -200)
    await expect.poll(() => eventTypesOf(page)).toContain('end')
    const moves = (await eventsOf(page)).filter(({ type }) => type !== 'updated')
    expect(moves.map(({ type, detail }) => [type, detail.causedBy])).toEqual([
      ['begin', 'gesture'],
      ['end', 'scale'],
    ])
  })

  test('does not draw after it has been removed', async () => {
    const page = await show({
      template: `<map v-if="isShown" ${size} :markers="markers" @updated="record" />`,
      data: { isShown: true, markers: [{ id: 1, ...riyadh }] },
    })
    await expect.poll(() => eventTypesOf(page)).toEqual(['updated'])
    const warnings: string[] = []
    const warn = (message: ConsoleMessage) => void warnings.push(message.text())
    page.on('console', warn)
    await set(page, 'isShown', false)
    await page.evaluate(async (marker) => {
      const markers = testPage.state.markers as object[]
      markers.push(marker)
      await new Promise(requestAnimationFrame)
    }, riyadh)
    page.off('console', warn)
    expect(warnings).toEqual([])
  })

  test('draws markers, callouts, labels and shapes over a grid, and reports taps', async () => {
    const page = await show({
      template: `<map ${size} :latitude="at.latitude" :longitude="at.longitude" :scale="14" :markers="markers"
        :polyline="[{ points: line, color: '#ff0000', width: 4, dottedLine: true, borderWidth: 2, borderColor: '#00ff00' }]"
        :polygons="[{ points: line, strokeColor: '#0000ff', fillColor: '#0000ff33' }]"
        :circles="[{ ...at, radius: 400, color: '#008800', fillColor: '#00880033' }]"
        @markertap="record" @callouttap="record" @labeltap="record" @tap="record" @click="record" @updated="record">
        <cover-view id="over">over</cover-view></map>`,
      data: {
        at: riyadh,
        line: [riyadh, { latitude: 24.705, longitude: 46.71 }, { latitude: 24.695, longitude: 46.71 }],
        markers: [
          { id: 7, ...riyadh, title: 'Tea house' },
          {
            id: 8,
            latitude: 24.705,
            longitude: 46.705,
            iconPath: '/static/a.svg',
            width: 40,
            height: 20,
            callout: { content: 'Open now', display: 'ALWAYS', bgColor: '#ffffee' },
            label: { content: 'Branch', x: 24, color: '#990000' },
          },
          { id: 9, latitude: '', longitude: undefined },
        ],
      },
    })
    const marker = page.getByRole('button', { name: 'Tea house', exact: true })
    await marker.locator('.neu-map-icon').click()
    await expect.poll(() => page.locator('.neu-map-callout').allTextContents()).toEqual(['Tea house', 'Open now'])
    await page.getByText('Open now', { exact: true }).click()
    await page.getByText('Branch', { exact: true }).click()
    const box = await boxOf(page, 'neu-map')
    await page.mouse.click(box.x + box.width / 2, box.y + 270)
    await expect.poll(() => page.locator('.neu-map-callout').allTextContents()).toEqual(['Open now'])
    const taps = (await eventsOf(page)).filter(({ type }) => type !== 'updated')
    expect(taps).toMatchObject([
      { type: 'markertap', detail: { markerId: 7 } },
      { type: 'callouttap', detail: { markerId: 8 } },
      { type: 'labeltap', detail: { markerId: 8 } },
      { type: 'click', detail: { longitude: expect.closeTo(46.7, 4) } },
    ])
    const image = page.locator('.neu-map-icon img')
    expect(await image.getAttribute('src')).toBe('/files/a.svg')
    expect(await image.boundingBox()).toMatchObject({ width: 40, height: 20 })
    expect(
      await page
        .locator('.leaflet-overlay-pane path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('stroke'))),
    ).toEqual(['#00ff00', '#ff0000', '#0000ff', '#008800'])
    expect(await page.locator('.neu-map-square').first().textContent()).toMatch(/^24\.\d{4}, 46\.\d{4}$/)
    expect(await page.getByText('over', { exact: true }).isVisible()).toBe(true)
    const images = () => performance.getEntriesByType('resource').flatMap(({ name }) => name.match(/[^/]*\.png$/) ?? [])
    expect(await page.evaluate(images)).toEqual([])
    await screenshot(page, 'map')
    expect(page.errors).toEqual([])
  })

  test('moves, measures and changes markers through its context, and fails for the rest', async () => {
    const page = await show({
      template: `<map ${size} latitude="24.7" longitude="46.7" scale="14" :markers="[{ id: 1, latitude: 24.7, longitude: 46.7, title: 'One' }]" :include-points="points" :show-location="isShown" @begin="record" @regionchange="record" />`,
      data: { points: [], isShown: false },
    })
    expect(await call(page, 'getScale')).toEqual({ scale: 14, errMsg: 'getScale:ok' })
    expect(await call(page, 'getCenterLocation')).toMatchObject({
      latitude: expect.closeTo(24.7, 4),
      longitude: expect.closeTo(46.7, 4),
    })
    const place = { latitude: 24.8, longitude: 46.8 }
    expect(await call(page, 'moveToLocation', place)).toEqual({ errMsg: 'moveToLocation:ok' })
    expect(await call(page, 'getCenterLocation')).toMatchObject({
      latitude: expect.closeTo(24.8, 4),
      longitude: expect.closeTo(46.8, 4),
    })
    expect((await eventsOf(page)).at(-1)).toMatchObject({
      type: 'end',
      detail: { type: 'end', causedBy: 'update', scale: 14, centerLocation: { latitude: expect.closeTo(24.8, 4) } },
    })
    const region = await call(page, 'getRegion')
    expect(region).toMatchObject({
      southwest: { latitude: expect.closeTo(24.788, 3), longitude: expect.closeTo(46.784, 3) },
      northeast: { latitude: expect.closeTo(24.812, 3), longitude: expect.closeTo(46.816, 3) },
    })
    await call(page, 'addMarkers', { markers: [{ id: 2, ...place, title: 'Two' }] })
    const two = page.getByRole('button', { name: 'Two', exact: true })
    const before = (await two.boundingBox())!
    await call(page, 'translateMarker', { markerId: 2, destination: { latitude: 24.8, longitude: 46.81 }, duration: 0 })
    expect((await two.boundingBox())!.x).toBeGreaterThan(before.x + 50)
    await call(page, 'removeMarkers', { markerIds: [1] })
    expect(await page.locator('.neu-map-marker').count()).toBe(1)
    await call(page, 'includePoints', {
      points: [
        { latitude: 20, longitude: 40 },
        { latitude: 30, longitude: 50 },
      ],
      padding: [10],
    })
    expect(await call(page, 'getScale')).toMatchObject({ scale: expect.closeTo(5.15, 1) })
    await set(page, 'isShown', true)
    await call(page, 'moveToLocation')
    expect(await call(page, 'getCenterLocation')).toMatchObject({ latitude: expect.closeTo(25, 1) })
    expect(await page.locator('.leaflet-overlay-pane path').count()).toBe(1)
    expect(await call(page, 'addArc')).toMatchObject({ errMsg: 'addArc:fail not supported' })
    expect(await call(page, 'translateMarker', { markerId: 5, destination: place })).toMatchObject({
      errMsg: 'translateMarker:fail marker 5 is not found',
    })
    const failed = await page
      .locator('neu-map')
      .evaluate((map) => new Promise((resolve) => void (map as MapElement).context.setBoundary!({ complete: resolve })))
    expect(failed).toEqual({ errMsg: 'setBoundary:fail not supported' })
    // The user drags the map.
    const box = await boxOf(page, 'neu-map')
    await page.mouse.move(box.x + 200, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 100, box.y + 200, { steps: 4 })
    await page.mouse.up()
    await expect
      .poll(async () => (await eventsOf(page)).at(-1))
      .toMatchObject({ type: 'end', detail: { causedBy: 'drag' } })
    expect(page.errors).toEqual([])
  })

  test('loads tiles of the configured server only, and names their source as text', async () => {
    const page = await show({ template: '<view />' })
    const loaded = new Set<string>()
    page.on('request', (request) => loaded.add(request.url().replace(/\d+/g, '0')))
    await page.evaluate((template) => {
      testPage.tiles = { url: 'http://tags.example/tiles/{z}/{x}/{y}.png', attribution: '© <b>Maps</b>' }
      return testPage.show({ template })
    }, `<map ${size} latitude="24.7" longitude="46.7" scale="10" />`)
    await expect.poll(() => page.getByText('© <b>Maps</b>', { exact: true }).count()).toBe(1)
    await expect.poll(() => [...loaded]).toContain('http://tags.example/tiles/0/0/0.png')
    expect([...loaded].filter((url) => !/\.(?:js|css)$/.test(url))).toEqual(['http://tags.example/tiles/0/0/0.png'])
    expect(await page.locator('.neu-map-square').count()).toBe(0)
  })
})

describe('checkbox, radio, switch, label', () => {
  test('reports the values of a checkbox group in page order, once per change', async () => {
    const page = await show({
      template: `<checkbox-group @change="record" data-g="1"><checkbox v-for="v in ['a', 'b', 'c']" :key="v" :value="v" :checked="v === 'c'">{{ v }}</checkbox></checkbox-group>`,
    })
    await page.getByRole('checkbox', { name: 'b' }).press(' ')
    // Click on the text of the checkbox.
    await page.getByText('a', { exact: true }).click()
    expect(await eventsOf(page)).toEqual([
      { type: 'change', detail: { value: ['b', 'c'] }, dataset: { g: '1' }, tag: 'neu-checkbox-group' },
      { type: 'change', detail: { value: ['a', 'b', 'c'] }, dataset: { g: '1' }, tag: 'neu-checkbox-group' },
    ])
  })

  test('selects one radio of a group, also by arrow keys, and updates v-model', async () => {
    const page = await show({
      template: `<radio-group v-model="size" @change="record"><radio value="s">s</radio><radio value="m">m</radio></radio-group><text id="t">{{ size }}</text>`,
      data: { size: 's' },
    })
    await page.getByRole('radio', { name: 's' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'm' }).isChecked()).toBe(true)
    expect(await page.getByRole('radio', { name: 's' }).isChecked()).toBe(false)
    expect(await page.locator('#t').innerText()).toBe('m')
    expect(await eventsOf(page)).toMatchObject([{ type: 'change', detail: { value: 'm' } }])
  })

  test('presses the control of a tapped label once, and emits one click to the parent', async () => {
    const page = await show({
      template: `<view @click="record" data-at="view"><label><text>inside</text><checkbox-group @change="record" data-at="group"><checkbox value="a" /></checkbox-group></label></view>
        <label for="s">other</label><switch id="s" @change="record" data-at="switch" /><label for="i">field</label><input id="i" />
        <label><text>do it</text><button @click="record" data-at="button">go</button></label>`,
    })
    expect(await page.getByRole('switch', { name: 'other' }).count()).toBe(1)
    await page.getByText('inside').click()
    expect((await eventsOf(page)).map(({ type, dataset }) => `${type} ${dataset.at}`)).toEqual([
      'change group',
      'click view',
    ])
    expect(await page.getByRole('checkbox', { name: 'inside' }).isChecked()).toBe(true)
    await page.getByText('other').click()
    expect((await eventsOf(page)).at(-1)).toMatchObject({
      detail: { value: true },
      dataset: { at: 'switch' },
      tag: 'neu-switch',
    })
    await page.getByText('field').click()
    expect(
      await page.getByRole('textbox', { name: 'field' }).evaluate((field) => document.activeElement === field),
    ).toBe(true)
    await page.getByText('do it').click()
    expect((await eventsOf(page)).filter(({ dataset }) => dataset.at === 'button')).toHaveLength(1)
  })

  test('names a choice by its content, or by the aria-label of the page', async () => {
    const page = await show({ template: '<checkbox>Milk</checkbox><radio aria-label="Sugar">✓</radio>' })
    expect(await page.getByRole('checkbox', { name: 'Milk' }).count()).toBe(1)
    expect(await page.getByRole('radio', { name: 'Sugar' }).count()).toBe(1)
  })

  test('applies colors to a checkbox', async () => {
    const page = await show({
      template: `<checkbox checked color="#ff0000" /><checkbox checked active-background-color="#00ff00" />`,
    })
    const colors = await page
      .locator('input')
      .evaluateAll((all) =>
        all.map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one, '::before').backgroundColor]),
      )
    expect(colors).toEqual([
      ['rgb(255, 255, 255)', 'rgb(255, 0, 0)'],
      ['rgb(0, 255, 0)', 'rgb(0, 113, 235)'],
    ])
  })

  test('draws ticks of the size of those of uni-app, also in forced colors', async () => {
    const page = await show({ template: '<checkbox checked aria-label="x" /><radio checked aria-label="y" />' })
    const ticks = () =>
      page.locator('input').evaluateAll((all) =>
        all.map((one) => {
          const { width, backgroundColor } = getComputedStyle(one, '::before')
          return `${width} ${backgroundColor}`
        }),
      )
    expect(await ticks()).toEqual(['16px rgb(0, 113, 235)', '13px rgb(255, 255, 255)'])
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await ticks()).toEqual(['16px rgb(0, 0, 0)', '13px rgb(0, 0, 0)'])
    await page.emulateMedia({ forcedColors: null })
  })

  test('draws borders around the size of a box, unless the page sizes boxes with borders, as in uni-app', async () => {
    const sizeOf = async (css: string) => {
      const page = await show({ template: '<checkbox aria-label="x" />', css })
      return (await boxOf(page, '.neu-check')).width
    }
    expect(await sizeOf('')).toBe(24)
    expect(await sizeOf('.neu-check { width: 24px }')).toBe(26)
    expect(await sizeOf('* { box-sizing: border-box }')).toBe(22)
  })

  test('applies the color of a switch, and moves its thumb to the end in both text directions', async () => {
    for (const dir of ['ltr', 'rtl'] as const) {
      const page = await show({ template: '<switch checked color="#ff0000" aria-label="x" />', dir })
      expect(await styleOf(page, 'neu-switch input', 'background-color')).toBe('rgb(255, 0, 0)')
      const thumb = await page.getByRole('switch').evaluate((control) => {
        const { left, right, width } = getComputedStyle(control, '::before')
        return [left, right, width].map(Number.parseFloat)
      })
      expect(dir === 'ltr' ? thumb[1] : thumb[0]).toBeCloseTo(0, 0)
      expect(thumb[2]).toBe(30)
    }
  })
})

describe('movable-view', () => {
  test('follows a fast mouse that has left it at its first move', async () => {
    const page = await show({
      template: `<movable-area style="width: 300px; height: 200px"><movable-view direction="all" style="width: 50px; height: 50px" /></movable-area>`,
    })
    await page.mouse.move(20, 20)
    await page.mouse.down()
    await page.mouse.move(120, 20)
    await page.mouse.move(140, 20)
    await expect.poll(async () => (await boxOf(page, 'neu-movable-view')).x).toBe(120)
  })

  test('stays in an area that changes its size, and is placed when the area is shown', async () => {
    const page = await show({
      template: `<view v-show="isShown"><movable-area :style="{ width: width + 'px', height: '200px' }"><movable-view direction="all" x="150" y="20" style="width: 50px; height: 50px" /></movable-area></view>`,
      data: { isShown: false, width: 200 },
    })
    const left = async () => (await boxOf(page, 'neu-movable-view')).x
    await set(page, 'isShown', true)
    await expect.poll(left).toBe(150)
    await set(page, 'width', 100)
    await expect.poll(left).toBe(50)
    await set(page, 'width', 300)
    await expect.poll(left).toBe(150)
    await page.mouse.move(160, 40)
    await page.mouse.down()
    await page.mouse.move(100, 40)
    await page.mouse.up()
    await set(page, 'width', 250)
    await expect.poll(left).toBe(90)
  })

  test('follows the mouse without a transition if the page stores its position', async () => {
    const page = await show({
      template: `<movable-area style="width: 300px; height: 200px"><movable-view direction="all" :x="left" style="width: 50px; height: 50px" @change="left = $event.detail.x" /></movable-area>`,
      data: { left: 0 },
      hasMotion: true,
    })
    await page.mouse.move(20, 20)
    await page.mouse.down()
    await page.mouse.move(60, 20, { steps: 4 })
    await expect.poll(() => state(page, 'left')).toBe(40)
    expect((await boxOf(page, 'neu-movable-view')).x).toBe(40)
    expect(await styleOf(page, 'neu-movable-view', 'transition-duration')).toBe('0s')
  })

  test('stays where it is if the mouse was released outside before it was dragged', async () => {
    const page = await show({
      template: `<movable-area style="width: 300px; height: 200px; margin: 20px"><movable-view direction="all" style="width: 50px; height: 50px" @change="record" /></movable-area>`,
    })
    const { x, y } = await boxOf(page, 'neu-movable-view')
    await page.mouse.move(x + 1, y + 20)
    await page.mouse.down()
    await page.mouse.move(x - 1, y + 20)
    await page.mouse.up()
    await page.mouse.move(x + 40, y + 20)
    expect(await eventsOf(page)).toEqual([])
  })

  test('is dragged within its area, in its direction', async () => {
    const page = await show({
      template: `<movable-area style="width: 300px; height: 200px"><movable-view direction="all" :x="left" y="20" style="width: 50px; height: 50px" @change="record" /></movable-area>`,
      data: { left: 400 },
    })
    const last = async () => (await eventsOf(page)).at(-1)!.detail
    expect(await last()).toEqual({ x: 250, y: 20, source: '' })
    await page.locator('neu-movable-view').hover()
    await page.mouse.down()
    await page.mouse.move(255, 65)
    expect(await last()).toEqual({ x: 230, y: 40, source: 'touch' })
    await page.mouse.move(255, 900)
    await page.mouse.up()
    expect(await last()).toEqual({ x: 230, y: 150, source: 'touch' })
    await set(page, 'left', 10)
    await expect.poll(last).toEqual({ x: 10, y: 20, source: '' })
  })
})

describe('scroll-view', () => {
  const rows = `<view v-for="n in 20" :key="n" :id="'r' + n" style="height: 50px">{{ n }}</view>`
  const listeners = '@scroll="record" @scrolltoupper="record" @scrolltolower="record"'

  test('lays out its content as blocks unless it has enable-flex, and can be hidden', async () => {
    const cells = '<view class="cell" v-for="n in 2" :key="n" style="width: 50px">{{ n }}</view>'
    const page = await show({
      template: `<scroll-view v-for="look in looks" :key="look" v-show="isOn" :class="look">${cells}</scroll-view>
        <scroll-view enable-flex class="row">${cells}</scroll-view>`,
      css: '.row { display: flex } .grid { display: grid; grid-template-columns: 1fr 1fr }',
      data: { looks: ['row', 'grid', 'plain'], isOn: true },
    })
    const displays = () =>
      page.locator('neu-scroll-view').evaluateAll((all) => all.map((view) => getComputedStyle(view).display))
    expect(await displays()).toEqual(['block', 'block', 'block', 'flex'])
    await set(page, 'isOn', false)
    await expect.poll(displays).toEqual(['none', 'none', 'none', 'flex'])
    await set(page, 'isOn', true)
    await set(page, 'looks', ['plain', 'row'])
    await expect.poll(displays).toEqual(['block', 'block', 'flex'])
  })

  test('clips its content inside its padding, as uni-app does, unless it has a border', async () => {
    const page = await show({
      template: `<view :style="{ width }"><scroll-view v-for="look in looks" :key="look" scroll-y class="box" :class="look">${rows}</scroll-view></view>`,
      css: `.box { height: 200px; background: #def } .wide { padding: 8% 20.5px 30px } .bordered { padding: 20px; border: 1px solid }`,
      data: { looks: ['plain', 'wide', 'bordered'], width: '375px' },
    })
    /** Returns outer height, visible height, and the place of the first row, of each. */
    const sizes = () =>
      page.locator('neu-scroll-view').evaluateAll((all) =>
        all.map((view) => {
          const { left, top, height } = view.getBoundingClientRect()
          const row = view.querySelector('neu-view')!.getBoundingClientRect()
          return [height, view.clientHeight, row.left - left, row.top - top]
        }),
      )
    expect(await sizes()).toEqual([
      [200, 200, 0, 0],
      [260, 200, 20.5, 30],
      [242, 240, 21, 21],
    ])
    await set(page, 'width', '500px')
    await expect.poll(async () => (await sizes())[1]).toEqual([270, 200, 20.5, 40])
    await set(page, 'looks', ['wide'])
    await expect.poll(sizes).toEqual([[270, 200, 20.5, 40]])
  })

  test('reports scrolling, and each edge once', async () => {
    const page = await show({
      template: `<scroll-view scroll-y :scroll-top="top" ${listeners} data-s="1" style="height: 200px">${rows}</scroll-view>`,
      data: { top: 0 },
    })
    expect(await page.locator('neu-scroll-view').evaluate((view) => view.children.length)).toBe(20)
    await set(page, 'top', 300)
    await page.waitForFunction(() => testPage.events.length > 0)
    expect(await eventsOf(page)).toEqual([
      {
        type: 'scroll',
        detail: { scrollTop: 300, scrollLeft: 0, scrollHeight: 1000, scrollWidth: 375, deltaX: 0, deltaY: -300 },
        dataset: { s: '1' },
        tag: 'neu-scroll-view',
      },
    ])
    for (const top of [760, 790, 400, 20, 0]) {
      const before = (await eventsOf(page)).length
      await set(page, 'top', top)
      await page.waitForFunction((count) => testPage.events.length > count, before)
    }
    const edges = (await eventsOf(page)).filter(({ type }) => type !== 'scroll')
    expect(edges.map(({ type, detail }) => `${type} ${detail.direction}`)).toEqual([
      'scrolltolower bottom',
      'scrolltoupper top',
    ])
  })

  test('scrolls an element into view, at first and on change', async () => {
    const page = await show({
      template: `<scroll-view scroll-y :scroll-into-view="id" style="height: 200px; border: 3px solid">${rows}</scroll-view>`,
      data: { id: 'r5' },
    })
    const top = () => page.locator('neu-scroll-view').evaluate((view) => view.scrollTop)
    expect(await top()).toBe(200)
    await set(page, 'id', 'r11')
    await expect.poll(top).toBe(500)
  })

  test('measures scrollLeft from the start in both text directions', async () => {
    for (const dir of ['ltr', 'rtl'] as const) {
      const page = await show({
        template: `<scroll-view scroll-x :scroll-left="left" ${listeners} style="width: 300px; white-space: nowrap"><view v-for="n in 10" :key="n" style="display: inline-block; width: 100px">{{ n }}</view></scroll-view>`,
        data: { left: 0 },
        dir,
      })
      await set(page, 'left', 695)
      await page.waitForFunction(() => testPage.events.length > 1)
      expect(await eventsOf(page)).toMatchObject([
        { type: 'scroll', detail: { scrollLeft: 695 } },
        { type: 'scrolltolower', detail: { direction: dir === 'ltr' ? 'right' : 'left' } },
      ])
      expect(await page.locator('neu-scroll-view').evaluate((view) => view.scrollLeft)).toBe(dir === 'ltr' ? 695 : -695)
    }
  })

  test.each([
    ['', 45],
    ['refresher-threshold="calc(2 * 30px)"', 60],
  ])('refreshes on a pull until the page ends it, and aborts a short pull %s', async (threshold, height) => {
    const page = await show({
      template: `<scroll-view scroll-y refresher-enabled ${threshold} :refresher-triggered="isOn" style="height: 300px" @refresherpulling="record" @refresherrefresh="record" @refresherrestore="record" @refresherabort="record">${rows}</scroll-view>`,
      data: { isOn: false },
      hasTouch: true,
    })
    await page.locator('.neu-refresher').waitFor({ state: 'attached' })
    await swipe(page, [100, 50], [100, 80])
    await page.waitForFunction(() => testPage.events.some(({ type }) => type === 'refresherabort'))
    await page.evaluate(() => {
      testPage.events.length = 0
    })
    await swipe(page, [100, 50], [100, 200])
    await page.waitForFunction(() => testPage.events.some(({ type }) => type === 'refresherrefresh'))
    expect((await boxOf(page, '#r1')).y).toBe(height)
    await set(page, 'isOn', true)
    await set(page, 'isOn', false)
    await page.waitForFunction(() => testPage.events.some(({ type }) => type === 'refresherrestore'))
    expect(new Set(await eventTypesOf(page))).toEqual(
      new Set(['refresherpulling', 'refresherrefresh', 'refresherrestore']),
    )
    await expect.poll(async () => (await boxOf(page, '#r1')).y).toBe(0)
  })
})

test('HTML elements have no margins, unless a style sets them', async () => {
  const page = await show({
    template: '<view><h2>1</h2><p>2</p><ul><li>3</li></ul></view>',
    css: 'ul { margin-top: 7px }',
  })
  const margins = await Promise.all(['h2', 'p', 'ul'].map((name) => styleOf(page, name, 'margin')))
  expect(margins).toEqual(['0px', '0px', '7px 0px 0px'])
})

describe('list', () => {
  const rows = '<cell v-for="n in count" :key="n"><view style="height: 50px">{{ n }}</view></cell>'

  test('scrolls, keeps headers at the top, and asks for more once per content', async () => {
    const page = await show({
      template: `<list class="list" loadmoreoffset="60" @loadmore="record" @scroll="scrolled = $event.contentOffset.y + $event.detail.contentSize.height">
        <list-header><view style="height: 30px">Head</view></list-header>${rows}</list>`,
      css: '.list { height: 200px }',
      data: { count: 10, scrolled: 0 },
    })
    const list = page.locator('neu-list')
    await list.evaluate((it) => it.scrollTo(0, 200))
    await expect.poll(() => state(page, 'scrolled')).toBe(530 - 200)
    const [top, head] = [await boxOf(page, 'neu-list'), await boxOf(page, 'neu-list-header')]
    expect(head.y).toBe(top.y)
    expect(await eventsOf(page)).toEqual([])
    for (const y of [275, 290, 330, 100, 330]) {
      await list.evaluate((it, to) => it.scrollTo(0, to), y)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    }
    expect(await eventTypesOf(page)).toEqual(['loadmore'])
    await set(page, 'count', 12)
    await list.evaluate((it) => it.scrollTo(0, 9999))
    await page.waitForFunction(() => testPage.events.length === 2)
  })

  test.each([
    ['refresh', [100, 20], [100, 160]],
    ['loading', [100, 160], [100, 20]],
  ] as const)('%s opens when it is pulled, and until the page hides it', async (tag, from, to) => {
    const part = `<${tag} :display="display" @${tag}="opened++; display = 'show'" @pullingdown="pulled = $event.pullingDistance">
      <view style="height: 40px">Wait</view></${tag}>`
    const page = await show({
      template: `<list class="list">${tag === 'refresh' ? part + rows : part}</list>`,
      css: '.list { height: 200px }',
      data: { count: 10, display: 'hide', pulled: 0, opened: 0 },
      hasTouch: true,
    })
    expect((await boxOf(page, `neu-${tag}`)).height).toBe(0)
    await swipe(page, [...from], [...to])
    await expect.poll(async () => (await boxOf(page, `neu-${tag}`)).height).toBe(40)
    expect(await state(page, 'opened')).toBe(1)
    if (tag === 'refresh') expect(await state(page, 'pulled')).toBeGreaterThan(40)
    await set(page, 'display', 'hide')
    await expect.poll(async () => (await boxOf(page, `neu-${tag}`)).height).toBe(0)
  })

  test('a waterfall puts each cell into the shortest column', async () => {
    const heights = [100, 40, 40, 60]
    const page = await show({
      template: `<waterfall class="list" column-count="2" column-gap="20"><list-header><view>All</view></list-header>
        <cell v-for="(height, n) in heights" :key="n" class="cell"><view :style="{ height: height + 'px' }" /></cell></waterfall>`,
      css: '.list { height: 400px; width: 300px }',
      data: { heights },
    })
    const places = () =>
      page.locator('.cell').evaluateAll((cells) =>
        cells.map((cell) => {
          const { offsetLeft, offsetTop, offsetWidth } = cell as HTMLElement
          return [offsetLeft, offsetTop - (cells[0] as HTMLElement).offsetTop, offsetWidth]
        }),
      )
    await expect.poll(places).toEqual([
      [0, 0, 140],
      [160, 0, 140],
      [160, 40, 140],
      [160, 80, 140],
    ])
  })
})

describe('swiper', () => {
  const items = `<swiper-item v-for="n in count" :key="n" :item-id="'i' + n" @click="record" :data-n="n"><view style="height: 100%" :id="'v' + n">{{ n }}</view></swiper-item>`
  const listeners = '@change="record" @animationfinish="record"'
  const swiper = (attrs: string) =>
    `<swiper style="width: 300px; height: 120px" ${listeners} ${attrs}>${items}</swiper>`
  const leftOf = async (page: Page, n: number) => (await boxOf(page, `#v${n}`)).x
  const changes = async (page: Page) =>
    (await eventsOf(page)).filter(({ type }) => type === 'change').map(({ detail }) => [detail.current, detail.source])
  const drag = async (page: Page, from: [number, number], to: [number, number]) => {
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 })
    await page.mouse.move(...to, { steps: 3 })
    await page.mouse.up()
  }
  const finishes = (page: Page, count: number) =>
    page.waitForFunction(
      (many) => testPage.events.filter(({ type }) => type === 'animationfinish').length >= many,
      count,
    )

  test('shows the next item after a drag, reports it once, and emits no click', async () => {
    const page = await show({ template: swiper(''), data: { count: 3 } })
    expect(await leftOf(page, 1)).toBe(0)
    await drag(page, [200, 60], [20, 60])
    await finishes(page, 1)
    expect(await eventsOf(page)).toMatchObject([
      { type: 'change', detail: { current: 1, currentItemId: 'i2', source: 'touch' }, tag: 'neu-swiper' },
      { type: 'animationfinish', detail: { current: 1, currentItemId: 'i2', source: 'touch' } },
    ])
    expect(await leftOf(page, 2)).toBe(0)
    await page.mouse.click(100, 60)
    expect((await eventsOf(page)).at(-1)).toMatchObject({ type: 'click', dataset: { n: '2' } })
  })

  test('stays where it is if the mouse was released outside before it was dragged', async () => {
    const page = await show({ template: `<view style="padding: 20px">${swiper('')}</view>`, data: { count: 2 } })
    const { x, y, width } = await boxOf(page, 'neu-swiper')
    await page.mouse.move(x + width - 1, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width + 1, y + 20)
    await page.mouse.up()
    await page.mouse.move(x + 20, y + 20)
    expect(await page.locator('neu-swiper').getAttribute('dragging')).toBeNull()
  })

  test('returns to the last item after a drag beyond it', async () => {
    const page = await show({ template: swiper(':current="2"'), data: { count: 3 } })
    await drag(page, [200, 60], [20, 60])
    await finishes(page, 1)
    expect(await leftOf(page, 3)).toBe(0)
    expect(await changes(page)).toEqual([])
  })

  test('shows the item that the page chooses during a drag, which ends', async () => {
    const page = await show({ template: swiper(':current="at"'), data: { count: 3, at: 0 } })
    await page.mouse.move(200, 60)
    await page.mouse.down()
    await page.mouse.move(150, 60, { steps: 3 })
    await set(page, 'at', 2)
    await finishes(page, 1)
    await page.mouse.move(120, 60, { steps: 3 })
    expect(await leftOf(page, 3)).toBe(0)
    await page.mouse.up()
    expect(await page.locator('neu-swiper').getAttribute('dragging')).toBeNull()
    expect(await changes(page)).toEqual([[2, '']])
  })

  test('wraps around at both ends if circular, even with two items', async () => {
    for (const count of [2, 4]) {
      const page = await show({ template: swiper('circular'), data: { count } })
      await drag(page, [20, 60], [200, 60])
      await finishes(page, 1)
      expect(await leftOf(page, count)).toBe(0)
      await drag(page, [200, 60], [20, 60])
      await finishes(page, 2)
      expect(await leftOf(page, 1)).toBe(0)
      expect(await changes(page)).toEqual([
        [count - 1, 'touch'],
        [0, 'touch'],
      ])
    }
  })

  test('mirrors items and arrow keys in a right-to-left language', async () => {
    const page = await show({ template: swiper(''), data: { count: 3 }, dir: 'rtl' })
    expect(await leftOf(page, 1)).toBe(75)
    expect(await leftOf(page, 2)).toBe(-225)
    await drag(page, [100, 60], [350, 60])
    await finishes(page, 1)
    expect(await leftOf(page, 2)).toBe(75)
    await page.locator('neu-swiper').press('ArrowLeft')
    await finishes(page, 2)
    expect(await leftOf(page, 3)).toBe(75)
    await page.locator('neu-swiper').press('ArrowRight')
    await finishes(page, 3)
    expect(await changes(page)).toEqual([
      [1, 'touch'],
      [2, 'touch'],
      [1, 'touch'],
    ])
  })

  test('swipes vertically, and lets the page scroll horizontally', async () => {
    const page = await show({ template: swiper('vertical'), data: { count: 3 }, hasTouch: true })
    expect(await styleOf(page, 'neu-swiper', 'touch-action')).toBe('pan-x')
    await swipe(page, [100, 100], [100, 10])
    await finishes(page, 1)
    expect(await changes(page)).toEqual([[1, 'touch']])
    expect((await boxOf(page, '#v2')).y).toBe(0)
  })

  test('animates for its duration, reports transitions, and follows current and current-item-id', async () => {
    const page = await show({
      template: swiper(':current="at" :current-item-id="id" :duration="200" @transition="record" v-if="true"'),
      data: { count: 3, at: 0, id: '' },
      hasMotion: true,
    })
    await setFrameInterval(page, 50)
    await set(page, 'at', 1)
    await finishes(page, 1)
    const offsets = (await eventsOf(page))
      .filter(({ type }) => type === 'transition')
      .map(({ detail }) => detail.dx as number)
    expect(offsets).toHaveLength(4)
    expect(offsets.at(-1)).toBe(300)
    expect(offsets.every((offset, index) => index === 0 || offset >= offsets[index - 1]!)).toBe(true)
    await set(page, 'id', 'i3')
    await finishes(page, 2)
    expect(await leftOf(page, 3)).toBe(0)
    expect(await changes(page)).toEqual([
      [1, ''],
      [2, ''],
    ])
  })

  test('autoplays from the last item to the first, and pauses under the mouse', async () => {
    const attrs = 'autoplay :interval="60" :duration="10"'
    const page = await show({
      template: `${swiper(`${attrs} data-s="a"`)}${swiper(`${attrs} data-s="b"`)}`,
      // Keep the swipers clear of the mouse in the corner.
      css: 'neu-swiper { margin-top: 50px }',
      data: { count: 2 },
      hasMotion: true,
    })
    const changesOf = (name: string) =>
      page.evaluate(
        (which) => testPage.events.filter(({ type, dataset }) => type === 'change' && dataset.s === which),
        name,
      )
    await expect.poll(async () => (await changesOf('a')).length).toBeGreaterThanOrEqual(2)
    expect((await changesOf('a')).slice(0, 2).map(({ detail }) => [detail.current, detail.source])).toEqual([
      [1, 'autoplay'],
      [0, 'autoplay'],
    ])
    await page.mouse.move(100, 100)
    await page.locator('neu-swiper[data-s=a]:hover').waitFor()
    const [before, others] = [(await changesOf('a')).length, (await changesOf('b')).length]
    await expect.poll(async () => (await changesOf('b')).length).toBeGreaterThan(others + 3)
    expect((await changesOf('a')).length).toBe(before)
  })

  test('applies margins, multiple items and indicator dots', async () => {
    const page = await show({
      template: swiper(
        'previous-margin="20px" next-margin="30px" indicator-dots indicator-active-color="#ff0000" :display-multiple-items="2.4"',
      ),
      data: { count: 4 },
    })
    expect(await boxOf(page, '#v1')).toMatchObject({ x: 20, width: 125 })
    expect(await leftOf(page, 2)).toBe(145)
    expect(await leftOf(page, 3)).toBe(270)
    const colors = await page
      .locator('.neu-swiper-dot')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor))
    expect(colors.map((color) => color === 'rgb(255, 0, 0)')).toEqual([true, true, false, false])
    expect(await page.locator('neu-swiper-item[inert]').count()).toBe(1)
  })

  test('shows its items inside its padding', async () => {
    const style = 'box-sizing: border-box; width: 300px; height: 120px; padding: 10px 20px 30px'
    const page = await show({
      template: `<swiper style="${style}"><swiper-item><view>1</view></swiper-item></swiper>`,
    })
    const [outer, item] = await Promise.all(
      ['neu-swiper', 'neu-swiper-item'].map(async (name) => (await page.locator(name).boundingBox())!),
    )
    expect(item).toEqual({ x: outer!.x + 20, y: outer!.y + 10, width: 260, height: 80 })
  })

  test('keeps the current item when items are added, and adjusts it when removed', async () => {
    const page = await show({ template: swiper(':current="1"'), data: { count: 0 } })
    await set(page, 'count', 3)
    await expect.poll(() => leftOf(page, 2)).toBe(0)
    await set(page, 'count', 5)
    await page.locator('#v5').waitFor({ state: 'attached' })
    expect(await leftOf(page, 2)).toBe(0)
    await set(page, 'count', 1)
    await expect.poll(() => leftOf(page, 1)).toBe(0)
  })
})

describe('navigator', () => {
  test('is a link that calls the host once per click or Enter', async () => {
    const page = await show({
      template: `<navigator url="/pages/a/a?x=1" animation-type="fade-in" :animation-duration="100" @click="record"><text>go</text></navigator>
        <navigator open-type="navigateBack" :delta="2">back</navigator><navigator url="/pages/b/b" open-type="switchTab">tab</navigator>`,
    })
    const link = page.getByRole('link', { name: 'go' })
    expect(await link.getAttribute('href')).toBe('#/pages/a/a?x=1')
    await link.click()
    await link.press('Enter')
    await page.getByRole('link', { name: 'back' }).click()
    await page.getByRole('link', { name: 'tab' }).click()
    const options = { animationType: 'fade-in', animationDuration: 100 }
    expect(await hostCallsOf(page)).toEqual([
      // While it is pressed.
      ['preload', '/pages/a/a?x=1'],
      ['navigate', '/pages/a/a?x=1', options],
      ['navigate', '/pages/a/a?x=1', options],
      ['navigateBack', '', { delta: 2 }],
      ['preload', '/pages/b/b'],
      ['switchTab', '/pages/b/b', {}],
    ])
    expect(await eventsOf(page)).toHaveLength(2)
    expect(new URL(page.url()).hash).toBe('')
  })

  test('lays out its children by its own style', async () => {
    const page = await show({
      template: `<navigator url="/a" style="display: flex; justify-content: space-between; align-items: center; width: 300px; height: 80px; padding: 10px"><view id="a">a</view><view id="b">b</view></navigator>`,
    })
    const [a, b] = [await boxOf(page, '#a'), await boxOf(page, '#b')]
    expect(a.x).toBe(10)
    expect(b.x + b.width).toBeCloseTo(310, 0)
    expect(a.y + a.height / 2).toBeCloseTo(50, 0)
  })

  test('is as high for its children as its own style says', async () => {
    const page = await show({
      template: `<navigator url="/a" style="height: 80px"><view id="a" style="height: 75%">a</view></navigator>`,
    })
    expect((await boxOf(page, '#a')).height).toBe(60)
  })
})

describe('picker', () => {
  const open = async (page: Page, name: string) => {
    await page.getByRole('button', { name }).press('Enter')
    await page.getByRole('dialog').waitFor()
  }
  const column = (page: Page, name: string) => page.getByRole('spinbutton', { name })
  const expectColumn = (page: Page, name: string, text: string) =>
    expect.poll(() => column(page, name).getAttribute('aria-valuetext')).toBe(text)

  test('selects by keyboard, reports once, restores the focus, and cancels by Escape', async () => {
    const page = await show({
      template: `<picker :range="list" range-key="name" :value="1" header-text="City" data-p="1" @change="record" @cancel="record" @click="record"><view>choose</view></picker>`,
      data: { list: ['Riyadh', 'Jeddah', 'Dammam', 'Abha'].map((name) => ({ name })) },
    })
    await open(page, 'choose')
    await expectColumn(page, 'City', 'Jeddah')
    await column(page, 'City').press('ArrowDown')
    await expectColumn(page, 'City', 'Dammam')
    await column(page, 'City').press('End')
    await expectColumn(page, 'City', 'Abha')
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('neu-picker')
    await open(page, 'choose')
    await expectColumn(page, 'City', 'Abha')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await eventsOf(page)).toMatchObject([
      { type: 'click' },
      { type: 'change', detail: { value: 3 }, dataset: { p: '1' }, tag: 'neu-picker' },
      { type: 'click' },
      { type: 'cancel' },
    ])
  })

  test('logs an error and stays closed for mode region without a range', async () => {
    const page = await show({
      template: `<picker mode="region" @change="record">nowhere</picker><picker mode="region" :range="[['Riyadh', 'Makkah'], ['Diriyah']]" @change="record">somewhere</picker>`,
    })
    const error = page.waitForEvent('console', (message) => message.type() === 'error')
    await page.getByRole('button', { name: 'nowhere' }).click()
    expect((await error).text()).toContain('<picker mode="region"> has no built-in regions')
    await open(page, 'somewhere')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await eventsOf(page)).toMatchObject([{ type: 'change', detail: { value: [0, 0] } }])
  })

  test('turns a column by wheel, selects an item by click, and cancels by a click outside', async () => {
    const page = await show({
      template: `<picker :range="list" header-text="N" @change="record" @cancel="record">choose</picker>`,
      data: { list: Array.from({ length: 30 }, (_, n) => `item ${n}`) },
    })
    await open(page, 'choose')
    const box = (await column(page, 'N').boundingBox())!
    await page.mouse.move(box.x + 50, box.y + 50)
    await page.mouse.wheel(0, 340)
    await expectColumn(page, 'N', 'item 10')
    await page.getByText('item 12', { exact: true }).click()
    await expectColumn(page, 'N', 'item 12')
    await page.getByRole('button', { name: 'Done' }).click()
    await open(page, 'choose')
    await page.mouse.click(100, 100)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await eventsOf(page)).toMatchObject([{ type: 'change', detail: { value: 12 } }, { type: 'cancel' }])
  })

  test('reports the change of a column, and updates dependent columns', async () => {
    const page = await show({
      template: `<picker mode="multiSelector" :range="[['a', 'b'], second]" :value="[0, 2]" @columnchange="(e) => { record(e); second = e.detail.value ? ['b1'] : ['a1', 'a2', 'a3'] }" @change="record">choose</picker>`,
      data: { second: ['a1', 'a2', 'a3'] },
    })
    await open(page, 'choose')
    await expectColumn(page, '2', 'a3')
    await column(page, '1').press('ArrowDown')
    await expectColumn(page, '1', 'b')
    await expectColumn(page, '2', 'b1')
    await page.getByRole('button', { name: 'Done' }).click()
    const all = await eventsOf(page)
    expect(all[0]).toMatchObject({ type: 'columnchange', detail: { column: 0, value: 1 } })
    expect(all.at(-1)).toMatchObject({ type: 'change', detail: { value: [1, 0] } })
  })

  test('shows the columns that the page changes in its own list, and resets to the first ones', async () => {
    const page = await show({
      template: `<form><picker name="p" mode="multiSelector" :range="[['a', 'b'], ['1', '2', '3']]" v-model="chosen" @columnchange="({ detail }) => chosen.splice(0, 2, detail.value, 0)">choose</picker>
        <button form-type="reset">clear</button></form>`,
      data: { chosen: [0, 2] },
    })
    await open(page, 'choose')
    await expectColumn(page, '2', '3')
    await column(page, '1').press('ArrowDown')
    await expectColumn(page, '1', 'b')
    await expectColumn(page, '2', '1')
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => state(page, 'chosen')).toEqual([1, 0])
    const clear = page.getByRole('button', { name: 'clear' })
    await clear.click()
    await expect.poll(() => state(page, 'chosen')).toEqual([0, 2])
    await page.evaluate(() => void (testPage.state.chosen as number[]).splice(0, 2, 1, 1))
    await clear.click()
    await expect.poll(() => state(page, 'chosen')).toEqual([0, 2])
  })

  test('applies fields, bounds and month lengths to dates and times', async () => {
    const page = await show({
      template: `<picker mode="date" value="2024-01-31" start="2020-01-01" end="2026-12-31" @change="record">date</picker>
        <picker mode="date" fields="month" value="2024-05" @change="record">month</picker>
        <picker mode="time" value="09:30" end="10:15" @change="record">time</picker>`,
    })
    await open(page, 'date')
    await expectColumn(page, 'month', '01')
    await column(page, 'month').press('ArrowDown')
    await expectColumn(page, 'month', '02')
    await expectColumn(page, 'day', '29')
    await page.getByRole('button', { name: 'Done' }).click()
    await open(page, 'month')
    await expectColumn(page, 'month', '05')
    expect(await page.getByRole('spinbutton').count()).toBe(2)
    await page.getByRole('button', { name: 'Done' }).click()
    await open(page, 'time')
    await expectColumn(page, 'hour', '09')
    await column(page, 'hour').press('End')
    await expectColumn(page, 'hour', '10')
    await expectColumn(page, 'minute', '15')
    await page.getByRole('button', { name: 'Done' }).click()
    expect((await eventsOf(page)).map(({ detail }) => detail.value)).toEqual(['2024-02-29', '2024-05', '10:15'])
  })

  test('opens the sheet at the bottom, in the language of the page', async () => {
    const page = await show({ template: '<picker mode="date" value="2024-01-31">date</picker>', dir: 'rtl' })
    await page.evaluate(() => {
      document.documentElement.lang = 'ar'
    })
    await page.getByRole('button', { name: 'date' }).click()
    await page.getByRole('button', { name: 'تم' }).waitFor()
    const sheet = await boxOf(page, 'dialog')
    expect(sheet).toMatchObject({ x: 0, width: 375 })
    expect(sheet.y + sheet.height).toBe(667)
    // The first column is on the right.
    const columns = await page
      .getByRole('spinbutton')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
    expect(columns[0]!).toBeGreaterThan(columns[2]!)
    await screenshot(page, 'tags.picker.rtl')
  })

  test('closes the sheet when its page is hidden', async () => {
    const page = await show({
      template: '<picker mode="date" @cancel="record">date</picker>',
      css: '.hidden { visibility: hidden }',
    })
    await open(page, 'date')
    await page.evaluate(() => document.querySelector('neu-page-window')!.classList.add('hidden'))
    await page.getByRole('dialog', { includeHidden: true }).waitFor({ state: 'detached' })
    expect(await eventTypesOf(page)).toEqual(['cancel'])
  })

  test('selects the item of a picker-view when its column gets as many items', async () => {
    const page = await show({
      template: `<picker-view :value="[2]" @change="record"><picker-view-column aria-label="letter"><view v-for="item in items" :key="item">{{ item }}</view></picker-view-column></picker-view>`,
      data: { items: [] },
    })
    await set(page, 'items', ['a', 'b', 'c', 'd'])
    await expectColumn(page, 'letter', 'c')
    await column(page, 'letter').press('ArrowUp')
    await expectColumn(page, 'letter', 'b')
    await set(page, 'items', ['a', 'b', 'c', 'd', 'e'])
    await expectColumn(page, 'letter', 'b')
    expect((await eventsOf(page)).map(({ detail }) => detail)).toEqual([{ value: [1] }])
  })

  test('takes the item height of a picker-view from its indicator, and reports one change per scroll', async () => {
    const page = await show({
      template: `<picker-view :value="value" indicator-style="height: 50px" style="height: 250px" @change="(e) => { record(e); value = e.detail.value }" @pickstart="record" @pickend="record"><picker-view-column aria-label="a"><view v-for="n in 9" :key="n">{{ n }}</view></picker-view-column></picker-view>`,
      data: { value: [2] },
    })
    await expectColumn(page, 'a', '3')
    await expect.poll(() => column(page, 'a').evaluate((one) => one.scrollTop)).toBe(100)
    expect((await boxOf(page, 'neu-picker-view-column neu-view')).height).toBe(50)
    await page.mouse.move(100, 100)
    await page.mouse.wheel(0, 100)
    await page.waitForFunction(() => testPage.events.some(({ type }) => type === 'pickend'))
    expect(await eventsOf(page)).toMatchObject([
      { type: 'pickstart' },
      { type: 'change', detail: { value: [4] }, tag: 'neu-picker-view' },
      { type: 'pickend' },
    ])
    await set(page, 'value', [0])
    await expect.poll(() => column(page, 'a').evaluate((one) => one.scrollTop)).toBe(0)
    expect(await eventsOf(page)).toHaveLength(3)
  })
})

describe('slider, progress, icon', () => {
  test('reports slider changes by mouse and keyboard, and fills the track in both text directions', async () => {
    for (const dir of ['ltr', 'rtl'] as const) {
      const page = await show({
        template: `<slider min="10" :max="50" step="5" :value="20" show-value block-size="20" activeColor="#ff0000" aria-label="x" data-s="1" @change="record" @changing="record" style="width: 300px; margin: 0" />`,
        dir,
      })
      const slider = page.getByRole('slider')
      await slider.press(dir === 'ltr' ? 'ArrowRight' : 'ArrowLeft')
      expect(await eventsOf(page)).toMatchObject([
        { type: 'changing', detail: { value: 25 }, dataset: { s: '1' }, tag: 'neu-slider' },
        { type: 'change', detail: { value: 25 } },
      ])
      const [bar, done] = [await boxOf(page, '.neu-slider-track'), await boxOf(page, '.neu-slider-done')]
      expect(done.width).toBeCloseTo(bar.width * (15 / 40), 0)
      if (dir === 'rtl') expect(done.x + done.width).toBeCloseTo(bar.x + bar.width, 0)
      expect(await styleOf(page, '.neu-slider-done', 'background-color')).toBe('rgb(255, 0, 0)')
      await page.mouse.move(bar.x + bar.width / 2, bar.y)
      await page.mouse.down()
      await page.mouse.up()
      expect((await eventsOf(page)).at(-1)).toMatchObject({ type: 'change', detail: { value: 30 } })
      expect(await page.locator('output').innerText()).toBe('30')
    }
  })

  test('keeps what the user chose on a slider within bounds that change', async () => {
    const page = await show({
      template:
        '<form @submit="record"><slider name="level" :max="max" show-value /><button form-type="submit">send</button></form>',
      data: { max: 100 },
    })
    await page.getByRole('slider').press('End')
    await set(page, 'max', 50)
    await expect.poll(() => page.locator('output').innerText()).toBe('50')
    await page.getByRole('button', { name: 'send' }).click()
    expect(await eventsOf(page)).toMatchObject([{ type: 'submit', detail: { value: { level: 50 } } }])
  })

  test('draws the progress, and emits activeend when its animation ends', async () => {
    const page = await show({
      template: `<progress :percent="at" show-info active :duration="1" stroke-width="10" style="width: 300px" @activeend="record" />`,
      data: { at: 40 },
      hasMotion: true,
    })
    await page.waitForFunction(() => testPage.events.length === 1)
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    const [bar, done] = [await boxOf(page, '.neu-progress-bar'), await boxOf(page, '.neu-progress-done')]
    expect(bar.height).toBe(10)
    expect(done.width).toBeCloseTo(bar.width * 0.4, 0)
    await set(page, 'at', 100)
    await page.waitForFunction(() => testPage.events.length === 2)
    expect((await eventsOf(page)).map(({ type, detail }) => [type, detail.curPercent])).toEqual([
      ['activeend', 40],
      ['activeend', 100],
    ])
  })

  test('applies size and color to icons', async () => {
    const page = await show({ template: '<icon type="success" size="40" color="red" /><icon type="none" />' })
    expect(await boxOf(page, 'neu-icon svg')).toMatchObject({ width: 40, height: 40 })
    expect(await styleOf(page, 'neu-icon svg', 'color')).toBe('rgb(255, 0, 0)')
    expect(await page.locator('neu-icon svg').count()).toBe(1)
  })
})

describe('rich-text, web-view, cover', () => {
  test('sanitizes HTML in rich-text, and runs no scripts', async () => {
    const page = await show({
      template: '<rich-text :nodes="html" @itemclick="record" />',
      data: {
        html: `<h1 style="color: rgb(1, 2, 3)" onclick="window.ran = 1">A &amp;lt; B&nbsp;</h1><script>window.ran = 1</script><img src="x" onerror="window.ran = 1">
          <a href="javascript:window.ran=1" id="x">bad</a><a href="https://a.example/">good</a><svg onload="window.ran=1"></svg><iframe srcdoc="<script>parent.ran=1</script>"></iframe>
          <p style="position: fixed; inset: 0; margin: 0; background: red" class="over">over</p>`,
      },
    })
    expect(await page.locator('h1').innerText()).toContain('A &lt; B')
    expect(await styleOf(page, 'h1', 'color')).toBe('rgb(1, 2, 3)')
    const bad = page.getByText('bad', { exact: true })
    expect(await bad.getAttribute('href')).toBe(null)
    expect(await bad.getAttribute('id')).toBe(null)
    expect(await page.getByRole('link', { name: 'good' }).getAttribute('rel')).toBe('noopener noreferrer')
    expect(await page.locator('neu-rich-text :is(script, svg, iframe, [onclick], [onerror])').count()).toBe(0)
    // Fixed elements stay inside the box.
    const [box, over] = [await boxOf(page, 'neu-rich-text'), await boxOf(page, '.over')]
    expect(over.height).toBe(box.height)
    await page.locator('neu-rich-text img').dispatchEvent('click')
    expect(await eventsOf(page)).toMatchObject([
      { type: 'itemclick', detail: { node: { name: 'img', attrs: { src: 'x' } } } },
    ])
    expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined()
  })

  test('decodes entities and spaces in nodes of rich-text', async () => {
    const page = await show({
      template: '<rich-text :nodes="nodes" space="nbsp" />',
      data: {
        nodes: [
          { name: 'div', attrs: { class: 'c' }, children: [{ type: 'text', text: 'a b&lt;' }] },
          { type: 'text', text: '&#39;&#x4F60;&middot;&hellip; &amp;copy; &unknown; &copy' },
        ],
      },
    })
    expect(await page.locator('.c').textContent()).toBe('a\u00a0b<')
    expect(await page.locator('neu-rich-text').textContent()).toBe(
      "a\u00a0b<'你·…\u00a0&copy;\u00a0&unknown;\u00a0&copy",
    )
  })

  test('fits a web-view between the bars, and accepts messages from its page only', async () => {
    const page = await show({
      template: '<web-view src="http://inner.example/files/inner.html" title="Shop" @message="record" />',
      css: ':root { --window-top: 44px; --window-bottom: 50px }',
    })
    await page.waitForFunction(() => testPage.events.length > 0)
    await page.evaluate(() => window.postMessage('not from there', '*'))
    expect(await boxOf(page, 'iframe[title=Shop]')).toEqual({ x: 0, y: 44, width: 375, height: 573 })
    expect(await eventsOf(page)).toMatchObject([
      { type: 'message', detail: { data: [{ n: 1 }], origin: 'http://inner.example' }, tag: 'neu-web-view' },
    ])
  })

  test('rejects a web-view with a script URL or a URL that the host does not allow', async () => {
    for (const src of ['javascript:parent.ran=1', 'data:text/html,x', 'https://refused.example/']) {
      const page = await show({ template: `<web-view src="${src}" />` })
      expect(await page.locator('iframe').count()).toBe(0)
      expect(page.errors.join()).toContain('is not allowed')
    }
  })

  test('draws cover-view and cover-image', async () => {
    const page = await show({
      template: `<cover-view id="c">text<cover-image src="/static/a.svg" @load="record" style="width: 40px; height: 20px" /></cover-view>`,
    })
    await page.waitForFunction(() => testPage.events.length > 0)
    expect(await eventsOf(page)).toMatchObject([
      { type: 'load', detail: { width: 80, height: 40 }, tag: 'neu-cover-image' },
    ])
    expect(await boxOf(page, 'neu-cover-image')).toMatchObject({ width: 40, height: 20 })
    expect(await styleOf(page, 'neu-cover-view', 'line-height')).toBe('19.2px')
  })
})

describe('all tags', () => {
  const gallery = `<view style="padding: 12px; display: flex; flex-direction: column; gap: 12px">
    <view><text space="nbsp">{{ t[0] }}</text></view>
    <view style="display: flex; gap: 8px"><image src="/static/a.svg" mode="aspectFit" style="width: 80px; height: 60px; background: #eee" /><image src="/static/a.svg" mode="aspectFill" style="width: 80px; height: 60px" /><image src="/static/a.svg" mode="top right" style="width: 60px; height: 60px; background: #eee" /></view>
    <button type="primary">{{ t[1] }}</button><button>{{ t[1] }}</button><button type="warn" plain>{{ t[1] }}</button>
    <view><button size="mini" type="primary" loading>{{ t[1] }}</button> <button size="mini" disabled>{{ t[1] }}</button></view>
    <input :placeholder="t[2]" style="border: 1px solid #999; padding: 6px 10px" />
    <textarea auto-height :value="t[0] + t[0]" :aria-label="t[2]" style="border: 1px solid #999; padding: 6px 10px; width: auto" />
    <view><switch checked :aria-label="t[1]" /> <switch :aria-label="t[1]" /> <switch type="checkbox" checked :aria-label="t[1]" /></view>
    <checkbox-group><checkbox value="a" checked>{{ t[1] }}</checkbox> <checkbox value="b">{{ t[2] }}</checkbox></checkbox-group>
    <radio-group><label><radio value="a" checked />{{ t[1] }}</label> <radio value="b" disabled>{{ t[2] }}</radio></radio-group>
    <slider :value="40" show-value :aria-label="t[1]" /><progress :percent="60" show-info :aria-label="t[1]" />
    <view style="display: flex; gap: 6px"><icon v-for="i in ['success', 'success_no_circle', 'info', 'warn', 'waiting', 'cancel', 'download', 'search', 'clear']" :key="i" :type="i" /></view>
    <swiper indicator-dots style="height: 80px" previous-margin="20px" next-margin="20px" :aria-label="t[1]"><swiper-item v-for="n in 3" :key="n"><view style="background: #d3ece8; height: 100%; margin: 0 4px">{{ t[1] }} {{ n }}</view></swiper-item></swiper>
    <scroll-view scroll-x style="white-space: nowrap" :aria-label="t[1]" role="group"><view v-for="n in 9" :key="n" style="display: inline-block; width: 90px; background: #f3eee6; margin-inline-end: 8px">{{ n }}</view></scroll-view>
    <navigator url="/pages/a/a">{{ t[1] }}</navigator><picker :range="t">{{ t[2] }}</picker>
    <audio src="/static/a.wav" controls :name="t[1]" :author="t[2]" /><video src="/static/a.wav" style="width: 160px; height: 90px" :aria-label="t[1]" />
    <list :aria-label="t[1]" role="group" style="height: 90px"><list-header><view style="background: #fff">{{ t[1] }}</view></list-header><cell v-for="n in 4" :key="n"><view style="padding: 8px">{{ t[2] }} {{ n }}</view></cell></list>
    <rich-text :nodes="'<b>' + t[0] + '</b>'" /></view>`

  test.each([
    ['ltr', ['Two  words\nand a line', 'Press', 'Your name']],
    ['rtl', ['كلمتان  هنا\nوسطر', 'اضغط', 'اسمك']],
  ] as const)('are accessible, fit the screen, and log no errors: %s', async (dir, t) => {
    const page = await show({ template: gallery, data: { t }, dir })
    await page
      .locator('img')
      .first()
      .evaluate((image: HTMLImageElement) => image.decode())
    await screenshot(page, `tags.${dir}`)
    const violations = await violationsOf(page, { tags: wcag })
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    expect(page.errors).toEqual([])
  })

  test('bundles only the tags used, and the picker sheet separately', async () => {
    const output = await bundle("import { Button, Picker } from '@souk/tags'\nwindow.used = [Button, Picker]", 'lean')
    const text = (match: RegExp) =>
      [...output].flatMap(([name, body]) => (match.test(name) ? [body.toString()] : [])).join('\n')
    const first = text(/\/index-[^/]*\.(?:js|css)$/)
    expect(first).toContain('neu-button')
    expect(first).toContain('neu-picker')
    expect(first).not.toMatch(/neu-(?:swiper|slider|input|rich-text|picker-sheet|picker-view)/)
    expect(text(/PickerSheet/)).toContain('neu-picker-sheet')
  })
})
