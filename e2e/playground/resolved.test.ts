import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type JsonObject, readPages, resolve } from '../../packages/pages/src/index.ts'
import { openApp, type Platform } from './fixture.ts'

/** Compares what `resolve` says about random valid styles with the built and drawn pages. */

/** Seed of the random styles. A failure prints the style. */
const seed = 1
const count = 30
const [width, height] = [375, 667]
/** Height in px of the soft keyboard. */
const keyboard = 300

const object = <T extends Record<string, fc.Arbitrary<unknown>>>(keys: T) => fc.record(keys, { requiredKeys: [] })
const channel = fc.integer({ min: 0, max: 255 })
const hex = fc
  .tuple(channel, channel, channel)
  .map((all) => `#${all.map((one) => one.toString(16).padStart(2, '0')).join('')}`)
const rgba = fc.tuple(channel, channel, channel).map((all) => `rgba(${all.join(',')},0.5)`)
const px = (min: number, max: number) => fc.integer({ min, max }).map((size) => `${size}px`)
const length = fc.oneof(
  px(0, 150),
  fc.integer({ min: 0, max: 60 }).map((size) => `${size}%`),
  fc.integer({ min: 0, max: 150 }).map(String),
)
const caption = object({ caption: fc.constantFrom('One', 'Two') })
const animation = {
  animationType: fc.constantFrom('slide-in-top', 'fade-in', 'zoom-fade-in', 'pop-in', 'none'),
  animationDuration: fc.integer({ min: 0, max: 900 }),
}

const subWindow = object({
  type: fc.constantFrom('popup', 'navigationBar'),
  style: object({
    position: fc.constantFrom('static', 'absolute', 'dock'),
    dock: fc.constantFrom('top', 'bottom', 'left', 'right'),
    mask: rgba,
    width: length,
    height: length,
    top: length,
    bottom: fc.oneof(length, fc.constant(null)),
    left: length,
    right: fc.oneof(length, fc.constant(null)),
    margin: fc.constant('auto'),
    zindex: fc.integer({ min: 0, max: 9 }),
    background: fc.oneof(hex, rgba, fc.constant('transparent')),
  }),
})

const style = (index?: number) =>
  object({
    navigationBarTextStyle: fc.constantFrom('black', 'white'),
    backgroundColor: hex,
    enablePullDownRefresh: fc.boolean(),
    onReachBottomDistance: fc.integer({ min: 0, max: 300 }),
    maxWidth: fc.integer({ min: 200, max: 400 }),
    leftWindow: fc.boolean(),
    topWindow: fc.boolean(),
    rightWindow: fc.boolean(),
    ...animation,
    ...(index === undefined
      ? { pageOrientation: fc.constantFrom('auto', 'portrait') }
      : { backgroundTextStyle: fc.constantFrom('dark', 'light'), disableSwipeBack: fc.boolean() }),
    h5: object({ pullToRefresh: object({ color: hex, offset: length }) }),
    'app-plus': object({
      background: fc.oneof(hex, fc.constant('transparent')),
      scrollIndicator: fc.constant('none'),
      bounce: fc.constant('none'),
      softinputMode: fc.constantFrom('adjustResize', 'adjustPan'),
      ...animation,
      pullToRefresh: object({
        support: fc.boolean(),
        color: hex,
        style: fc.constantFrom('default', 'circle'),
        height: px(30, 120),
        range: px(30, 300),
        offset: length,
        contentdown: caption,
        contentover: caption,
        contentrefresh: caption,
      }),
      ...(index !== undefined && {
        subNVues: fc
          .array(subWindow, { maxLength: 2 })
          .map((all) => all.map((each, at) => ({ ...each, id: `w${index}-${at}`, path: `pages/p${index}/sub` }))),
      }),
    }),
  })

