import type { reportEvent } from '../customEvents.ts'
import type { HostFunctions } from '../objects.ts'
import type * as functions from '../system.ts'
import {
  call,
  event,
  gives,
  hostOnly,
  ignored,
  inHost,
  inPage,
  type Off,
  type On,
  required,
  sync,
  type,
} from './entry.ts'

const ofSystem = { ...inPage, module: 'system' } as const
const ofSettings = {
  ...inPage,
  module: 'settings',
  differs: 'nothing is decided in advance: each function asks the user when it is called',
} as const
const withSubscriptions = ignored<boolean>()
const settings = type<{ authSetting: Record<string, boolean> }>()
type Theme = 'light' | 'dark'
type Resize = { size: { windowWidth: number; windowHeight: number } }

/** The window, the device, languages and settings. */
export const system = {
  getSystemInfo: call({ ...ofSystem, result: type<functions.SystemInfo>() }),
  getSystemInfoAsync: call({ ...ofSystem, result: type<functions.SystemInfo>() }),
  getSystemInfoSync: sync({ ...ofSystem, is: type<() => functions.SystemInfo>() }),
  getWindowInfo: sync({ ...ofSystem, is: type<() => functions.WindowInfo>() }),
  getDeviceInfo: sync({ ...ofSystem, is: type<() => functions.DeviceInfo>() }),
  getAppBaseInfo: sync({ ...ofSystem, is: type<() => functions.AppBaseInfo>() }),
  /** Returns the language of the host as BCP 47, such as `ar` or `zh-CN`. On H5 it is that of the browser. */
  getHostLanguage: call({ ...inPage, module: 'appearance', result: type<{ code: string }>() }),
  /**
   * Returns the font size that the user has set in the browser or in the system, in px, and its factor to the usual
   * one.
   */
  getHostFontSize: call({
    ...inPage,
    module: 'appearance',
    result: type<{ fontSizeSetting: number; fontSizeScaleFactor: number }>(),
  }),
  getAccountInfoSync: sync({ ...ofSystem, is: type<typeof functions.getAccountInfoSync>() }),
  /**
   * Returns the language that the app has set, or the device's, as the ecosystem names it: zh-Hans, zh-Hant, or a
   * language without region.
   */
  getLocale: sync({ ...ofSystem, is: type<() => string>() }),
  /** Sets the language of the texts of pages.json, and of `getLocale`. The host keeps the user's. */
  setLocale: sync({
    ...ofSystem,
    differs: 'lasts until the app is closed; the host keeps the language of the user',
    is: type<(locale: string) => void>(),
  }),
  onLocaleChange: event({ ...inPage, module: 'appEvents', is: type<On<{ locale: string }>>() }),
  offLocaleChange: event({ ...inPage, module: 'appEvents', is: type<Off<{ locale: string }>>() }),
  onWindowResize: event({ ...ofSystem, is: type<On<Resize>>() }),
  offWindowResize: event({ ...ofSystem, is: type<Off<Resize>>() }),
  onThemeChange: event({ ...ofSystem, is: type<On<{ theme: Theme }>>() }),
  offThemeChange: event({ ...ofSystem, is: type<Off<{ theme: Theme }>>() }),
  onUIStyleChange: event({ ...inPage, module: 'appEvents', is: type<On<{ style: Theme }>>() }),
  getSystemSetting: sync({
    ...ofSystem,
    differs: 'deviceOrientation only',
    is: type<typeof functions.getSystemSetting>(),
  }),
  /** Returns `not determined` for everything: each function asks the user when it is called. */
  getAppAuthorizeSetting: sync({
    ...ofSystem,
    differs: 'nothing is determined in advance',
    is: type<typeof functions.getAppAuthorizeSetting>(),
  }),
  getSetting: call({ ...ofSettings, options: { withSubscriptions }, result: settings }),
  openSetting: call({ ...ofSettings, options: { withSubscriptions }, result: settings }),
  /** Does nothing: the host asks the user at the call itself. */
  authorize: call({ ...ofSettings, options: { scope: required(ignored<string>()) } }),
  /** Returns true if a function of this name exists. Ignores anything after a dot. */
  canIUse: sync({ ...inPage, module: 'objects', is: type<(name: string) => boolean>() }),
  rpx2px: sync({ ...inPage, module: 'objects', is: type<(rpx: number | string) => number>() }),
  upx2px: sync({ ...inPage, module: 'objects', is: type<(rpx: number | string) => number>() }),
  /**
   * Functions of the application around the mini app, which the operator of the host declares. Each takes an object and
   * returns a promise, which rejects with the `failure` if the operator has declared it.
   */
  host: gives({
    ...hostOnly,
    module: 'objects',
    method: 'callHostFunction',
    differs: 'does not exist in uni-app',
    is: type<HostFunctions>(),
  }),
  /**
   * Counts an event that the project or the console declares. Its fields are texts of the declaration, whole numbers
   * and booleans.
   */
  reportEvent: sync({
    ...inHost,
    module: 'objects',
    method: 'reportCustomEvent',
    differs: 'counts declared events; nothing is counted on H5',
    is: type<typeof reportEvent>(),
  }),
  env: gives({ ...inPage, module: 'objects', differs: 'USER_DATA_PATH only', is: type<{ USER_DATA_PATH: string }>() }),
}
