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
const settings = type<{
  /** Empty. */
  authSetting: Record<string, boolean>
}>()
type Theme = 'light' | 'dark'
type Resize = {
  /** The new size of the page. */
  size: {
    /** In px. */
    windowWidth: number
    /** In px. */
    windowHeight: number
  }
}

/** The window, the device, languages and settings. */
export const system = {
  /** Returns all that `getWindowInfo`, `getDeviceInfo` and `getAppBaseInfo` do. */
  getSystemInfo: call({ ...ofSystem, result: type<functions.SystemInfo>() }),
  /** Returns the same as `getSystemInfo`. */
  getSystemInfoAsync: call({ ...ofSystem, result: type<functions.SystemInfo>() }),
  /** Returns the same as `getSystemInfo`, at once. */
  getSystemInfoSync: sync({ ...ofSystem, is: type<() => functions.SystemInfo>() }),
  /** Returns sizes of the screen, of the page and of the bars. */
  getWindowInfo: sync({ ...ofSystem, is: type<() => functions.WindowInfo>() }),
  /** Returns the kind of the device and its system. */
  getDeviceInfo: sync({ ...ofSystem, is: type<() => functions.DeviceInfo>() }),
  /** Returns language, colors and versions of the app and of the host. */
  getAppBaseInfo: sync({ ...ofSystem, is: type<() => functions.AppBaseInfo>() }),
  /** Returns the language of the host as BCP 47, such as `ar` or `zh-CN`. On H5 it is that of the browser. */
  getHostLanguage: call({
    ...inPage,
    module: 'appearance',
    result: type<{
      /** BCP 47. */
      code: string
    }>(),
  }),
  /**
   * Returns the font size that the user has set in the browser or in the system, in px, and its factor to the usual
   * one.
   */
  getHostFontSize: call({
    ...inPage,
    module: 'appearance',
    result: type<{
      /** In px. */
      fontSizeSetting: number
      /** 1 is the usual size. */
      fontSizeScaleFactor: number
    }>(),
  }),
  /** Returns appid and environment of the mini app. */
  getAccountInfoSync: sync({ ...ofSystem, is: type<typeof functions.getAccountInfoSync>() }),
  /**
   * Returns the language that the app has set, or the device's, as the ecosystem names it: zh-Hans, zh-Hant, or a
   * language without region.
   * @returns The language.
   */
  getLocale: sync({ ...ofSystem, is: type<() => string>() }),
  /**
   * Sets the language of the texts of pages.json, and of `getLocale`. The host keeps the user's.
   * @param locale A language such as `en`, `ar` or `zh-Hans`.
   */
  setLocale: sync({
    ...ofSystem,
    differs: 'lasts until the app is closed; the host keeps the language of the user',
    is: type<(locale: string) => void>(),
  }),
  /** Adds a listener for when `setLocale` or the user changes the language. */
  onLocaleChange: event({
    ...inPage,
    module: 'appEvents',
    is: type<
      On<{
        /** The new language, as `getLocale` returns it. */
        locale: string
      }>
    >(),
  }),
  /** Removes a listener, or all of them. */
  offLocaleChange: event({
    ...inPage,
    module: 'appEvents',
    is: type<
      Off<{
        /** The new language, as `getLocale` returns it. */
        locale: string
      }>
    >(),
  }),
  /** Adds a listener for when the page gets another size, such as when the device is turned. */
  onWindowResize: event({ ...ofSystem, is: type<On<Resize>>() }),
  /** Removes a listener, or all of them. */
  offWindowResize: event({ ...ofSystem, is: type<Off<Resize>>() }),
  /** Adds a listener for when the user chooses light or dark colors. */
  onThemeChange: event({
    ...ofSystem,
    is: type<
      On<{
        /** The new colors. */
        theme: Theme
      }>
    >(),
  }),
  /** Removes a listener, or all of them. */
  offThemeChange: event({
    ...ofSystem,
    is: type<
      Off<{
        /** The new colors. */
        theme: Theme
      }>
    >(),
  }),
  /** Does the same as `onThemeChange`, with another name for the colors. */
  onUIStyleChange: event({
    ...inPage,
    module: 'appEvents',
    is: type<
      On<{
        /** The new colors. */
        style: Theme
      }>
    >(),
  }),
  /** Returns settings of the device. */
  getSystemSetting: sync({
    ...ofSystem,
    differs: 'deviceOrientation only',
    is: type<typeof functions.getSystemSetting>(),
  }),
  /**
   * Returns `not determined` for everything: each function asks the user when it is called.
   * @returns `cameraAuthorized`, `microphoneAuthorized`, `locationAuthorized`, `albumAuthorized`, `bluetoothAuthorized`
   * and `notificationAuthorized`, all `not determined`.
   */
  getAppAuthorizeSetting: sync({
    ...ofSystem,
    differs: 'nothing is determined in advance',
    is: type<typeof functions.getAppAuthorizeSetting>(),
  }),
  /** Returns no permissions, because each function asks the user when it is called. */
  getSetting: call({ ...ofSettings, options: { withSubscriptions }, result: settings }),
  /** Returns the same as `getSetting`. There are no settings to open. */
  openSetting: call({ ...ofSettings, options: { withSubscriptions }, result: settings }),
  /** Does nothing: the host asks the user at the call itself. */
  authorize: call({ ...ofSettings, options: { scope: required(ignored<string>()) } }),
  /**
   * Returns true if a function of this name exists. Ignores anything after a dot.
   * @param name Name of a function, such as `scanCode`.
   * @returns Whether the function does something on this platform.
   */
  canIUse: sync({ ...inPage, module: 'objects', is: type<(name: string) => boolean>() }),
  /**
   * Converts a length in rpx to px.
   * @param rpx Length in rpx; 750 are the width of the window.
   * @returns Length in px.
   */
  rpx2px: sync({ ...inPage, module: 'objects', is: type<(rpx: number | string) => number>() }),
  /**
   * Does the same as `rpx2px`.
   * @param rpx Length in rpx; 750 are the width of the window.
   * @returns Length in px.
   */
  upx2px: sync({ ...inPage, module: 'objects', is: type<(rpx: number | string) => number>() }),
  /**
   * Functions of the application around the mini app, which the operator of the host declares. Each takes an object and
   * returns a promise, which rejects with the `failure` if the operator has declared it.
   */
  host: gives({
    ...hostOnly,
    fails: ['functionUndeclared', 'functionNotGranted'],
    module: 'objects',
    method: 'callHostFunction',
    differs: 'does not exist in uni-app',
    is: type<HostFunctions>(),
  }),
  /**
   * Counts an event that the project or the console declares. Its fields are texts of the declaration, whole numbers
   * and booleans.
   * @param name Name of the event.
   * @param fields Its fields, as they are declared.
   */
  reportEvent: sync({
    ...inHost,
    module: 'objects',
    method: 'reportCustomEvent',
    differs: 'counts declared events; nothing is counted on H5',
    is: type<typeof reportEvent>(),
  }),
  /** Paths of the app. */
  env: gives({
    ...inPage,
    module: 'objects',
    differs: 'USER_DATA_PATH only',
    is: type<{
      /** Folder of the files that `getFileSystemManager` writes. */
      USER_DATA_PATH: string
    }>(),
  }),
}