const rpx = object({
  rpxCalcMaxDeviceWidth: fc.constantFrom(300, 960),
  rpxCalcBaseDeviceWidth: fc.integer({ min: 200, max: 500 }),
  rpxCalcIncludeWidth: fc.constantFrom(100, 750),
})
const [file] = fc.sample(
  fc.record({
    globalStyle: fc.tuple(style(), rpx).map(([common, lengths]) => ({ ...common, ...lengths })),
    pages: fc.tuple(
      fc.record({ path: fc.constant('pages/start/start'), style: fc.constant({}) }),
      ...Array.from({ length: count }, (_, index) =>
        fc.record({ path: fc.constant(`pages/p${index}/p${index}`), style: style(index) }),
      ),
    ),
    leftWindow: fc.constant({ path: 'windows/left', style: { width: '40px' }, matchMedia: { minWidth: 0 } }),
    rightWindow: fc.constant({ path: 'windows/right', style: { width: '30px' }, matchMedia: { minWidth: 0 } }),
    topWindow: fc.constant({ path: 'windows/top', style: { height: '20px' }, matchMedia: { minWidth: width } }),
  }),
  { numRuns: 1, seed },
)

/** Selects every fifth page for native rendering. */
const isNative = (index: number) => index % 5 === 4
const page = `<template><view class="tall"><input class="field"></view></template>
<script>
export default { onReachBottom() { window.reached = true } }
</script>
<style>
.tall { height: 3000px }
.field { position: absolute; top: 2000px; }
</style>
`
const empty = '<template><view></view></template>\n'
let folder: string

