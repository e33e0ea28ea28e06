import type { BridgeMethods } from '@souk/contract/bridge'
import type { offeredOverlays, overlayMethods } from './overlayMethods.ts'

/**
 * Methods that draw over page and bars. Host applications do not implement them: `MiniApp` draws overlays, on H5 the
 * page does.
 */
export type OverlayMethod = (typeof overlayMethods)[number]

/** Methods that every host application has. Calls to others that it leaves out fail with `not supported`. */
type RequiredHostMethod =
  | 'login'
  | 'getAuthCode'
  | 'requestPayment'
  | 'getUserProfile'
  | 'setStorage'
  | 'removeStorage'
  | 'clearStorage'
  | 'setClipboardData'
  | 'getClipboardData'
  | 'exitMiniApp'
  | 'vibrate'
  | 'makePhoneCall'

/**
 * The overlays as functions. They resolve when the overlay is shown or, if it asks a question, with the answer.
 * `scanCode` shows the camera; the host application first asks the user whether the mini app may use it. The maps of
 * `openLocation` and `chooseLocation` need no question: the mini app only learns the place that the user chooses.
 */
export type Overlays = {
  [M in OverlayMethod | (typeof offeredOverlays)[number]]: (
    params: BridgeMethods[M]['params'],
  ) => Promise<BridgeMethods[M]['result']>
}

/** Methods that never ask the user. */
type MethodWithoutOverlays =
  | 'login'
  | 'reportEvent'
  | 'reportCustomEvent'
  | 'setStorage'
  | 'removeStorage'
  | 'clearStorage'

type HostMethod<M extends keyof BridgeMethods> = (
  params: BridgeMethods[M]['params'],
  ...overlays: M extends MethodWithoutOverlays ? [] : [Overlays]
) => Promise<BridgeMethods[M]['result']>

/**
 * The methods that a host application implements for its mini apps: every method of the bridge except overlays, which
 * it may use to ask the user. To refuse, it rejects with an error whose `errMsg` is `<method>:fail <reason>`.
 */
export type HostMethods = {
  [M in RequiredHostMethod]: HostMethod<M>
} & { [M in Exclude<keyof BridgeMethods, OverlayMethod | RequiredHostMethod>]?: HostMethod<M> } & {
  /**
   * Returns all entries that the mini app has stored. They are sent to the frame when it starts, because its storage
   * is synchronous.
   */
  readStorage: () => Promise<[key: string, text: string][]>
}

/** The device as a mini app sees it. Lengths in CSS px. */
export interface Device {
  /** Size of the screen, or of the part of it that shows the app. */
  width: number
  height: number
  /** Height of the status bar; 0 on H5. */
  statusBarHeight: number
  /** Height of the system's area at the bottom. */
  safeAreaBottom: number
  /** Height that the soft keyboard covers at the bottom; undefined if only the page itself can find out. */
  keyboardHeight?: number
  orientation: 'portrait' | 'landscape'
  os: 'Android' | 'iOS'
  /** BCP 47. */
  language: string
  theme: 'light' | 'dark'
}

/** User actions on the bars. `index` counts from 0. */
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
  /** The user shares the page in the menu of the host. */
  | { type: 'share' }
