import { type SystemName, systemOf } from '@souk/shell/device/system'
import { directionOf } from '@souk/shell/direction'
import { pageInsets } from '@souk/shell/page/insets'
import { effectScope, watch } from 'vue'
import { currentCarrier } from '../carriers/current.ts'
import { callListeners } from '../page/callListeners.ts'
import type { Address } from '../stack/address.ts'
import { currentApp, running } from '../stack/app.ts'
import { type LaunchInfo, launchInfo } from '../stack/launchInfo.ts'
import { chosenLocale } from '../stack/locale.ts'
import { answers } from './answers.ts'
import { provide } from './functions.ts'
import { readBrowser, readUserAgent } from './userAgent.ts'

/** All lengths in CSS px. */
export interface WindowInfo {
  /** Pixels of the screen per px. */
  pixelRatio: number
  /** Width of the screen in px. */
  screenWidth: number
  /** Height of the screen in px. */
  screenHeight: number
  /** Width of the page between the bars, in px. */
  windowWidth: number
  /** Height of the page between the bars, in px. */
  windowHeight: number
  /** Distance of the page from the top of the screen, in px. */
  windowTop: number
  /** Distance of the page from the bottom of the screen, in px. */
  windowBottom: number
  /** Height of the status bar in px; 0 on H5. */
  statusBarHeight: number
  /** The part of the screen that no notch or home indicator covers, in px. */
  safeArea: {
    /** Left edge in px. */
    left: number
    /** Right edge in px. */
    right: number
    /** Top edge in px. */
    top: number
    /** Bottom edge in px. */
    bottom: number
    /** In px. */
    width: number
    /** In px. */
    height: number
  }
  /** Distances of the safe area from the edges of the screen, in px. */
  safeAreaInsets: {
    /** From the left edge, in px. */
    left: number
    /** From the right edge, in px. */
    right: number
    /** From the top edge, in px. */
    top: number
    /** From the bottom edge, in px. */
    bottom: number
  }
}

export interface DeviceInfo {
  /** On H5 the system of the browser, otherwise that which the host tells. */
  platform: 'android' | 'ios' | 'harmonyos' | 'windows' | 'mac' | 'linux' | 'other'
  /** The same as `platform`. */
  osName: DeviceInfo['platform']
  /** Version of the system; '0' if it is not known. */
  osVersion: string
  /** Name and version of the operating system: `iOS 17.5`. */
  system: string
  /** Model of the device, as the browser tells it; empty if it does not. */
  model: string
  /** The same as `model`. */
  deviceModel: string
  /** The maker of the device or its system, in lower case: apple, microsoft, or empty. */
  brand: string
  /** The same as `brand`. */
  deviceBrand: string
  /** Kind of the device, by its pointer and size. */
  deviceType: 'phone' | 'pad' | 'pc'
  /** Which way the device is held. */
  deviceOrientation: 'portrait' | 'landscape'
  /** Pixels of the screen per px. */
  devicePixelRatio: number
  /** The browser's user agent. */
  ua: string
}

export interface AppBaseInfo {
  /** The appid; empty on H5. */
  appId: string
  /** Language of the device, BCP 47. */
  language: string
  /** The language of the texts, as `getLocale` returns it. */
  appLanguage: string
  /** Colors that the user has chosen on the device. */
  theme: 'light' | 'dark'
  /** Language of the host, BCP 47. */
  hostLanguage: string
  /** Colors of the host. */
  hostTheme: 'light' | 'dark'
  /** Name of the app in manifest.json; empty if it has none. */
  appName: string
  /** Version of the app in manifest.json; empty if it has none. */
  appVersion: string
  /** Number of the version in manifest.json; empty if it has none. */
  appVersionCode: string
  /** As `appVersion`, because a release is the whole app. Undefined on H5. */
  appWgtVersion?: string
  /** The application around the mini app, or on H5 the browser. Empty if it is not known. */
  hostName: string
  /** Version of the application around the mini app, or of the browser. */
  hostVersion: string
  /** Identifier of a native application, such as `com.example.bank`. */
  hostPackageName: string
  /** Version of the runtime in the host. */
  hostSDKVersion: string
  /** The platform of the build: H5, App or Mini App. */
  uniPlatform: 'web' | 'app' | 'mp-neu'
  /** Always empty, as is `version`: there is no such version. */
  SDKVersion: string
  /** Always empty. */
  version: string
}

export type SystemInfo = WindowInfo & DeviceInfo & AppBaseInfo

