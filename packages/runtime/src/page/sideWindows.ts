import type { PageStyle } from '@souk/pages'
import type { WindowsConfig } from '@souk/shell/config'
import type { WindowChanges } from './windowChanges.ts'

export type WindowName = keyof WindowsConfig

/** Sizes of the visible side windows as CSS lengths. */
export type WindowSizes = { [name in WindowName]?: string }

/**
 * Returns the side windows to show beside a page (pages-json §2.13): those in pages.json that the page does not turn
 * off and that fit, unless a function has shown or hidden them.
 */
export function visibleWindows(
  windows: WindowsConfig,
  style: PageStyle,
  isWide: (minWidth: number) => boolean,
  changes: WindowChanges = {},
): WindowSizes {
  const sizes: WindowSizes = {}
  for (const name of ['topWindow', 'leftWindow', 'rightWindow'] as const) {
    const config = windows[name]
    const fits = config && style[name] !== false && isWide(config.matchMedia.minWidth)
    if (!config || !(changes[name]?.isShown ?? fits)) continue
    const { width, height }: { width?: string | number; height?: string | number } = {
      ...config.style,
      ...changes[name]?.style,
    }
    sizes[name] = lengthOf(name === 'topWindow' ? height : width)
  }
  return sizes
}

/** Returns the size in px (pages-json §2.13), or an expression such as `calc(100vw - 450px)` as it is. */
function lengthOf(written: string | number | undefined): string {
  const text = String(written ?? 0).trim()
  if (/^(calc|min|max|clamp)\([^;{}]*\)$|^[\d.]+vw$/.test(text)) return text
  return `${Math.max(0, Number.parseFloat(text) || 0)}px`
}

/**
 * Returns CSS variables for the space around the pages: side windows, and the margins left by `maxWidth` in px
 * (pages-json §2.3).
 */
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
