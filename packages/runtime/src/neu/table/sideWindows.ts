import { call, type Places, sync, type } from './entry.ts'

const onlyOnH5 = { H5: 'page', frame: 'missing' } as const satisfies Places
const shown = { ...onlyOnH5, module: 'sideWindows', isLoadedWhenCalled: true, fails: ['noWindow'] } as const
const styled = { ...onlyOnH5, module: 'objects' } as const

/** CSS properties, by their names in camel case. Widths and heights without a unit are in px. */
export type WindowStyle = Record<string, string | number>

/** Windows beside the page (pages-json §2.13). */
export const sideWindows = {
  /** Shows the window, whatever the width of the screen. */
  showTopWindow: call(shown),
  /** Hides the window. */
  hideTopWindow: call(shown),
  /** Shows the window, whatever the width of the screen. */
  showLeftWindow: call(shown),
  /** Hides the window. */
  hideLeftWindow: call(shown),
  /** Shows the window, whatever the width of the screen. */
  showRightWindow: call(shown),
  /** Hides the window. */
  hideRightWindow: call(shown),
  /**
   * Returns the style in pages.json with what was set since.
   * @returns The style.
   */
  getTopWindowStyle: sync({ ...styled, is: type<() => WindowStyle>() }),
  /**
   * Changes the style of the window.
   * @param style What to change.
   */
  setTopWindowStyle: sync({ ...styled, is: type<(style: WindowStyle) => void>() }),
  /**
   * Returns the style in pages.json with what was set since.
   * @returns The style.
   */
  getLeftWindowStyle: sync({ ...styled, is: type<() => WindowStyle>() }),
  /**
   * Changes the style of the window.
   * @param style What to change.
   */
  setLeftWindowStyle: sync({ ...styled, is: type<(style: WindowStyle) => void>() }),
  /**
   * Returns the style in pages.json with what was set since.
   * @returns The style.
   */
  getRightWindowStyle: sync({ ...styled, is: type<() => WindowStyle>() }),
  /**
   * Changes the style of the window.
   * @param style What to change.
   */
  setRightWindowStyle: sync({ ...styled, is: type<(style: WindowStyle) => void>() }),
}
