import type { BridgeMethods } from '@souk/contract/bridge'
import type { NavigationBarModel, TabBarModel } from './shell/bars.ts'

/**
 * Where an app runs: in a page of its own (H5), where it draws bars and tabs itself, or in a frame of the host (App, Mini App), where the
 * host draws them. The rest of the runtime does not know which.
 */
export interface Carrier {
  readonly kind: 'page' | 'frame'
  /** Changes when the window or the device does; reactive. */
  readonly device: Device
  /** Has the bars drawn that belong to the page now on top. Called whenever one of them changes, at most once per tick. */
  showBars(bars: Bars): void
  /** What happens on the bars; set by the runtime before anything can happen. */
  onBarEvent: (event: BarEvent) => void
  /**
   * Asks the host. On H5, where none is there, methods that need one reject with an error whose `errMsg` is `<method>:fail …`; overlays
   * (toast, modal, action sheet, loading) are drawn in the page.
   */
  call<M extends keyof BridgeMethods>(
    method: M,
    params: BridgeMethods[M]['params'],
  ): Promise<BridgeMethods[M]['result']>
  /** The address changed or was entered: what the app is to show; undefined for the launch page. */
  readonly start: { path: string; query: Record<string, string> } | undefined
  /** The app's id at the host's Souk server; empty on H5, where no host says it. */
  readonly appid?: string
  /** Keeps what the app stores. */
  readonly storage: CarrierStorage
  /** The app went out of sight or came back; set by the runtime. */
  onVisibilityChange: (visible: boolean) => void
}

/** The storage of one app, by key. Texts are what `neu.setStorage` encodes. */
export interface CarrierStorage {
  get(key: string): string | undefined
  /** Throws where the app's space does not suffice. */
  set(key: string, text: string): void
  remove(key: string): void
  clear(): void
  keys(): string[]
  /** What is stored, in bytes. */
  size(): number
}

/** What is drawn over the page: by the carrier itself on H5, by the host around a frame. */
export type OverlayMethod =
  | 'showToast'
  | 'hideToast'
  | 'showLoading'
  | 'hideLoading'
  | 'showModal'
  | 'showActionSheet'
  | 'previewImage'

export type Overlays = {
  [M in OverlayMethod]: (params: BridgeMethods[M]['params']) => Promise<BridgeMethods[M]['result']>
}

/** What a host answers to a mini app, besides the overlays; it may ask the user with them. */
export type HostMethods = {
  [M in Exclude<keyof BridgeMethods, OverlayMethod>]: (
    params: BridgeMethods[M]['params'],
    overlays: Overlays,
  ) => Promise<BridgeMethods[M]['result']>
} & {
  /** All that the mini app has stored: it goes into the frame at once, for the synchronous calls. */
  readStorage: () => Promise<[key: string, text: string][]>
}

/** Everything in CSS px. */
export interface Device {
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

/** What stands around the page on top; serialisable. */
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
