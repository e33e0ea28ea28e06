import { importOnce } from '../carriers/importOnce.ts'
import { rpx2px } from '../page/rpx2px.ts'
import { currentSubNVue } from '../page/subNVue.ts'
import { api } from './api.ts'
import { userFolder } from './appFilePaths.ts'
import { arrayBufferToBase64, base64ToArrayBuffer } from './base64.ts'
import { createAnimation } from './createAnimation.ts'
import { reportEvent } from './customEvents.ts'
import { deferredObject, isForeign } from './deferredObject.ts'
import { offTabBarMidButtonTap, onTabBarMidButtonTap } from './events.ts'
import { fallback } from './fallback.ts'
import { provide } from './functions.ts'
import type { MapContext } from './map.ts'
import * as names from './names.generated.ts'
import { createIntersectionObserver, createSelectorQuery, getSubNVueById } from './queries.ts'
import * as sideWindowStyle from './sideWindowStyle.ts'

type Contexts = typeof import('./contexts.ts')
let contexts: Contexts | undefined
const importContexts = importOnce(() => import('./contexts.ts'))

/** Creates the function that returns an object of `contexts.ts` immediately, even if that is still loading. */
function object<N extends keyof Contexts>(name: N, early?: Parameters<typeof deferredObject>[1]): Contexts[N] {
  const create = (from: Contexts, args: unknown[]) => (from[name] as (...args: unknown[]) => object)(...args)
  return ((...args: unknown[]) => {
    if (contexts) return create(contexts, args)
    return deferredObject(
      importContexts().then((loaded) => {
        contexts = loaded
        return create(loaded, args)
      }),
      early,
    )
  }) as Contexts[N]
}

/** Creates a canvas that is on no page. Lengths in px. */
const createOffscreenCanvas = ({ width = 300, height = 150 } = {}) =>
  Object.assign(document.createElement('canvas'), { width, height, createImage: () => new Image() })

/**
 * Returns the controls of the `map` element with this id in `component`, by default in the page on top. What they do
 * not have fails.
 */
const createMapContext = (id: string, component?: unknown): MapContext =>
  new Proxy({} as MapContext, {
    get: (_, name) =>
      isForeign(name)
        ? undefined
        : name === 'on'
          ? (...listener: Parameters<MapContext['on']>) =>
              void import('./map.ts').then((it) => it.listenToMap(id, component, ...listener)).catch(reportError)
          : api(String(name), async (options: object) =>
              (await import('./map.ts')).callMap(id, component, String(name), options),
            ),
  })

const nativeDom = object('nativeDom')

/** Returns a module of nvue: `dom`. All functions of others fail with `not supported`. */
const requireNativePlugin = (name: string): object =>
  name === 'dom' ? nativeDom() : (fallback('requireNativePlugin') as () => object)()

declare global {
  /** Functions of the host, which `host-functions.d.ts` in the folder of the project adds. */
  interface NeuHostFunctions {}
}
export type HostFunctions = NeuHostFunctions

/** Loaded with the first call, because few apps call functions of the host. */
const functionsOfHost = new Proxy({} as HostFunctions, {
  get: (_, name) =>
    isForeign(name)
      ? undefined
      : async (input?: object) => (await import('./hostFunctions.ts')).callHostFunction(String(name), input),
})

/** Measures in the default font. */
const measureText = (text: string) => document.createElement('canvas').getContext('2d')!.measureText(text)

/** Functions that return an object, and small ones that convert values. */
export const objectFunctions = {
  arrayBufferToBase64,
  base64ToArrayBuffer,
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
  requireNativePlugin,
  host: functionsOfHost,
  reportEvent,
  env: { USER_DATA_PATH: userFolder },
  getUpdateManager: object('getUpdateManager'),
  onTabBarMidButtonTap,
  offTabBarMidButtonTap,
  getSubNVueById,
  createSelectorQuery,
  createIntersectionObserver,
  /** To be called in the setup of a sub-window. */
  getCurrentSubNVue: currentSubNVue,
  ...sideWindowStyle,
  rpx2px,
  upx2px: rpx2px,
  /** Returns true if a function of this name exists. Ignores anything after a dot. */
  canIUse: (name: string): boolean => {
    const [first] = String(name).split('.') as [string]
    // Can be called on H5, but there is no capsule.
    if (__SOUK_PLATFORM__ === 'H5' && first === 'getMenuButtonBoundingClientRect') return false
    if (__SOUK_PLATFORM__ !== 'H5' && /(?:Top|Left|Right)Window/.test(first)) return false
    return Object.values(names).some((each) => each.includes(first))
  },
}

provide(objectFunctions)
