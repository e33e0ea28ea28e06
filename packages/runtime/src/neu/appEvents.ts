import { currentCarrier } from '../carriers/current.ts'
import { currentApp } from '../stack/app.ts'
import { addHook, type HookName, type HookTypes } from '../stack/hooks.ts'
import { deviceEvent, getLocale } from './system.ts'

export const { on: onLocaleChange, off: offLocaleChange } = deviceEvent(getLocale, () => ({ locale: getLocale() }))

export const { on: onUIStyleChange } = deviceEvent(
  () => currentCarrier().device.theme,
  () => ({ style: currentCarrier().device.theme }),
)

/** Browsers do not report this, so no listener of it is ever called. */
const neverHappens = (_listener?: (event: never) => void): void => {}
export const onMemoryWarning = neverHappens
export const offMemoryWarning = neverHappens
export const onUserCaptureScreen = neverHappens
export const offUserCaptureScreen = neverHappens

type Remove = () => void

/** Creates the on and off functions for a hook of the app. */
function appHook<N extends HookName>(name: N) {
  const removals = new Map<unknown, Remove>()
  return {
    on(listener: HookTypes[N]): void {
      removals.get(listener)?.()
      removals.set(listener, addHook(currentApp(), name, listener))
    },
    off(listener?: HookTypes[N]): void {
      for (const [each, remove] of removals) {
        if (listener && each !== listener) continue
        remove()
        removals.delete(each)
      }
    },
  }
}

export const { on: onAppShow, off: offAppShow } = appHook('onShow')
export const { on: onAppHide, off: offAppHide } = appHook('onHide')
export const { on: onError, off: offError } = appHook('onError')
export const { on: onPageNotFound, off: offPageNotFound } = appHook('onPageNotFound')
export const { on: onUnhandledRejection, off: offUnhandledRejection } = appHook('onUnhandledRejection')