beforeAll(async () => {
  // Random styles have attributes without effect.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  folder = await mkdtemp(join(tmpdir(), 'souk-resolved-'))
  const files = { 'pages.json': JSON.stringify(file), 'App.vue': '<script>export default {}</script>\n' }
  const perPage = file!.pages.map(({ path }, index) => [`${path}.${isNative(index) ? 'nvue' : 'vue'}`, page])
  const subs = file!.pages.map(({ path }) => [`${dirname(path)}/sub.nvue`, empty])
  const windows = ['left', 'right', 'top'].map((name) => [`windows/${name}.vue`, empty])
  const all = [...Object.entries(files), ...perPage, ...subs, ...windows] as [string, string][]
  for (const [name, text] of all) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Layout of the page, measured in the browser. */
type Drawn = Record<string, unknown>
type Box = readonly [x: number, y: number, width: number, height: number]

/** Runs in the mini app: opens the page, measures it, swipes, scrolls and pulls it. */
async function measure([path, json, platform]: readonly [
  path: string,
  style: string,
  platform: Platform,
]): Promise<Drawn> {
  const isH5 = platform === 'H5'
  const style = JSON.parse(json) as JsonObject
  type SubNVue = { show(): void }
  type Neu = Record<string, (options?: object) => Promise<unknown>> & {
    getSubNVueById(id: string): SubNVue
    rpx2px(rpx: number): number
  }
  const { uni } = window as unknown as { uni: Neu }
  const state = window as unknown as { reached?: boolean }
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  const until = async (is: () => unknown) => {
    const end = performance.now() + 60_000
    for (; !is(); await frame()) if (performance.now() > end) throw new Error(`${path}: never ${is}`)
  }
  let motion = ['none', '0ms']
  const opening = new MutationObserver((changes) => {
    for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (added instanceof HTMLElement && added.localName === 'neu-page-window')
        motion = [added.dataset.motion ?? 'none', added.style.getPropertyValue('--duration') || '0ms']
  })
  opening.observe(document.body, { childList: true, subtree: true })
  await uni.navigateTo!({ url: `/${path}` })
  opening.disconnect()
  const top = 'neu-page-window:not([inert])'
  await until(() => document.querySelector(`${top} neu-page[data-page="${path}"]`))
  const one = (selector: string) => document.querySelector(`${top} ${selector}`)!
  const computed = (element: Element, property: string) => getComputedStyle(element).getPropertyValue(property)
  const pageWindow = document.querySelector<HTMLElement>(top)!
  const endMotion = () => {
    for (const each of document.querySelectorAll('neu-page-window'))
      for (const running of each.getAnimations()) running.finish()
  }
  endMotion()
  const scroller = one('neu-page-scroll')
  type Window = { id: string; type?: string }
  const windows = isH5 ? [] : (((style['app-plus'] as JsonObject).subNVues ?? []) as unknown as Window[])
  await until(() => windows.every(({ id }) => document.getElementById(id)))
  await frame()
  const swipe = (type: string, clientX: number) => {
    const touch = new Touch({ identifier: 1, target: pageWindow, clientX, clientY: 300 })
    const touches = type === 'touchend' ? [] : [touch]
    pageWindow.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], cancelable: true }))
  }
  const isSwiped = () => {
    swipe('touchstart', 4)
    swipe('touchmove', 100)
    const isMoved = pageWindow.style.transform !== ''
    swipe('touchmove', 4)
    swipe('touchend', 4)
    return isMoved
  }
  let swipes = isSwiped()
  // The gesture is loaded for the first page that has it.
  const canSwipe = platform === 'Mini App' && style.disableSwipeBack === false
  if (canSwipe) await until(() => (swipes ||= isSwiped()))
  endMotion()
  await until(() => pageWindow.style.transform === '')
  const boxes = windows.map(({ id }) => {
    const element = document.getElementById(id)!
    const [own, around] = [element.getBoundingClientRect(), element.parentElement!.getBoundingClientRect()]
    return {
      box: [own.x - around.x, own.y - around.y, own.width, own.height],
      around: [around.width, around.height],
      background: computed(element, 'background-color'),
      zindex: computed(element, 'z-index'),
    }
  })
  const masks: (string | null)[] = []
  for (const { id, type } of windows) {
    if (type === 'popup') uni.getSubNVueById(id).show()
    await frame()
    const found = type === 'popup' && [...document.querySelectorAll(`${top} .neu-sub-window-mask`)].at(-1)
    masks.push(found ? computed(found, 'background-color') : null)
  }
  const distance = style.onReachBottomDistance as number
  const end = scroller.scrollHeight - scroller.clientHeight
  const reachedAt = async (scrollTop: number) => {
    state.reached = false
    scroller.scrollTop = scrollTop
    await frame()
    await frame()
    return state.reached
  }
  const reached = [await reachedAt(end - distance - 5), await reachedAt(end - distance)]
  scroller.scrollTop = 0
  await frame()
  if (style.enablePullDownRefresh) await until(() => one('.neu-refresh'))
  const refresh = one('.neu-refresh')
  const drawn: Drawn = {
    background: computed(pageWindow, 'background-color'),
    indicator: computed(scroller, 'scrollbar-width'),
    bounce: computed(scroller, 'overscroll-behavior-y'),
    boxes,
    masks,
    reached,
    motion,
    swipes,
    refreshes: refresh !== null,
    ...(isH5 && { main: boxOf(document.querySelector('neu-main')!), rpx: uni.rpx2px(100) }),
  }
  if (!refresh) return drawn
  const isCircle = refresh.classList.contains('neu-refresh-circle')
  const visible = scroller.clientHeight
  const inner = () => one(isCircle ? '.neu-refresh-disc' : '.neu-refresh-row')
  const refreshState = async () => {
    await new Promise((done) => setTimeout(done))
    for (const each of refresh.getAnimations({ subtree: true })) if (each instanceof CSSTransition) each.finish()
    return isCircle
      ? { y: new DOMMatrix(computed(inner(), 'transform')).f }
      : { height: boxOf(refresh)[3], caption: inner().textContent.trim() }
  }
  const mouse = (type: string, clientY: number) =>
    one('neu-page').dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: 100, clientY, buttons: 1 }))
  mouse('mousedown', 200)
  mouse('mousemove', 210)
  mouse('mousemove', 220)
  const down = await refreshState()
  mouse('mousemove', 2000)
  const over = await refreshState()
  mouse('mousemove', 210)
  mouse('mouseup', 210)
  await uni.startPullDownRefresh!()
  const refreshing = await refreshState()
  await uni.stopPullDownRefresh!()
  return {
    ...drawn,
    refresh: {
      style: isCircle ? 'circle' : 'default',
      color: computed(isCircle ? refresh : inner(), 'color'),
      ...(!isCircle && { behind: computed(refresh, 'background-color') }),
      ...(!isCircle && { down: (down as { caption: string }).caption }),
      over,
      refreshing,
    },
    visible,
  }

  function boxOf(element: Element): [number, number, number, number] {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height]
  }
}

