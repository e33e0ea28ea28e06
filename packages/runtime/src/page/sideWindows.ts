import type { PageStyle } from '@souk/pages'
import type { WindowsConfig } from '../config.ts'

export type WindowName = keyof WindowsConfig

/** What side windows take around the pages, px; absent where none is shown. */
export type WindowSizes = { [name in WindowName]?: number }

/** The windows that are shown beside a page (§2.13): those that the file has, that the page does not turn off, and that there is space for. */
export function shownWindows(
  windows: WindowsConfig,
  style: PageStyle,
  isWide: (minWidth: number) => boolean,
): WindowSizes {
  const sizes: WindowSizes = {}
  for (const name of ['topWindow', 'leftWindow', 'rightWindow'] as const) {
    const config = windows[name]
    if (!config || style[name] === false || !isWide(config.matchMedia.minWidth)) continue
    const { width, height } = config.style as { width?: string | number; height?: string | number }
    sizes[name] = Math.max(0, Number.parseFloat(String(name === 'topWindow' ? height : width)) || 0)
  }
  return sizes
}

/** Around the pages: side windows, and what `maxWidth` (px) leaves blank (§2.3), as CSS variables. */
export function windowsAround({ topWindow = 0, leftWindow = 0, rightWindow = 0 }: WindowSizes, maxWidth?: number) {
  const blank = maxWidth ? `max(0px, (100vw - ${maxWidth}px) / 2)` : '0px'
  return {
    '--window-left': `calc(${blank} + ${leftWindow}px)`,
    '--window-right': `calc(${blank} + ${rightWindow}px)`,
    '--top-window-height': `${topWindow}px`,
    '--window-margin': maxWidth ? blank : '0px',
  }
}
