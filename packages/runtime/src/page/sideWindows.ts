import type { PageStyle } from '@souk/pages'
import type { WindowsConfig } from '../config.ts'

export type WindowName = keyof WindowsConfig

/** What side windows take around the pages, as CSS lengths; absent where none is shown. */
export type WindowSizes = { [name in WindowName]?: string }

/** The windows that are shown beside a page (§2.13): those that the file has, that the page does not turn off, and that there is space for. */
export function visibleWindows(
  windows: WindowsConfig,
  style: PageStyle,
  isWide: (minWidth: number) => boolean,
): WindowSizes {
  const sizes: WindowSizes = {}
  for (const name of ['topWindow', 'leftWindow', 'rightWindow'] as const) {
    const config = windows[name]
    if (!config || style[name] === false || !isWide(config.matchMedia.minWidth)) continue
    const { width, height } = config.style as { width?: string | number; height?: string | number }
    sizes[name] = lengthOf(name === 'topWindow' ? height : width)
  }
  return sizes
}

/** In px (§2.13); a window that takes what the pages leave has an expression such as `calc(100vw - 450px)`. */
function lengthOf(written: string | number | undefined): string {
  const text = String(written ?? 0).trim()
  if (/^(calc|min|max|clamp)\([^;{}]*\)$|^[\d.]+vw$/.test(text)) return text
  return `${Math.max(0, Number.parseFloat(text) || 0)}px`
}

/** Around the pages: side windows, and what `maxWidth` (px) leaves blank (§2.3), as CSS variables. */
export function windowInsets(
  { topWindow = '0px', leftWindow = '0px', rightWindow = '0px' }: WindowSizes,
  maxWidth?: number,
) {
  const blank = maxWidth ? `max(0px, (100vw - ${maxWidth}px) / 2)` : '0px'
  return {
    '--window-left': `calc(${blank} + ${leftWindow})`,
    '--window-right': `calc(${blank} + ${rightWindow})`,
    '--top-window-height': topWindow,
    '--window-margin': maxWidth ? blank : '0px',
  }
}
