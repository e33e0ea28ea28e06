import type { AppConfig } from '@souk/shell/config'
import { tagHostKey } from '@souk/tags/host'
import { type ComponentPublicInstance, createApp, watch } from 'vue'
import { appRoot } from './App.ts'
import type { Build } from './build.ts'
import type { Carrier, FrameCarrier } from './carriers/carrier.ts'
import { setCarrier } from './carriers/current.ts'
import { inFrame } from './carriers/inFrame.ts'
import { inPage } from './carriers/inPage.ts'
import { reportEvent, reportThrown } from './carriers/reportEvent.ts'
import type {} from './globals.ts'
import { setCustomEvents } from './neu/customEvents.ts'
import { setHostFunctions } from './neu/hostFunctionSchemas.ts'
import { loadServices } from './neu/lazyServices.ts'
import { neu, wx } from './neu/start.ts'
import { tagHost } from './neu/tagHost.ts'
import { setTimeouts } from './neu/timeouts.ts'
import { hideWithPages } from './page/outside.ts'
import { setRpx } from './page/rpx.ts'
import { type Address, addressOr, formatUrl, parseUrl } from './stack/address.ts'
import { type RunningApp, runApp } from './stack/app.ts'
import { installInto } from './stack/created.ts'
import { restoredUrls, writeEntry } from './stack/historyState.ts'
import { fire, mergeHooks } from './stack/hooks.ts'
import { type LaunchInfo, launchInfo } from './stack/launchInfo.ts'
import { chosenLocale } from './stack/locale.ts'
import { appKey, type PageInstance } from './stack/page.ts'
import { getApp, getCurrentPages, pageOf } from './stack/pages.ts'
import { hide, show } from './stack/stackState.ts'

export { updateConfig } from './stack/updateConfig.ts'

// Chart libraries for mini apps give ECharts a canvas without a document. It must find an object, as in uni-app.
const names = { neu, uni: neu, wx: __SOUK_UNI_APP__ ? neu : wx }
Object.assign(globalThis, { ...names, getApp, getCurrentPages })
// As getters, because the inspector replaces the methods.
for (const level of ['log', 'info', 'warn', 'error'] as const)
  Object.defineProperty(console, `$${level}`, { configurable: true, get: () => console[level] })
// A frame with an opaque origin throws on any access to these names, even on `typeof`, which libraries use to detect
// them.
if (__SOUK_PLATFORM__ !== 'H5') {
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { value: undefined })
}

/**
 * Starts a built app in the element `#app`, once per document. On App and Mini App the host must accept it first;
 * otherwise shows an error in the page and never resolves. Resolves when the first page, or the launch page as
 * fallback, is rendered.
 */
export async function createMiniApp(build: Build): Promise<void> {
  const carrier = __SOUK_PLATFORM__ === 'H5' ? inPage(build, addressInHash()) : await inFrame(inspect)
  setCarrier(carrier)
  setRpx(build.app.style)
  chosenLocale.value = build.app.locale ?? ''
  setTimeouts(build.app.networkTimeout ?? {})
  setHostFunctions(build.hostFunctions)
  setCustomEvents(build.customEvents)
  const urls = startUrls(build.app, carrier)
  // The project's code may read the address of the first page.
  if (__SOUK_PLATFORM__ === 'H5') writeEntry('replaceState', urls, build.app.launch)
  const { root, setup, tabBar } = (await build.project?.()) ?? {}
  const app = runApp(build, carrier, async (...it) => (await loadServices()).createNavigation(...it))
  app.customTabBar = tabBar
  // Load the first page while the app is set up.
  const launch = parseUrl(urls.at(-1)!)
  if (launch.path === build.app.launch) build.launch().catch(() => {})

  const vue = createApp(appRoot(app, root))
  vue.provide(appKey, app)
  vue.provide(tagHostKey, tagHost)
  vue.config.errorHandler = (error) => reportError(error)
  // Templates cannot see globals. `$set` is from Vue 2; projects of the ecosystem call it in Vue 3 too.
  const $set = <T>(target: object, key: PropertyKey, value: T): T => Object.assign(target, { [key]: value }) && value
  Object.assign(vue.config.globalProperties, { ...names, getOpenerEventChannel: openerOf, $set })
  if (tabBar) vue.config.globalProperties.getTabBar = tabBarOf
  installInto(app, vue)
  mergeHooks(vue)
  if (__SOUK_PLATFORM__ !== 'H5') reportFor(app)
  addEventListener('error', ({ error, message }) => {
    fire(app, 'onError', (error as Error | undefined)?.stack ?? message)
  })
  addEventListener('unhandledrejection', ({ reason, promise }) => {
    fire(app, 'onUnhandledRejection', { reason, promise })
  })
  setup?.(vue)
  vue.mount('#app')
  hideWithPages(() => app.top)

  const options = { ...launch, ...launchInfo(carrier) }
  fire(app, 'onLaunch', options)
  fire(app, 'onShow', options)
  watchVisibility(app, options, carrier)
  const isFound = await app.start(urls)
  // The user may have left before the page was open.
  if (carrier.isVisible === false) hide(app.top)
  if (!isFound) {
    // If onPageNotFound opens no page either, fall back to the launch page.
    const navigation = await app.navigation()
    if ((await navigation.idle()) === 0) await navigation.reLaunch({ url: `/${app.config.launch}` })
  }
  // The first navigation then loads only its page.
  const preload = () => void Promise.all([app.navigation(), build.routes()]).catch(() => {})
  ;(globalThis.requestIdleCallback ?? setTimeout)(preload)
}

