import { tagHostKey } from '@souk/tags/host'
import { type ComponentPublicInstance, createApp } from 'vue'
import { appRoot } from './App.ts'
import type { Carrier } from './carrier.ts'
import { setCarrier } from './carriers/current.ts'
import { inFrame } from './carriers/inFrame.ts'
import { inPage } from './carriers/inPage.ts'
import type { Build } from './config.ts'
import type {} from './globals.ts'
import { neu } from './neu/index.ts'
import { loadServices } from './neu/lazyServices.ts'
import { setRpx } from './page/rpx.ts'
import { type Address, formatUrl, parseUrl } from './stack/address.ts'
import { type RunningApp, runApp } from './stack/app.ts'
import { restoredUrls } from './stack/historyState.ts'
import { fire, mergeHooks } from './stack/hooks.ts'
import { appKey, type PageInstance } from './stack/page.ts'
import { getApp, getCurrentPages, pageOf } from './stack/pages.ts'
import { hide, show } from './stack/stackState.ts'
import { tagHost } from './tagHost.ts'

export { updateConfig } from './stack/updateConfig.ts'

Object.assign(globalThis, { neu, uni: neu, getApp, getCurrentPages })
// A frame of no origin throws when it is only asked whether it has these, as libraries ask with typeof when they are loaded.
if (__SOUK_PLATFORM__ !== 'H5') {
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { value: undefined })
}

/**
 * Starts the app that a build has made, in the element `#app`; once per document. On H5 it runs in this page, elsewhere it first has to be welcomed by the
 * host around its frame: without one this says so in the page and never resolves. Resolves when the first page is there, or, where that cannot be
 * loaded, the launch page.
 */
export async function createMiniApp(build: Build): Promise<void> {
  const carrier = __SOUK_PLATFORM__ === 'H5' ? inPage(build.app) : await inFrame()
  setCarrier(carrier)
  setRpx(build.app.style)
  const { root, setup } = (await build.project?.()) ?? {}
  const app = runApp(build, carrier, async (...it) => (await loadServices()).createNavigation(...it))
  const urls = startUrls(app)
  // While the app is set up, what its first page needs is on its way.
  const launch = parseUrl(urls.at(-1)!)
  if (launch.path === build.app.launch) build.launch().catch(() => {})

  const vue = createApp(appRoot(app, root))
  vue.provide(appKey, app)
  vue.provide(tagHostKey, tagHost)
  vue.config.errorHandler = (error) => reportError(error)
  // Templates see no globals.
  Object.assign(vue.config.globalProperties, { neu, uni: neu, getOpenerEventChannel: openerOf })
  mergeHooks(vue)
  addEventListener('error', ({ error, message }) => {
    fire(app, 'onError', (error as Error | undefined)?.stack ?? message)
  })
  addEventListener('unhandledrejection', ({ reason, promise }) => {
    fire(app, 'onUnhandledRejection', { reason, promise })
  })
  setup?.(vue)
  vue.mount('#app')

  fire(app, 'onLaunch', launch)
  fire(app, 'onShow', launch)
  watchVisibility(app, launch, carrier)
  if (!(await app.start(urls))) {
    // Where onPageNotFound opens no page either, the app begins where it always does.
    const navigation = await app.navigation()
    if ((await navigation.idle()) === 0) await navigation.reLaunch({ url: `/${app.config.launch}` })
  }
  ;(globalThis.requestIdleCallback ?? setTimeout)(() => void app.navigation().catch(() => {}))
}

/** Where the app begins, with what lies below: before a reload, as the address or the host says, in a start mode, or with its launch page. */
function startUrls({ config, carrier }: RunningApp): string[] {
  const restored = __SOUK_PLATFORM__ === 'H5' && restoredUrls()
  if (restored) return restored
  if (carrier.start) return [formatUrl({ ...carrier.start, path: parseUrl(`/${carrier.start.path}`).path })]
  if (__SOUK_DEV__ && config.condition) {
    const { current, list } = config.condition
    const requested = new URLSearchParams(location.search).get('__souk_mode')
    const mode = list[requested === null ? current : Number(requested)]
    if (mode) return [`/${mode.path}${mode.query ? `?${mode.query}` : ''}`]
  }
  return [`/${config.launch}`]
}

/** Out of sight, page and app are hidden; back in sight, they are shown, the app first. */
function watchVisibility(app: RunningApp, launch: Address, carrier: Carrier): void {
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
}

/** `this.getOpenerEventChannel()` in a page and in its components. */
function openerOf(this: ComponentPublicInstance): PageInstance['opener'] | undefined {
  return pageOf(this)?.opener
}
