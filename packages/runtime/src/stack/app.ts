import type { PageStyle } from '@souk/pages'
import { inAppearance } from '@souk/shell/appearance'
import {
  type Bars,
  dependsOnScroll,
  navigationBarModel,
  type PageBars,
  type TabBarOverrides,
  tabBarModel,
} from '@souk/shell/bars'
import { type AppConfig, type PageConfig, styleOf } from '@souk/shell/config'
import { type Component, computed, nextTick, shallowReactive, watch, watchEffect } from 'vue'
import type { Build, PageModule } from '../build.ts'
import type { Carrier } from '../carriers/carrier.ts'
import type { Address } from './address.ts'
import { EventChannel } from './eventChannel.ts'
import { failedPage } from './failedPage.ts'
import type { Guards } from './guards.ts'
import { fire, type HookName, hasHook } from './hooks.ts'
import { shownLanguage } from './locale.ts'
import type { MiniApp, PageInstance } from './page.ts'
import { pageRoot } from './pageRoot.ts'
import type { PageStack } from './stack.ts'
import {
  allPages,
  createStackState,
  openFirstPage,
  pagesSeenBelow,
  type StackEnvironment,
  type StackState,
} from './stackState.ts'

/** The app and all state that `neu` changes. */
export interface RunningApp extends MiniApp {
  readonly stackState: StackState
  readonly environment: StackEnvironment
  /** The app's changes to its tab bar. Shallowly reactive. */
  readonly tabs: { overrides: TabBarOverrides; isHidden: boolean; isAnimated: boolean }
  /** App.vue, as `getApp` returns it. */
  root: object
  /** The component that replaces the tab bar. */
  customTabBar?: Component | undefined
  /** Set by `$router`. */
  guards?: Guards
  isTab(path: string): boolean
  /** Opens the first page. Called once. */
  start(urls: string[]): Promise<boolean>
  /** Loads navigation: after the first page, or when first needed. */
  navigation(): Promise<Navigation>
}

/** Everything needed to leave the first page: the stack, on H5 the browser's history, and the events of bars. */
export interface Navigation extends PageStack {
  onBarEvent: RunningApp['carrier']['onBarEvent']
  back: RunningApp['back']
}

/** `started` are the addresses that the app started with; `first` is the promise of its first page. */
export type LoadNavigation = (app: RunningApp, started: string[], first: Promise<unknown>) => Promise<Navigation>

/** The running app, once created. */
export let running: RunningApp | undefined

/** Listeners of neu.onTabBarMidButtonTap, which may be added before the app is created. */
export const midButton = new EventChannel()

/** Returns the running app. Throws before it was created. */
export function currentApp(): RunningApp {
  if (!running) throw new Error('the app has not been created yet')
  return running
}

/** Returns the page on top. Throws before the first page is open. */
export function currentPage(): PageInstance {
  const { top } = currentApp()
  if (!top) throw new Error('no page is open yet')
  return top
}

/**
 * Creates the app without opening a page. `loadNavigation` is called when navigation is first needed, and again if it
 * failed.
 */
export function runApp(build: Build, carrier: Carrier, loadNavigation: LoadNavigation): RunningApp {
  const stackState = createStackState()
  const state = shallowReactive({ config: build.app })
  const config = computed(() => shown(state.config, carrier))
  let first: Promise<boolean> | undefined
  let started: string[] = []
  let navigation: Promise<Navigation> | undefined
  let isLaunchMissing = false
  const app: RunningApp = {
    build,
    carrier,
    stackState,
    hooks: new Map(),
    root: {},
    tabs: shallowReactive({ overrides: {}, isHidden: false, isAnimated: false }),
    get config() {
      return config.value
    },
    set config(config: AppConfig) {
      state.config = config
    },
    get top() {
      return stackState.view.top
    },
    get rendered() {
      return stackState.view.rendered
    },
    isTab: (path) =>
      !!app.config.tabBar?.list.some(
        (tab, index) => withoutSlash(app.tabs.overrides.items?.[index]?.pagePath ?? tab.pagePath) === path,
      ),
    environment: {
      async load(path) {
        if (path === build.app.launch && !isLaunchMissing) {
          return build.launch().catch((error) => {
            // Next time by the table of routes, which tries again with another URL.
            isLaunchMissing = true
            throw error
          })
        }
        const routes = await build.routes()
        return Object.hasOwn(routes, path) ? routes[path]?.() : undefined
      },
      create: (module, address, opener) => newPage(app, module, address, opener),
      failed: (path, error) => failedPage(app, path, error),
      draw: nextTick,
      guards: () => app.guards,
      notFound(address, isEntryPage) {
        const error = new Error(`page "${address.path}" is not found`)
        console.error(error.message)
        fire(app, 'onPageNotFound', { ...address, isEntryPage })
        app.guards?.fail(address, error)
      },
    },
    start(urls) {
      started = urls
      first = openFirstPage(stackState, app.environment, urls)
      return first
    },
    navigation: () =>
      (navigation ??= loadNavigation(app, started, Promise.resolve(first)).catch((error) => {
        // Retry next time: the network may be back.
        navigation = undefined
        throw error
      })),
    back(isMoved) {
      app.navigation().then((navigation) => navigation.back(isMoved), reportError)
    },
  }
  carrier.onBarEvent = (event) => void app.navigation().then((navigation) => navigation.onBarEvent(event), reportError)
  // The animation flag counts once; later changes between pages with and without tab bar are not animated.
  watch(
    () => app.top,
    () => {
      app.tabs.isAnimated = false
    },
    { flush: 'sync' },
  )
  if (__SOUK_APPEARANCES__) {
    watch(
      () => Object.values(appearanceOf(carrier)),
      () => {
        for (const page of allPages(stackState)) page.style = pageStyle(app, page.config)
      },
      { flush: 'sync' },
    )
  }
  watchEffect(() => showBars(app))
  running = app
  return app
}

