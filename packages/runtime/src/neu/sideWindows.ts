import type { WindowName } from '../page/sideWindows.ts'
import { windowChanges } from '../page/windowChanges.ts'
import { currentApp } from '../stack/app.ts'

/** Shows or hides a side window (pages-json §2.13), whatever the width of the screen and the page on top. */
function show(name: WindowName, isShown: boolean): void {
  if (__SOUK_SIDE_WINDOWS__ && currentApp().config.windows[name])
    windowChanges[name] = { ...windowChanges[name], isShown }
  else throw new Error(__SOUK_PLATFORM__ === 'H5' ? `the app has no ${name}` : 'not supported')
}

export const showTopWindow = async (): Promise<void> => show('topWindow', true)
export const hideTopWindow = async (): Promise<void> => show('topWindow', false)
export const showLeftWindow = async (): Promise<void> => show('leftWindow', true)
export const hideLeftWindow = async (): Promise<void> => show('leftWindow', false)
export const showRightWindow = async (): Promise<void> => show('rightWindow', true)
export const hideRightWindow = async (): Promise<void> => show('rightWindow', false)
