import { call, type Places, sync, type } from './entry.ts'

const onlyOnH5 = { H5: 'page', frame: 'missing' } as const satisfies Places
const shown = { ...onlyOnH5, module: 'sideWindows', isLoadedWhenCalled: true } as const
const styled = { ...onlyOnH5, module: 'objects' } as const

/** CSS properties, by their names in camel case. Widths and heights without a unit are in px. */
export type WindowStyle = Record<string, string | number>

/** Windows beside the page (pages-json §2.13). */
export const sideWindows = {
  /** Shows the window, whatever the width of the screen. */
  showTopWindow: call(shown),
  hideTopWindow: call(shown),
  showLeftWindow: call(shown),
  hideLeftWindow: call(shown),
  showRightWindow: call(shown),
  hideRightWindow: call(shown),
  /** Returns the style in pages.json with what was set since. */
  getTopWindowStyle: sync({ ...styled, is: type<() => WindowStyle>() }),
  setTopWindowStyle: sync({ ...styled, is: type<(style: WindowStyle) => void>() }),
  getLeftWindowStyle: sync({ ...styled, is: type<() => WindowStyle>() }),
  setLeftWindowStyle: sync({ ...styled, is: type<(style: WindowStyle) => void>() }),
  getRightWindowStyle: sync({ ...styled, is: type<() => WindowStyle>() }),
  setRightWindowStyle: sync({ ...styled, is: type<(style: WindowStyle) => void>() }),
}
