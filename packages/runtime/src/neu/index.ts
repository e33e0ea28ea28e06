import { rpx2px } from '../page/rpx.ts'
import { currentSubNVue } from '../page/subNVue.ts'
import { type Api, api } from './api.ts'
import { userFolder } from './appFilePaths.ts'
import { arrayBufferToBase64, base64ToArrayBuffer } from './base64.ts'
import { createAnimation } from './createAnimation.ts'
import { deferredObject, isForeign } from './deferredObject.ts'
import { $emit, $off, $on, $once, offTabBarMidButtonTap, onTabBarMidButtonTap } from './events.ts'
import { fallback } from './fallback.ts'
import { addInterceptor, interceptorsOf, removeInterceptor } from './interceptors.ts'
import { loadServices, services } from './lazyServices.ts'
import type { MapContext } from './map.ts'
import { createIntersectionObserver, createSelectorQuery, getSubNVueById } from './queries.ts'
import type { Task } from './request.ts'
import type { Services } from './services.ts'
import type { SocketTask } from './socket.ts'
import { clearStorageSync, getStorageInfoSync, getStorageSync, removeStorageSync, setStorageSync } from './storage.ts'
import {
  getAccountInfoSync,
  getAppAuthorizeSetting,
  getAppBaseInfo,
  getDeviceInfo,
  getLaunchOptionsSync,
  getLocale,
  getMenuButtonBoundingClientRect,
  getSystemInfoSync,
  getSystemSetting,
  getWindowInfo,
  offThemeChange,
  offWindowResize,
  onThemeChange,
  onWindowResize,
  setLocale,
} from './system.ts'
import { takesListener } from './takesListener.ts'

type InBothStyles<F> = F extends (options: infer O) => infer P
  ? P extends PromiseLike<infer R>
    ? // Functions without options accept any.
      Api<
        unknown extends O ? object : NonNullable<O>,
        R,
        P extends Task ? Task : P extends SocketTask ? SocketTask : undefined
      >
    : F
  : F
type Wrapped<G> = { [N in keyof G]: InBothStyles<G[N]> }

/** All names in `services.ts`. */
export const laterNames = (
  'navigateTo redirectTo reLaunch switchTab navigateBack preloadPage startPullDownRefresh stopPullDownRefresh ' +
  'pageScrollTo setClipboardData getClipboardData makePhoneCall vibrateShort vibrateLong getNetworkType ' +
  'onNetworkStatusChange offNetworkStatusChange getLocation previewImage chooseImage getImageInfo showLoading ' +
  'hideLoading login getAuthCode getUserProfile getUserInfo showModal showActionSheet requestPayment ' +
  'setTabBarItem setTabBarStyle setTabBarBadge removeTabBarBadge showTabBarRedDot hideTabBarRedDot showTabBar ' +
  'hideTabBar request uploadFile downloadFile setNavigationBarTitle setNavigationBarColor ' +
  'showNavigationBarLoading hideNavigationBarLoading hideHomeButton showToast hideToast setStorage getStorage ' +
  'removeStorage clearStorage getStorageInfo getSystemInfo getSystemInfoAsync canvasToTempFilePath ' +
  'canvasGetImageData canvasPutImageData chooseVideo chooseMedia chooseFile chooseMessageFile getVideoInfo ' +
  'getFileInfo compressImage saveImageToPhotosAlbum saveVideoToPhotosAlbum openDocument scanCode openLocation ' +
  'chooseLocation setKeepScreenOn hideKeyboard onKeyboardHeightChange offKeyboardHeightChange loadFontFace ' +
  'previewMedia authorize getSetting openSetting getProvider checkSession exitMiniProgram onAppShow offAppShow ' +
  'onAppHide offAppHide onError offError onPageNotFound offPageNotFound onUnhandledRejection ' +
  'offUnhandledRejection connectSocket sendSocketMessage closeSocket onSocketOpen onSocketMessage onSocketError ' +
  'onSocketClose onLocaleChange offLocaleChange onUIStyleChange saveFile getSavedFileList getSavedFileInfo ' +
  'removeSavedFile startAccelerometer stopAccelerometer onAccelerometerChange offAccelerometerChange ' +
  'startGyroscope stopGyroscope onGyroscopeChange offGyroscopeChange startCompass stopCompass onCompassChange ' +
  'offCompassChange share shareWithSystem navigateToMiniProgram getBatteryInfo onMemoryWarning offMemoryWarning ' +
  'onUserCaptureScreen offUserCaptureScreen'
).split(' ') as (keyof Services)[]

function later(name: keyof Services): unknown {
  const serve = (from: typeof import('./services.ts'), options: unknown) => from.serve(name, options as never) as Task
  if (takesListener(name)) {
    return (listener: unknown) => {
      if (services) serve(services, listener)
      else void loadServices().then((loaded) => serve(loaded, listener))
    }
  }
  return api(name, (options): object => {
    const interceptors = interceptorsOf(name)
    if (services && interceptors.length === 0) return serve(services, options)
    // Wrapped in an array, because a promise would be awaited.
    const run = () => loadServices().then((loaded) => [serve(loaded, options)] as const)
    const intercept = interceptors.length > 0 ? import('./intercepted.ts') : undefined
    const served = intercept ? intercept.then((it) => it.beforeCall(interceptors, options)).then(run) : run()
    const finished = served.then(([result]) => result as unknown)
    const outcome = intercept ? intercept.then((it) => it.afterCall(interceptors, finished)) : finished
    return isTask.test(name) ? Object.assign(outcome, task(name, served)) : outcome
  })
}