/** Runs in the mini app: focuses the field and returns how the page makes room for the keyboard. */
async function makeRoom(keyboard: number): Promise<string> {
  const pageWindow = document.querySelector<HTMLElement>('neu-page-window:not([inert])')!
  pageWindow.querySelector<HTMLElement>('.field input')!.focus({ preventScroll: true })
  const end = performance.now() + 60_000
  for (;;) {
    await new Promise(requestAnimationFrame)
    if (performance.now() > end) return 'nothing'
    if (pageWindow.style.translate !== '') return 'adjustPan'
    if (pageWindow.getBoundingClientRect().bottom <= innerHeight - keyboard) return 'adjustResize'
  }
}

/** Computes what `measure` returns from the resolved style alone. */
function expected(style: JsonObject, { platform, os, drawn }: { platform: Platform; os: string; drawn: Drawn }): Drawn {
  const isH5 = platform === 'H5'
  const plus = (style['app-plus'] ?? {}) as JsonObject
  const windows = (plus.subNVues ?? []) as { type?: string; style: JsonObject }[]
  const boxes = drawn.boxes as { around: [number, number]; box: Box }[]
  const limit = Math.min(width, (style.maxWidth as number | undefined) ?? width)
  const isWithin = width <= Number(style.rpxCalcMaxDeviceWidth) || style.rpxCalcIncludeWidth === 100
  const rpxWidth = isWithin ? width : Number(style.rpxCalcBaseDeviceWidth)
  const { animationType = 'pop-in', animationDuration = 300 } = { ...style, ...plus } as JsonObject
  const isMoving = !isH5 && animationType !== 'none' && Number(animationDuration) > 0
  const [above, before, after] = [style.topWindow ? 20 : 0, style.leftWindow ? 40 : 0, style.rightWindow ? 30 : 0]
  const refresh = refreshOf(style, isH5, os, drawn.visible as number)
  return {
    background: rgb((isH5 ? style.backgroundColor : (plus.background ?? style.backgroundColor)) as string),
    indicator: plus.scrollIndicator === 'none' ? 'none' : 'auto',
    bounce: plus.bounce === 'none' ? 'none' : 'contain',
    boxes: windows.map(({ type, style: own }, index) => ({
      box: boxOf(type, own, boxes[index]!),
      around: boxes[index]!.around,
      background: rgb(own.background as string),
      zindex: String(own.zindex ?? 'auto'),
    })),
    masks: windows.map(({ type, style: own }) => (type === 'popup' ? rgb(own.mask as string) : null)),
    reached: [false, true],
    motion: isMoving ? [animationType, `${animationDuration}ms`] : ['none', '0ms'],
    swipes: platform === 'Mini App' && os === 'iOS' && style.disableSwipeBack === false,
    refreshes: style.enablePullDownRefresh,
    ...(isH5 && {
      main: [(width - limit) / 2 + before, above, limit - before - after, height - above],
      rpx: (100 * rpxWidth) / 750,
    }),
    ...(style.enablePullDownRefresh === true && { refresh, visible: drawn.visible }),
  }
}

function refreshOf(style: JsonObject, isH5: boolean, os: string, visible: number): Drawn {
  const plus = style['app-plus'] as JsonObject | undefined
  const own = ((isH5 ? (style.h5 as JsonObject | undefined) : plus)?.pullToRefresh ?? {}) as JsonObject
  const kind = isH5 ? 'circle' : (own.style ?? (os === 'iOS' ? 'default' : 'circle'))
  const height = isH5 ? 64 : inPx(own.height ?? '64px', visible)
  const range = Math.max(height, own.range === undefined ? 2 * height : inPx(own.range, visible))
  if (kind === 'circle') {
    const start = inPx(own.offset ?? '0px', visible) - 52
    const color = rgb((own.color ?? '#2BD009') as string)
    return { style: 'circle', color, over: { y: start + range }, refreshing: { y: start + height } }
  }
  const caption = (key: string, standard: string) => (own[key] as JsonObject | undefined)?.caption ?? standard
  return {
    style: 'default',
    behind: rgb(style.backgroundColor as string),
    color: rgb(style.backgroundTextStyle === 'light' ? '#ffffff' : '#555555'),
    down: caption('contentdown', 'Pull down to refresh'),
    over: { height: range, caption: caption('contentover', 'Release to refresh') },
    refreshing: { height, caption: caption('contentrefresh', 'Refreshing…') },
  }
}