/** Returns the theme of the device, and its language unless the app has its own. */
const appearanceOf = ({ device }: Carrier) => ({ theme: device.theme, language: shownLanguage(device) })

/** Returns a configuration as it is shown. */
const shown = <Config extends AppConfig | PageConfig>(config: Config, carrier: Carrier): Config =>
  __SOUK_APPEARANCES__ ? inAppearance(config, appearanceOf(carrier)) : config

/** Returns the style of a page in the theme and language that are shown. */
export function pageStyle({ config, carrier }: Pick<RunningApp, 'config' | 'carrier'>, page: PageConfig): PageStyle {
  return styleOf(config, shown(page, carrier))
}

/** On H5 of uni-app, the back button of a page without one below, such as a shared one, opens the launch page. */
export const leadsHome = ({ config }: RunningApp, { path, isTab, canGoBack }: PageInstance): boolean =>
  __SOUK_UNI_APP__ && !canGoBack && !isTab && path !== config.launch

let lastId = 0

function newPage(app: RunningApp, module: PageModule, { path, query }: Address, opener: EventChannel): PageInstance {
  const environment = () => ({
    platform: app.config.platform,
    os: app.config.os,
    base: new URL('.', document.baseURI).href,
  })
  const navigationBar = computed(() =>
    navigationBarModel(page.style, {
      ...environment(),
      canGoBack: page.canGoBack || leadsHome(app, page),
      overrides: page.overrides,
      followsTitle: page.config.followsTitle,
    }),
  )
  const tabBar = computed(() =>
    __SOUK_TAB_BAR__ && app.config.tabBar && !app.config.tabBar.custom && page.isTab && !app.tabs.isHidden
      ? tabBarModel(app.config.tabBar, { ...environment(), path, overrides: app.tabs.overrides })
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
    style: pageStyle(app, module.config),
    content: module.component,
    component: pageRoot(
      () => page,
      () => app.customTabBar,
    ),
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
    meta: {},
    motion: null,
    controls: null,
    vm: null,
    tabBarVm: null,
    hooks: new Map(),
    isWaiting: 'suspense' in module.component,
    opener,
    isShown: true,
    isReady: false,
    isUnloaded: false,
    hasHook: (name) => hasHook(page, name),
    emit: (name: HookName, event?: { scrollTop: number }) => void fire(page, name, event),
  })
  return page
}

function showBars({ top, carrier, tabs, stackState }: RunningApp): void {
  if (!top) return
  const { id: pageId, navigationBar, tabBar } = top
  const bars = { pageId, navigationBar, tabBar, isTabBarAnimated: tabs.isAnimated, scrollTop: scrollTopOf(top) }
  carrier.showBars(__SOUK_PLATFORM__ === 'H5' ? bars : { ...bars, ...barsForHost(top, stackState) })
}

function barsForHost({ motion, style }: PageInstance, stackState: StackState): Omit<Bars, keyof PageBars> {
  const below = pagesSeenBelow(stackState).at(-1)
  return {
    transition: motion
      ? { name: motion.name, direction: motion.role === 'enter' ? 'forward' : 'back', duration: motion.duration }
      : { name: 'none', direction: 'none', duration: 0 },
    orientation: style.pageOrientation ?? 'portrait',
    below: below ? { navigationBar: below.navigationBar, tabBar: below.tabBar, scrollTop: scrollTopOf(below) } : null,
  }
}

const scrollTopOf = ({ navigationBar, scrollTop }: PageInstance): number =>
  dependsOnScroll(navigationBar) ? scrollTop : 0

const withoutSlash = (path: string) => path.replace(/^\//, '')