/** Returns the page that the document's address names. */
const addressInHash = () => (location.hash.startsWith('#/') ? parseUrl(location.hash.slice(1)) : undefined)

/** Starts the agent of the inspector. The mini app runs without it if it cannot be loaded. */
async function inspect(inspector: MessagePort, carrier: FrameCarrier): Promise<void> {
  try {
    const { startAgent } = await import('./inspector/agent.ts')
    startAgent(inspector, carrier)
  } catch (error) {
    console.error(error)
  }
}

/**
 * Returns the addresses to start with, lowest first: those before a reload, the address given by document or host, a
 * start mode, or the launch page.
 */
function startUrls(config: AppConfig, carrier: Carrier): string[] {
  const restored = __SOUK_PLATFORM__ === 'H5' && restoredUrls(config.launch)
  if (restored) return restored
  if (carrier.start) return [addressOr(config.launch, formatUrl(carrier.start))]
  if (__SOUK_DEV__ && config.condition) {
    const { current, list } = config.condition
    const requested = new URLSearchParams(location.search).get('__souk_mode')
    const mode = list[requested === null ? current : Number(requested)]
    if (mode) return [`/${mode.path}${mode.query ? `?${mode.query}` : ''}`]
  }
  return [`/${config.launch}`]
}

/** Reports pages and errors to the host, for the analytics of the mini app. */
function reportFor(app: RunningApp): void {
  addEventListener('error', ({ error }) => reportThrown(error, app.top?.path ?? ''))
  addEventListener('unhandledrejection', ({ reason }) => reportThrown(reason, app.top?.path ?? ''))
  watch(
    () => app.top,
    (top) => top && reportEvent({ kind: 'page', page: top.path }),
  )
}

/**
 * Fires onHide for the page and then the app when the app is hidden, and onShow for the app and then the page when it
 * is shown.
 */
function watchVisibility(app: RunningApp, launch: Address & LaunchInfo, carrier: Carrier): void {
  let isVisible = true
  carrier.onVisibilityChange = (visible) => {
    if (visible === isVisible) return
    isVisible = visible
    if (visible) {
      fire(app, 'onShow', launch)
      show(app.top)
    } else {
      hide(app.top)
      fire(app, 'onHide')
    }
  }
  // The user may have left while the app was loading.
  if (carrier.isVisible === false) carrier.onVisibilityChange(false)
}

/** Implements `this.getOpenerEventChannel()` in a page and its components. */
function openerOf(this: ComponentPublicInstance): PageInstance['opener'] | undefined {
  return pageOf(this)?.opener
}

/** Implements `this.getTabBar()` in a page and its components. */
function tabBarOf(this: ComponentPublicInstance): unknown {
  return pageOf(this)?.tabBarVm ?? null
}
