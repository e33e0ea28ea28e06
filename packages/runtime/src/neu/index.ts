import { rpx2px } from '../page/rpx.ts'
import { currentSubNVue } from '../page/subNVue.ts'
import { type Api, api } from './api.ts'
import * as events from './events.ts'
import { loadServices, services } from './lazyServices.ts'
import * as queries from './queries.ts'
import type { Task } from './request.ts'
import type { Services } from './services.ts'
import { clearStorageSync, getStorageInfoSync, getStorageSync, removeStorageSync, setStorageSync } from './storage.ts'
import {
  getAppBaseInfo,
  getDeviceInfo,
  getSystemInfoSync,
  getWindowInfo,
  offThemeChange,
  offWindowResize,
  onThemeChange,
  onWindowResize,
} from './system.ts'
import { takesListener } from './takesListener.ts'

type InBothStyles<F> = F extends (options: infer O) => infer P
  ? P extends PromiseLike<infer R>
    ? // Functions without options accept any.
      Api<unknown extends O ? object : NonNullable<O>, R, P extends Task ? Task : undefined>
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
  'removeStorage clearStorage getStorageInfo getSystemInfo getSystemInfoAsync'
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
    if (services) return serve(services, options)
    // Wrapped in an array, because a promise would be awaited.
    const served = loadServices().then((loaded) => [serve(loaded, options)] as const)
    const outcome = served.then(([result]) => result)
    return isTask.test(name) ? Object.assign(outcome, task(served)) : outcome
  })
}

const isTask = /^request$|File$/

/** Returns a task that controls a request even before the services are loaded. */
function task(served: Promise<readonly [Task]>): Task {
  const names = ['abort', 'onHeadersReceived', 'offHeadersReceived', 'onProgressUpdate', 'offProgressUpdate'] as const
  return Object.fromEntries(
    names.map((name) => [
      name,
      (listener: never) => void served.then(([task]) => task[name](listener)).catch(() => {}),
    ]),
  ) as unknown as Task
}

/**
 * The API of mini apps, with the names of the ecosystem; `uni` is an alias. Functions that take options have two call
 * styles: with `success`, `fail` or `complete`, or without, returning a promise. Functions that navigate or measure
 * work from onLaunch on.
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
  onWindowResize,
  offWindowResize,
  onThemeChange,
  offThemeChange,
  ...events,
  ...queries,
  /** To be called in the setup of a sub-window. */
  getCurrentSubNVue: currentSubNVue,
  rpx2px,
  upx2px: rpx2px,
  /** Returns true if a function of this name exists. Ignores anything after a dot. */
  canIUse: (name: string): boolean => Object.hasOwn(neu as object, name.split('.')[0]!),
}

/** The type of `neu`. */
export type Neu = typeof neu
