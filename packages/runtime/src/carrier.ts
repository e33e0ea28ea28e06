import type { BridgeMethods } from '@souk/contract/bridge'
import type { NavigationBarModel, TabBarModel } from './shell/bars.ts'

/**
 * What an app runs on, as the rest of the runtime sees it: a page of its own (H5), in which bars and overlays are drawn beside the pages, or a frame of
 * the host (App, Mini App), which draws them around it and does for the app what a frame may not. `carriers/` has one of each.
 */
export interface Carrier {
  readonly kind: 'page' | 'frame'
  /** Reactive: changes when the window or the device does. */
  readonly device: Device
  /** Has bars drawn for the page now on top. The runtime calls it whenever anything of them changes, at most once per tick, each time with all. */
  showBars(bars: Bars): void
  /** Called with what people do on the bars; set by the runtime before they can. */
  onBarEvent: (event: BarEvent) => void
  /**
   * Asks the host for one of its methods; what it refuses rejects with an `ApiError`. On H5 there is no host: overlays are drawn in the page, the
   * development server has a host of its own, and in a release all other methods reject.
   */
  call<M extends keyof BridgeMethods>(
    method: M,
    params: BridgeMethods[M]['params'],
  ): Promise<BridgeMethods[M]['result']>
  /** What the app begins with: on H5 by the address of the document, in a frame because its host says so; undefined for the launch page. */
  readonly start: { path: string; query: Record<string, string> } | undefined
  /** The app's id at the host's Souk server; empty on H5, where no host says it. */
  readonly appid?: string
  /** Keeps what the app stores. */
  readonly storage: CarrierStorage
  /** Called when the app goes out of sight or comes back; set by the runtime. */
  onVisibilityChange: (visible: boolean) => void
}

/** The storage of one app: texts by key, in which `neu.setStorage` encodes what it is given. All at once, for the calls with Sync. */
export interface CarrierStorage {
  get(key: string): string | undefined
  /** Throws where the app's space does not suffice. */
  set(key: string, text: string): void
  remove(key: string): void
  clear(): void
  keys(): string[]
  /** Of all keys and texts, in bytes. */
  size(): number
}

/** Methods that draw something over page and bars. Hosts do not write them: `MiniApp` draws overlays, on H5 the page itself. */
export type OverlayMethod =
  | 'showToast'
  | 'hideToast'
  | 'showLoading'
  | 'hideLoading'
  | 'showModal'
  | 'showActionSheet'
  | 'previewImage'

/** The overlays, as functions that resolve when they are there or, where they ask something, have their answer. */
export type Overlays = {
  [M in OverlayMethod]: (params: BridgeMethods[M]['params']) => Promise<BridgeMethods[M]['result']>
}

/**
 * What a host application answers to its mini app: one function for each method of the bridge but the overlays, with which it may ask the user. It
 * refuses by an error whose `errMsg` is `<method>:fail <reason>`.
 */
export type HostMethods = {
  [M in Exclude<keyof BridgeMethods, OverlayMethod>]: (
    params: BridgeMethods[M]['params'],
    overlays: Overlays,
  ) => Promise<BridgeMethods[M]['result']>
} & {
  /** All that the mini app has stored: it goes into the frame at once, for the synchronous calls. */
  readStorage: () => Promise<[key: string, text: string][]>
}

/** The device, as far as a mini app is concerned. Lengths in CSS px. */
export interface Device {
  /** Of the screen, or of the part of it that the app has. */
  width: number
  height: number
  /** Height of the status bar; 0 on H5. */
  statusBarHeight: number
  /** Space at the bottom that belongs to the system. */
  safeAreaBottom: number
  /** Space at the bottom that the soft keyboard covers; undefined where only the page itself can find out. */
  keyboardHeight?: number
  orientation: 'portrait' | 'landscape'
  os: 'Android' | 'iOS'
  /** BCP 47. */
  language: string
  theme: 'light' | 'dark'
}

/** What stands around the page on top. Plain values, for they are sent to the host of a frame. */
export interface Bars {
  /** Changes with the page, so that its bar can come and go with the page's own movement. */
  pageId: number
  navigationBar: NavigationBarModel
  /** Null where the page is no tab or the tab bar is hidden. */
  tabBar: TabBarModel | null
  /** The tab bar comes or goes with a movement of its own: `neu.showTabBar` and `hideTabBar` with `animation`. */
  isTabBarAnimated: boolean
  /** How the page came or went, for the bars to do the same; `none` where nothing moves. Duration in ms. */
  transition: { name: string; direction: 'forward' | 'back' | 'none'; duration: number }
  /** Of the page on top: how far it is scrolled, px. Only kept up to date for bars that depend on it. */
  scrollTop: number
  /** How the page wants the screen held (§2.3 pageOrientation). */
  orientation: 'auto' | 'portrait' | 'landscape'
}

/** What people do on the bars. `index` counts from 0. */
export type BarEvent =
  | { type: 'back' }
  | { type: 'home' }
  | { type: 'button'; index: number }
  | { type: 'tab'; index: number }
  | { type: 'midButton' }
  | { type: 'searchClicked' }
  | { type: 'searchChanged'; text: string }
  | { type: 'searchConfirmed'; text: string }
  /** The title was tapped twice: the page scrolls to its top. */
  | { type: 'toTop' }
