import { computed, nextTick, shallowReactive, watch, watchEffect } from 'vue'
import type { Carrier } from '../carrier.ts'
import { type AppConfig, type Build, type PageModule, styleOf } from '../config.ts'
import { followsScroll, navigationBarModel, type TabBarOverrides, tabBarModel } from '../shell/bars.ts'
import type { Address } from './address.ts'
import { EventChannel } from './eventChannel.ts'
import { writeEntry } from './historyState.ts'
import { fire, type HookName, has } from './hooks.ts'
import type { MiniApp, PageInstance } from './page.ts'
import { pageRoot } from './pageRoot.ts'
import type { PageStack } from './stack.ts'
import { type Around, newPlaces, openFirst, type Places } from './stackState.ts'

/** The app, with all that `neu` changes of it. */
export interface RunningApp extends MiniApp {
  readonly places: Places
  readonly around: Around
  /** What the app has changed of its tab bar. Shallowly reactive. */
  readonly tabs: { overrides: TabBarOverrides; isHidden: boolean; isAnimated: boolean }
  /** App.vue, as `getApp` gives it. */
  root: object
  isTab(path: string): boolean
  /** Opens the first page; once. */
  start(urls: string[]): Promise<boolean>
  /** What moves between pages: loaded when the first page stands, or when it is asked for. */
  moves(): Promise<Moves>
}

/** All that moves between pages, which no first page needs: the stack, on H5 with the browser's history, and what is done on the bars. */
export interface Moves extends PageStack {
  onBarEvent: RunningApp['carrier']['onBarEvent']
  back: RunningApp['back']
}

/** `started`: the addresses that the app began with; `first`: the first page, under way. */
export type LoadMoves = (app: RunningApp, started: string[], first: Promise<unknown>) => Promise<Moves>

/** The app, once there is one. */
export let running: RunningApp | undefined

/** Of neu.onTabBarMidButtonTap, which may be called before there is an app. */
export const midButton = new EventChannel()

/** The one app that runs here. Throws before it was created. */
export function currentApp(): RunningApp {
  if (!running) throw new Error('the app has not been created yet')
  return running
}

/** The page on top. Throws before the first one is there. */
export function currentPage(): PageInstance {
  const { top } = currentApp()
  if (!top) throw new Error('no page is open yet')
  return top
}

/** Sets the app up; nothing is open yet. `loadMoves` is called when the moves are asked for, and again where it has failed. */
export function runApp(build: Build, carrier: Carrier, loadMoves: LoadMoves): RunningApp {
  const places = newPlaces()
  const state = shallowReactive({ config: build.app })
  let first: Promise<boolean> | undefined
  let started: string[] = []
  let moves: Promise<Moves> | undefined
  const app: RunningApp = {
    build,
    carrier,
    places,
    hooks: new Map(),
    root: {},
    tabs: shallowReactive({ overrides: {}, isHidden: false, isAnimated: false }),
    get config() {
      return state.config
    },
    set config(config: AppConfig) {
      state.config = config
    },
    get top() {
      return places.seen.top
    },
    get drawn() {
      return places.seen.drawn
    },
    isTab: (path) =>
      !!app.config.tabBar?.list.some(
        (tab, index) => withoutSlash(app.tabs.overrides.items?.[index]?.pagePath ?? tab.pagePath) === path,
      ),
    around: {
      async load(path) {
        if (path === build.app.launch) return build.launch()
        const routes = await build.routes()
        return Object.hasOwn(routes, path) ? routes[path]?.() : undefined
      },
      create: (module, address, opener) => newPage(app, module, address, opener),
      draw: nextTick,
      notFound(address, isEntryPage) {
        console.error(`page "${address.path}" is not found`)
        fire(app, 'onPageNotFound', { ...address, isEntryPage })
      },
    },
    start(urls) {
      if (__SOUK_PLATFORM__ === 'H5') writeEntry('replaceState', urls)
      started = urls
      first = openFirst(places, app.around, urls)
      return first
    },
    moves: () =>
      (moves ??= loadMoves(app, started, Promise.resolve(first)).catch((error) => {
        // The network may be there the next time.
        moves = undefined
        throw error
      })),
    back(isMoved) {
      app.moves().then((moves) => moves.back(isMoved), reportError)
    },
  }
  carrier.onBarEvent = (event) => void app.moves().then((moves) => moves.onBarEvent(event), reportError)
  // How the tab bar came or went is said once; pages with and without it change places without that.
  watch(
    () => app.top,
    () => {
      app.tabs.isAnimated = false
    },
    { flush: 'sync' },
  )
  watchEffect(() => showBars(app))
  running = app
  return app
}

let lastId = 0

function newPage(app: RunningApp, module: PageModule, { path, query }: Address, opener: EventChannel): PageInstance {
  const around = () => ({ platform: app.config.platform, os: app.config.os, base: new URL('.', document.baseURI).href })
  const navigationBar = computed(() =>
    navigationBarModel(page.style, { ...around(), canGoBack: page.canGoBack, overrides: page.overrides }),
  )
  const tabBar = computed(() =>
    __SOUK_TAB_BAR__ && app.config.tabBar && page.isTab && !app.tabs.isHidden
      ? tabBarModel(app.config.tabBar, { ...around(), path, overrides: app.tabs.overrides })
      : null,
  )
  const page: PageInstance = shallowReactive({
    id: ++lastId,
    path,
    query,
    get isTab() {
      return __SOUK_TAB_BAR__ && app.isTab(path)
    },
    config: module.config,
    style: styleOf(app.config, module.config),
    content: module.component,
    component: pageRoot(() => page),
    subNVues: module.subNVues,
    nvue: module.nvue,
    overrides: {},
    canGoBack: false,
    get navigationBar() {
      return navigationBar.value
    },
    get tabBar() {
      return tabBar.value
    },
    scrollTop: 0,
    motion: null,
    controls: null,
    vm: null,
    hooks: new Map(),
    isWaiting: 'suspense' in module.component,
    opener,
    isShown: true,
    isReady: false,
    isUnloaded: false,
    hears: (name) => has(page, name),
    emit: (name: HookName, event?: { scrollTop: number }) => void fire(page, name, event),
  })
  return page
}

function showBars({ top, carrier, tabs }: RunningApp): void {
  if (!top) return
  const { id, navigationBar, tabBar, motion, style } = top
  carrier.showBars({
    pageId: id,
    navigationBar,
    tabBar,
    isTabBarAnimated: tabs.isAnimated,
    transition: motion
      ? { name: motion.name, direction: motion.role === 'enter' ? 'forward' : 'back', duration: motion.duration }
      : { name: 'none', direction: 'none', duration: 0 },
    scrollTop: followsScroll(navigationBar) ? top.scrollTop : 0,
    orientation: style.pageOrientation ?? 'portrait',
  })
}

const withoutSlash = (path: string) => path.replace(/^\//, '')