function boxOf(
  type: string | undefined,
  own: JsonObject,
  { around, box }: { around: [number, number]; box: Box },
): Box {
  const [whole, tall] = around
  if (own.position !== 'dock') {
    const [x, w] = along(own.left, own.right, own.width, whole)
    const [y, h] = along(own.top, own.bottom, own.height, tall)
    return [x, y, w, h]
  }
  if (own.dock === 'left' || own.dock === 'right') {
    const w = inPx(own.width!, whole)
    // It ends at those at top and bottom.
    return [own.dock === 'left' ? 0 : whole - w, box[1], w, box[3]]
  }
  // The height of a bar, with that of the status bar.
  const h = own.height === undefined && type === 'navigationBar' ? 64 : inPx(own.height!, tall)
  return [0, own.dock === 'top' ? 0 : tall - h, whole, h]
}

function along(start: unknown, end: unknown, size: unknown, whole: number): [from: number, extent: number] {
  const isSet = (value: unknown) => value !== undefined && value !== null
  const [from, to] = [isSet(start) ? inPx(start, whole) : undefined, isSet(end) ? inPx(end, whole) : undefined]
  // Without room between its sides, a window has no extent.
  const extent = isSet(size) ? inPx(size, whole) : Math.max(0, whole - (from ?? 0) - (to ?? 0))
  return [from ?? (to === undefined ? (whole - extent) / 2 : whole - to - extent), extent]
}

const inPx = (length: unknown, whole: number) =>
  (Number.parseFloat(String(length)) * (String(length).endsWith('%') ? whole : 100)) / 100

/** Returns a color as browsers compute it. */
function rgb(color: string): string {
  if (color === 'transparent') return 'rgba(0, 0, 0, 0)'
  const digits = /^#(\w{6})$/.exec(color)?.[1]
  if (digits === undefined) return color.replaceAll(',', ', ')
  return `rgb(${[0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join(', ')})`
}

/** Rounds lengths, which browsers snap to fractions of a px. */
const rounded = (drawn: Drawn) =>
  JSON.parse(JSON.stringify(drawn), (_, value) => (typeof value === 'number' ? Math.round(value) : value))

test.each([
  ['H5', 'Android'],
  ['App', 'Android'],
  ['Mini App', 'iOS'],
] as const)('%s on %s draws the pages of random valid styles as resolve says', async (platform, os) => {
  const config = readPages(JSON.stringify(file))
  const files = { exists: (path: string) => existsSync(join(folder, path)) }
  const { pages } = resolve(config, { platform, os, files })
  const app = await openApp({ project: folder, platform, os, mode: 'build', hasMotion: true })
  for (const [index, { path, style }] of pages.entries()) {
    if (index === 0) continue
    const drawn = await app.app.evaluate(measure, [path, JSON.stringify(style), platform] as const)
    const about = `seed ${seed}, ${path}: ${JSON.stringify({ ...file!.pages[index]!.style, globalStyle: file!.globalStyle })}`
    expect(rounded(drawn), about).toEqual(rounded(expected(style, { platform, os, drawn })))
    if (platform === 'H5') continue
    const orientation = platform === 'Mini App' ? style.pageOrientation : 'portrait'
    const screen = { orientation, statusBar: style.navigationBarTextStyle }
    await expect.poll(() => app.screenSettings(), { message: about, interval: 20 }).toEqual(screen)
    if (index % 3 !== 0) continue
    await app.setDevice({ keyboardHeight: keyboard })
    const { softinputMode = 'adjustPan' } = style['app-plus'] as JsonObject
    expect(await app.app.evaluate(makeRoom, keyboard), about).toBe(softinputMode)
    await app.setDevice({ keyboardHeight: 0 })
  }
  expect(app.faults()).toEqual([])
})
