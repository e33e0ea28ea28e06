import type { WindowName } from '../page/sideWindows.ts'
import { windowChanges } from '../page/windowChanges.ts'
import { currentApp } from '../stack/app.ts'
import type { WindowStyle } from './table/sideWindows.ts'

const configured = (name: WindowName) => currentApp().config.windows[name]

/** Returns the style in pages.json with what was set since; empty if the app does not have the window. */
const read = (name: WindowName) => (): WindowStyle =>
  __SOUK_SIDE_WINDOWS__ && configured(name)
    ? ({ ...configured(name)!.style, ...windowChanges[name]?.style } as WindowStyle)
    : {}

const write = (name: WindowName) => (style: WindowStyle) => {
  if (__SOUK_SIDE_WINDOWS__ && configured(name))
    windowChanges[name] = { ...windowChanges[name], style: { ...windowChanges[name]?.style, ...style } }
}

export const getTopWindowStyle = read('topWindow')
export const setTopWindowStyle = write('topWindow')
export const getLeftWindowStyle = read('leftWindow')
export const setLeftWindowStyle = write('leftWindow')
export const getRightWindowStyle = read('rightWindow')
export const setRightWindowStyle = write('rightWindow')
