import type { PageStyle } from '@souk/pages'
import type { Bars } from '@souk/shell/bars'
import type { AppConfig } from '@souk/shell/config'
import { vi } from 'vitest'
import { type Component, createRenderer, h, nextTick, reactive } from 'vue'
import type { Carrier } from '../src/carriers/carrier.ts'
import { setCarrier } from '../src/carriers/current.ts'
import { sharePage } from '../src/neu/sharing.ts'
import { getWindowInfo } from '../src/neu/system.ts'
import { type RunningApp, runApp } from '../src/stack/app.ts'
import { mergeHooks } from '../src/stack/hooks.ts'
import { createNavigation } from '../src/stack/navigation.ts'
import { appKey, type PageInstance } from '../src/stack/page.ts'
import { openPages } from '../src/stack/stackState.ts'

/** A node of the in-memory tree into which Vue's custom renderer renders. */
interface MemoryNode {
  text: string
  parent: MemoryNode | null
  children: MemoryNode[]
}

const node = (text = ''): MemoryNode => ({ text, parent: null, children: [] })

function take(child: MemoryNode): void {
  const siblings = child.parent?.children
  siblings?.splice(siblings.indexOf(child), 1)
  child.parent = null
}

const { createApp } = createRenderer<MemoryNode, MemoryNode>({
  createElement: () => node(),
  createText: node,
  createComment: () => node(),
  setText(target, text) {
    target.text = text
  },
  setElementText(target, text) {
    target.children = []
    target.text = text
  },
  insert(child, parent, anchor) {
    take(child)
    const at = anchor ? parent.children.indexOf(anchor) : parent.children.length
    parent.children.splice(at, 0, child)
    child.parent = parent
  },
  remove: take,
  parentNode: ({ parent }) => parent,
  nextSibling: (target) => target.parent?.children[target.parent.children.indexOf(target) + 1] ?? null,
  patchProp: () => {},
})

const textOf = ({ text, children }: MemoryNode): string => text + children.map(textOf).join('')

export interface MemoryPage {
  component?: Component
  style?: PageStyle
}

export interface MemoryApp {
  app: RunningApp
  /** The called hooks as `name.onShow`, where `name` is the last segment of the page's path. */
  log: string[]
  /** Returns the log and empties it. */
  logged(): string[]
  /** The bars that the carrier was last given. */
  bars(): Bars
  calls: [method: string, params: object][]
  /** Reported errors of the app. */
  errors: unknown[]
  /** The rendered text. */
  text(): string
  carrier: Carrier
  pages(): PageInstance[]
  /** Paths of the open pages. */
  paths(): string[]
  /** Resolves with the number of open pages when all pending navigation is done. */
  idle(): Promise<number>
}

const loggedHooks = ['onLoad', 'onShow', 'onReady', 'onHide', 'onUnload', 'onPullDownRefresh', 'onReachBottom']

/** Creates a page that logs its hooks, with additional options. */
export function pageOf(log: string[], name: string, own: object = {}): Component {
  const hooks = Object.fromEntries(loggedHooks.map((hook) => [hook, () => log.push(`${name}.${hook}`)]))
  return { name, render: () => h('p', name), ...hooks, ...own } as Component
}

/**
 * Runs an app in memory as in a frame, with pages by path that log their hooks. `tabs` lists the pages that are tabs.
 * The first page is the launch page; it is opened unless `isStarted` is false.
 */
export async function memoryApp(
  pages: Record<string, MemoryPage | ((log: string[]) => MemoryPage)>,
  {
    tabs = [],
    isStarted = true,
    isAnimated = false,
    customTabBar,
  }: { tabs?: string[]; isStarted?: boolean; isAnimated?: boolean; customTabBar?: Component } = {},
): Promise<MemoryApp> {
  const log: string[] = []
  const errors: unknown[] = []
  const calls: [string, object][] = []
  vi.stubGlobal('__SOUK_PLATFORM__', 'App')
  vi.stubGlobal('__SOUK_UNI_APP__', false)
  vi.stubGlobal('__SOUK_DEV__', false)
  vi.stubGlobal('__SOUK_TAB_BAR__', true)
  vi.stubGlobal('__SOUK_APPEARANCES__', true)
  vi.stubGlobal('document', { baseURI: 'https://app.example/mini/index.html' })
  vi.stubGlobal('matchMedia', () => ({ matches: !isAnimated }))
  vi.stubGlobal('reportError', (error: unknown) => errors.push(error))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const config: AppConfig = {
    platform: 'App',
    os: 'Android',
    launch: Object.keys(pages)[0]!,
    tabBar:
      tabs.length > 0
        ? {
            color: '#111111',
            selectedColor: '#222222',
            backgroundColor: '#ffffff',
            ...(customTabBar && { custom: true }),
            list: tabs.map((pagePath) => ({ pagePath, text: pagePath.split('/').at(-1)! })),
          }
        : null,
    windows: {},
    style: { navigationBarTextStyle: 'black', navigationBarTitleText: 'App' },
  }
  let shown: Bars | undefined
  const carrier: Carrier = {
    kind: 'frame',
    fileAddresses: new Map(),
    device: reactive({
      width: 375,
      height: 700,
      statusBarHeight: 20,
      safeAreaBottom: 0,
      orientation: 'portrait',
      os: 'Android',
      language: 'en',
      theme: 'light',
    }),
    start: undefined,
    storage: undefined as never,
    onBarEvent: () => {},
    onVisibilityChange: () => {},
    showBars(bars) {
      shown = bars as Bars
    },
    call: async (method, params) => {
      calls.push([method, params as object])
      return {} as never
    },
  }
  setCarrier(carrier)
  const load = async (path: string) => {
    const given = pages[path]!
    const { component, style = {} } = typeof given === 'function' ? given(log) : given
    const name = path.split('/').at(-1)!
    return { config: { path, style }, component: component ?? pageOf(log, name) }
  }
  const app = runApp(
    {
      app: config,
      launch: () => load(config.launch),
      routes: async () => Object.fromEntries(Object.keys(pages).map((path) => [path, () => load(path)])),
    },
    carrier,
    async (...it) => createNavigation(...it, getWindowInfo, (options) => void sharePage(options)),
  )
  app.customTabBar = customTabBar
  const root = node()
  const vue = createApp({ render: () => app.rendered.map((page) => h(page.component, { key: page.id })) })
  vue.provide(appKey, app)
  vue.config.errorHandler = (error) => errors.push(error)
  mergeHooks(vue)
  vue.mount(root)
  if (isStarted) {
    await app.start([`/${config.launch}`])
    await nextTick()
  }
  return {
    app,
    log,
    logged: () => log.splice(0),
    bars: () => shown!,
    calls,
    errors,
    text: () => textOf(root),
    carrier,
    pages: () => openPages(app.stackState),
    paths: () => openPages(app.stackState).map(({ path }) => path),
    idle: async () => (await app.navigation()).idle(),
  }
}