export function getWindowInfo(): WindowInfo {
  const { width, height, statusBarHeight, safeAreaBottom } = currentCarrier().device
  const { top: windowTop, width: windowWidth, height: windowHeight } = pageBox() ?? { top: 0, width, height }
  const bottom = height - safeAreaBottom
  return {
    pixelRatio: devicePixelRatio,
    screenWidth: __SOUK_PLATFORM__ === 'H5' ? screen.width : width,
    screenHeight: __SOUK_PLATFORM__ === 'H5' ? screen.height : height,
    windowWidth,
    windowHeight,
    windowTop,
    windowBottom: Math.max(0, height - windowTop - windowHeight),
    statusBarHeight,
    safeArea: { left: 0, right: width, top: statusBarHeight, bottom, width, height: bottom - statusBarHeight },
    safeAreaInsets: { left: 0, right: 0, top: statusBarHeight, bottom: safeAreaBottom },
  }
}

/** Returns the box of the page on top, in px, even in its setup and in onLoad, before it is drawn. */
function pageBox(): { top: number; width: number; height: number } | undefined {
  const page = running?.top
  if (!page) return undefined
  const drawn = page.controls?.scroller?.closest<HTMLElement>('neu-page-window')
  const element = drawn ?? document.createElement('neu-page-window')
  if (!drawn) {
    const { navigationBar, tabBar } = page
    const insets = pageInsets(navigationBar, tabBar, currentCarrier().device, __SOUK_PLATFORM__ !== 'H5')
    for (const [name, value] of Object.entries(insets)) element.style.setProperty(name, value)
    ;(document.querySelector('neu-main') ?? document.body).append(element)
  }
  // Offsets ignore a running animation.
  const box = { top: element.offsetTop, width: element.offsetWidth, height: element.offsetHeight }
  if (!drawn) element.remove()
  return box
}

const brands: { readonly [S in SystemName]?: string } = { iOS: 'apple', Mac: 'apple', Windows: 'microsoft' }

export function getDeviceInfo(): DeviceInfo {
  const { width, height, orientation, os } = currentCarrier().device
  const system = __SOUK_PLATFORM__ === 'H5' ? systemOf(navigator) : os
  const osName = system.toLowerCase() as DeviceInfo['platform']
  const isTouch = matchMedia('(pointer: coarse)').matches
  const { model, version: osVersion } = readUserAgent(navigator.userAgent, system)
  const brand = brands[system] ?? ''
  return {
    platform: osName,
    osName,
    osVersion,
    system: `${system} ${osVersion}`,
    model,
    deviceModel: model,
    brand,
    deviceBrand: brand,
    deviceType: isTouch || __SOUK_PLATFORM__ !== 'H5' ? (Math.min(width, height) < 600 ? 'phone' : 'pad') : 'pc',
    deviceOrientation: orientation,
    devicePixelRatio,
    ua: navigator.userAgent,
  }
}

export function getAppBaseInfo(): AppBaseInfo {
  const { device, host, appid = '' } = currentCarrier()
  const { language, theme } = device
  const { name, version, versionCode } = __SOUK_APP__
  const browser = __SOUK_PLATFORM__ === 'H5' ? readBrowser(navigator.userAgent) : undefined
  return {
    appId: appid,
    language,
    appLanguage: getLocale(),
    theme,
    hostLanguage: language,
    hostTheme: theme,
    appName: name,
    appVersion: version,
    appVersionCode: versionCode,
    ...(__SOUK_PLATFORM__ !== 'H5' && { appWgtVersion: version }),
    hostName: browser?.name ?? host?.name ?? '',
    hostVersion: browser?.version ?? host?.version ?? '',
    hostPackageName: host?.packageName ?? '',
    hostSDKVersion: host?.sdkVersion ?? '',
    uniPlatform: __SOUK_PLATFORM__ === 'H5' ? 'web' : __SOUK_PLATFORM__ === 'App' ? 'app' : 'mp-neu',
    SDKVersion: '',
    version: '',
  }
}

export function getSystemInfoSync(): SystemInfo {
  return { ...getDeviceInfo(), ...getAppBaseInfo(), ...getWindowInfo() }
}

export async function getSystemInfo(): Promise<SystemInfo> {
  return getSystemInfoSync()
}

export const getSystemInfoAsync = getSystemInfo

// Projects keep in onLaunch what their first page needs.
Object.assign(answers, { getSystemInfo, getSystemInfoAsync })

/** Sets the language of the texts of pages.json, and of `getLocale`. The host keeps the user's. */
export function setLocale(locale: string): void {
  chosenLocale.value = locale
}

/**
 * Returns the language that the app has set, or the device's, as the ecosystem names it: zh-Hans, zh-Hant, or a
 * language without region.
 */
