import { importOnce } from '../importOnce.ts'
import { rpx2px } from '../page/rpx2px.ts'
import { currentSubNVue } from '../page/subNVue.ts'
import { api } from './api.ts'
import { userFolder } from './appFilePaths.ts'
import { arrayBufferToBase64, base64ToArrayBuffer } from './base64.ts'
import { createAnimation } from './createAnimation.ts'
import { deferredObject, isForeign } from './deferredObject.ts'
import { offTabBarMidButtonTap, onTabBarMidButtonTap } from './events.ts'
import { provide } from './functions.ts'
import type { MapContext } from './map.ts'
import { otherNames, serviceNames, startNames, storageNames, systemNames } from './names.ts'
import { createIntersectionObserver, createSelectorQuery, getSubNVueById } from './queries.ts'

type Objects = typeof import('./objects.ts')
let objects: Objects | undefined
const importObjects = importOnce(() => import('./objects.ts'))

/** Creates the function that returns an object of `objects.ts` immediately, even if that is still loading. */
function object<N extends keyof Objects>(name: N, early?: Parameters<typeof deferredObject>[1]): Objects[N] {
  const create = (from: Objects, args: unknown[]) => (from[name] as (...args: unknown[]) => object)(...args)
  return ((...args: unknown[]) => {
    if (objects) return create(objects, args)
    return deferredObject(
      importObjects().then((loaded) => {
        objects = loaded
        return create(loaded, args)
      }),
      early,
    )
  }) as Objects[N]
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

/** Measures in the default font. */
const measureText = (text: string) => document.createElement('canvas').getContext('2d')!.measureText(text)

/** The functions of `neu` that are neither services nor in another module. */
export const others = {
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
  env: { USER_DATA_PATH: userFolder },
  getUpdateManager: object('getUpdateManager'),
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
    return [serviceNames, startNames, storageNames, systemNames, otherNames].some((names) => names.includes(first))
  },
}

provide(others)