const isTask = /^(request|uploadFile|downloadFile|connectSocket)$/
const requestMethods = 'abort onHeadersReceived offHeadersReceived onProgressUpdate offProgressUpdate'
const socketMethods = 'send close onOpen onMessage onError onClose'

/** Returns a task that controls a request or connection even before the services are loaded. */
function task(name: string, served: Promise<readonly [unknown]>): object {
  const methods = (name === 'connectSocket' ? socketMethods : requestMethods).split(' ')
  return Object.fromEntries(
    methods.map((method) => [
      method,
      (argument: unknown) =>
        void served
          .then(([task]) => (task as Record<string, (argument: unknown) => void>)[method]!(argument))
          .catch(() => {}),
    ]),
  )
}

type Objects = typeof import('./objects.ts')
let objects: Objects | undefined
let loadingObjects: Promise<Objects> | undefined

/** Creates the function that returns an object of `objects.ts` immediately, even if that is still loading. */
function object<N extends keyof Objects>(name: N, early?: Parameters<typeof deferredObject>[1]): Objects[N] {
  const create = (from: Objects, args: unknown[]) => (from[name] as (...args: unknown[]) => object)(...args)
  return ((...args: unknown[]) => {
    if (objects) return create(objects, args)
    loadingObjects ??= import('./objects.ts').then((loaded) => {
      objects = loaded
      return loaded
    })
    return deferredObject(
      loadingObjects.then((loaded) => create(loaded, args)),
      early,
    )
  }) as Objects[N]
}

/** Creates a canvas that is on no page. Lengths in px. */
const createOffscreenCanvas = ({ width = 300, height = 150 } = {}) =>
  Object.assign(document.createElement('canvas'), { width, height, createImage: () => new Image() })

/** Returns the controls of the `map` element with this id in the page on top. What they do not have fails. */
const createMapContext = (id: string): MapContext =>
  new Proxy({} as MapContext, {
    get: (_, name) =>
      isForeign(name)
        ? undefined
        : name === 'on'
          ? (...listener: Parameters<MapContext['on']>) =>
              void import('./map.ts').then((it) => it.listenToMap(id, ...listener)).catch(reportError)
          : api(String(name), async (options: object) => (await import('./map.ts')).callMap(id, String(name), options)),
  })

/** Measures in the default font. */
const measureText = (text: string) => document.createElement('canvas').getContext('2d')!.measureText(text)

/**
 * The API of mini apps, with the names of the ecosystem; `uni` and `wx` are aliases. Functions that take options have
 * two call styles: with `success`, `fail` or `complete`, or without, returning a promise. Functions that navigate or
 * measure work from onLaunch on.
 */
export const neu = {
  ...(Object.fromEntries(laterNames.map((name) => [name, later(name)])) as Wrapped<Services>),
  setStorageSync,
  getStorageSync,
  removeStorageSync,
  clearStorageSync,
  getStorageInfoSync,
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
  arrayBufferToBase64,
  base64ToArrayBuffer,
  addInterceptor,
  removeInterceptor,
  createAnimation,
  createOffscreenCanvas,
  createCanvasContext: object('createCanvasContext', { measureText }),
  createVideoContext: object('createVideoContext'),
  createMapContext,
  createInnerAudioContext: object('createInnerAudioContext'),
  getBackgroundAudioManager: object('getBackgroundAudioManager'),
  createMediaQueryObserver: object('createMediaQueryObserver'),
  getFileSystemManager: object('getFileSystemManager'),
  getRecorderManager: object('getRecorderManager'),
  env: { USER_DATA_PATH: userFolder },
  getUpdateManager: object('getUpdateManager'),
  onWindowResize,
  offWindowResize,
  onThemeChange,
  offThemeChange,
  $on,
  $once,
  $off,
  $emit,
  onTabBarMidButtonTap,
  offTabBarMidButtonTap,
  getSubNVueById,
  createSelectorQuery,
  createIntersectionObserver,
  /** To be called in the setup of a sub-window. */
  getCurrentSubNVue: currentSubNVue,
  rpx2px,
  upx2px: rpx2px,
  /** Returns true if a function of this name exists. Ignores anything after a dot. */
  canIUse: (name: string): boolean => {
    const [first] = String(name).split('.') as [string]
    // Can be called on H5, but there is no capsule.
    if (__SOUK_PLATFORM__ === 'H5' && first === 'getMenuButtonBoundingClientRect') return false
    return Object.hasOwn(neu as object, first)
  },
}

// Functions of the ecosystem that no platform supports fail instead of being undefined.
Object.setPrototypeOf(neu, new Proxy({}, { get: (_, name) => fallback(name) }))

/**
 * `neu` under the name of another platform. It is a function, because libraries such as ECharts take an object of this
 * name for a sign that there is no document.
 */
export const wx: Neu = new Proxy((() => {}) as unknown as Neu, {
  get: (_, name) => Reflect.get(neu, name),
  set: (_, name, value) => Reflect.set(neu, name, value),
  has: (_, name) => Reflect.has(neu, name),
})

/** The type of `neu`. */
export type Neu = typeof neu