export function getLocale(): string {
  if (chosenLocale.value) return chosenLocale.value
  const { language } = currentCarrier().device
  if (!language.startsWith('zh')) return language.split('-')[0]!
  return /hant|tw|hk|mo/i.test(language) ? 'zh-Hant' : 'zh-Hans'
}

/** Returns the address that the app was opened with, and by which mini app. */
export function getLaunchOptionsSync(): Address & LaunchInfo {
  const carrier = currentCarrier()
  const { path = '', query = {} } = carrier.start ?? {}
  // On H5 the address of the launch page has no path: `#/?id=1`.
  return { path: path || currentApp().config.launch, query, ...launchInfo(carrier) }
}

/**
 * Returns the area of the host's capsule in px, which is on the left if the language of the device is right-to-left. On
 * H5 there is none: its width is 0.
 */
export function getMenuButtonBoundingClientRect(): Record<
  'top' | 'bottom' | 'left' | 'right' | 'width' | 'height',
  number
> {
  const { width, statusBarHeight, language } = currentCarrier().device
  const capsuleWidth = __SOUK_PLATFORM__ === 'H5' ? 0 : 88
  const isOnLeft = capsuleWidth > 0 && directionOf(language) === 'rtl'
  const [top, height, right] = [statusBarHeight + 6, 32, isOnLeft ? 8 + capsuleWidth : width - 8]
  return { top, bottom: top + height, left: right - capsuleWidth, right, width: capsuleWidth, height }
}

export function getAccountInfoSync(): {
  /** The mini app. */
  miniProgram: {
    /** Its appid; empty on H5. */
    appId: string
    /** `release`, or `develop` in development. */
    envVersion: string
    /** Always empty. */
    version: string
  }
} {
  const { appid = '' } = currentCarrier()
  return { miniProgram: { appId: appid, envVersion: __SOUK_DEV__ ? 'develop' : 'release', version: '' } }
}

export function getSystemSetting(): {
  /** Which way the device is held. */
  deviceOrientation: 'portrait' | 'landscape'
} {
  return { deviceOrientation: currentCarrier().device.orientation }
}

const permissions = ['album', 'bluetooth', 'camera', 'location', 'microphone', 'notification'] as const

/** Returns `not determined` for everything: each function asks the user when it is called. */
export const getAppAuthorizeSetting = () =>
  Object.fromEntries(permissions.map((name) => [`${name}Authorized`, 'not determined'])) as {
    [N in (typeof permissions)[number] as `${N}Authorized`]: 'not determined'
  }

type Listener<Event> = (event: Event) => void

const windowResize = deviceEvent<{ size: { windowWidth: number; windowHeight: number } }>(
  () => [currentCarrier().device.width, currentCarrier().device.height],
  () => {
    const { windowWidth, windowHeight } = getWindowInfo()
    return { size: { windowWidth, windowHeight } }
  },
)
export const onWindowResize = windowResize.on
export const offWindowResize = windowResize.off

const themeChange = deviceEvent<{ theme: 'light' | 'dark' }>(
  () => currentCarrier().device.theme,
  () => ({ theme: currentCarrier().device.theme }),
)
export const onThemeChange = themeChange.on
export const offThemeChange = themeChange.off

/** Creates the on/off functions of a device event. The source is watched while there are listeners. */
export function deviceEvent<Event>(
  source: () => unknown,
  event: () => Event,
): { on: (listener: Listener<Event>) => void; off: (listener?: Listener<Event>) => void } {
  const listeners = new Set<Listener<Event>>()
  let stop: (() => void) | undefined
  return {
    on(listener) {
      listeners.add(listener)
      if (stop) return
      // Detached: the component that adds the first listener must not end the watcher of all.
      const scope = effectScope(true)
      stop = () => scope.stop()
      scope.run(() =>
        watch(
          source,
          () => callListeners(listeners, event()),
          // After the page has its new size.
          { flush: 'post' },
        ),
      )
    },
    off(listener) {
      if (listener) listeners.delete(listener)
      else listeners.clear()
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    },
  }
}

export const systemFunctions = {
  getWindowInfo,
  getDeviceInfo,
  getAppBaseInfo,
  getSystemInfoSync,
  getSystemSetting,
  getAppAuthorizeSetting,
  getLocale,
  setLocale,
  getLaunchOptionsSync,
  getEnterOptionsSync: getLaunchOptionsSync,
  getMenuButtonBoundingClientRect,
  getAccountInfoSync,
  onWindowResize,
  offWindowResize,
  onThemeChange,
  offThemeChange,
}

provide(systemFunctions)
