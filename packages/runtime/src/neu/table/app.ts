import type { Address } from '../../stack/address.ts'
import type { HookTypes } from '../../stack/hooks.ts'
import type { LaunchInfo } from '../../stack/launchInfo.ts'
import type { UpdateManager } from '../contexts.ts'
import { call, event, flag, gives, hostOnly, inPage, required, sync, type } from './entry.ts'

const ofSystem = { ...inPage, module: 'system' } as const
const hook = { ...inPage, module: 'appEvents' } as const
type OnHook<N extends keyof HookTypes> = (listener: HookTypes[N]) => void
type OffHook<N extends keyof HookTypes> = (listener?: HookTypes[N]) => void

/** The app itself, and calls of functions. */
export const app = {
  /** Returns the address that the app was opened with, and by which mini app. */
  getLaunchOptionsSync: sync({ ...ofSystem, is: type<() => Address & LaunchInfo>() }),
  /** Returns how the app was opened, as `getLaunchOptionsSync` does. */
  getEnterOptionsSync: sync({ ...ofSystem, is: type<() => Address & LaunchInfo>() }),
  /** Reports no update, because the host updates releases when the mini app is opened. */
  getUpdateManager: gives({
    ...inPage,
    module: 'objects',
    differs: 'the host updates; no update is ever reported',
    is: type<() => UpdateManager>(),
  }),
  /** Adds a listener for when the app is shown: at its start, and when the user returns to it. */
  onAppShow: event({ ...hook, is: type<OnHook<'onShow'>>() }),
  /** Removes a listener, or all of them. */
  offAppShow: event({ ...hook, is: type<OffHook<'onShow'>>() }),
  /** Adds a listener for when the user leaves the app, or its browser tab. */
  onAppHide: event({ ...hook, is: type<OnHook<'onHide'>>() }),
  /** Removes a listener, or all of them. */
  offAppHide: event({ ...hook, is: type<OffHook<'onHide'>>() }),
  /**
   * Adds a listener to errors that no code has caught.
   * @returns The message of the error with its stack.
   */
  onError: event({ ...hook, is: type<OnHook<'onError'>>() }),
  /** Removes a listener, or all of them. */
  offError: event({ ...hook, is: type<OffHook<'onError'>>() }),
  /** Adds a listener for addresses of pages that do not exist. */
  onPageNotFound: event({ ...hook, is: type<OnHook<'onPageNotFound'>>() }),
  /** Removes a listener, or all of them. */
  offPageNotFound: event({ ...hook, is: type<OffHook<'onPageNotFound'>>() }),
  /** Adds a listener to promises that were rejected and that no code has caught. */
  onUnhandledRejection: event({ ...hook, is: type<OnHook<'onUnhandledRejection'>>() }),
  /** Removes a listener, or all of them. */
  offUnhandledRejection: event({ ...hook, is: type<OffHook<'onUnhandledRejection'>>() }),
  /** Shows or hides the inspector of the host. Fails if it has none. */
  setEnableDebug: call({
    ...hostOnly,
    module: 'applications',
    isLoadedWhenCalled: true,
    method: 'setDebug',
    differs: 'shows the inspector, in a sandbox only',
    options: {
      /** True shows the inspector. */
      enableDebug: required(flag),
    },
  }),
  /** Adds an interceptor to a function, or without a name to all functions that take options. */
  addInterceptor: sync({
    ...inPage,
    module: 'start',
    differs: 'intercepts functions that take options, not their Sync variants',
    // Its type names the functions of this table.
    is: type<unknown>(),
  }),
  /** Removes an interceptor, or all of a function. */
  removeInterceptor: sync({
    ...inPage,
    module: 'start',
    differs: 'intercepts functions that take options, not their Sync variants',
    is: type<unknown>(),
  }),
}
