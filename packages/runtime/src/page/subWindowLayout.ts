import type { SubNVue, SubNVueStyle } from '@souk/pages'
import { barHeight } from '../shell/bars.ts'

/** Layout of a sub-window (pages-json §2.8): in the page's window, or for `static` in the scroll container. */
export interface SubWindowLayout {
  position: 'static' | 'absolute' | 'dock'
  /** Edge of a docked sub-window, which takes its size from the page there. */
  dock: 'top' | 'bottom' | 'left' | 'right'
  css: Record<string, string>
}

type Side = 'top' | 'bottom' | 'left' | 'right'

/** Returns a CSS length: px and percent as they are, a bare number as px. Undefined if not set. */
function lengthOf(value: string | number | null | undefined): string | undefined {
  const text = String(value ?? '').trim()
  if (text === '' || text === 'null') return undefined
  return /^[+-]?[\d.]+$/.test(text) ? `${text}px` : text
}

/**
 * Returns the layout of a sub-window. The configuration must be as written, because a filled-in default would count
 * as set.
 */
export function layoutSubWindow({
  type,
  style = {},
}: {
  type?: SubNVue['type'] | undefined
  style?: SubNVueStyle
}): SubWindowLayout {
  // Replaces the navigation bar: at the top, with the same height.
  const isBar = type === 'navigationBar'
  const position = style.position ?? (isBar && style.height === undefined ? 'dock' : 'absolute')
  const dock = style.dock ?? (isBar ? 'top' : 'bottom')
  const colours: Record<string, string> = { background: style.background ?? '#FFFFFF' }
  if (style.zindex !== undefined) colours['z-index'] = String(style.zindex)
  if (position === 'dock') {
    const height = `calc(${barHeight}px + var(--status-bar-height))`
    return { position, dock, css: { ...docked(style, dock, isBar ? height : '100%'), ...colours } }
  }
  const across = along(style, 'left', 'right', 'width')
  const down = along(style, 'top', 'bottom', 'height')
  return { position, dock, css: { ...across, ...down, ...colours } }
}

/** Lays out one direction: with a size, the first side overrides the second; without, the two sides define it. */
function along(style: SubNVueStyle, first: Side, second: Side, size: 'width' | 'height'): Record<string, string> {
  const [start, end, extent] = [lengthOf(style[first]), lengthOf(style[second]), lengthOf(style[size])]
  if (extent === undefined && end !== undefined) return { [first]: start ?? '0px', [second]: end }
  const own = { [size]: extent ?? '100%' }
  if (start !== undefined) return { [first]: start, ...own }
  if (end !== undefined) return { [second]: end, ...own }
  if (style.margin?.trim() !== 'auto') return { [first]: '0px', ...own }
  const margins = first === 'left' ? 'margin-inline' : 'margin-block'
  return { [first]: '0px', [second]: '0px', [margins]: 'auto', ...own }
}

/** A docked sub-window spans its edge. Those at the sides end at those at top and bottom. */
function docked(style: SubNVueStyle, dock: Side, extent: string): Record<string, string> {
  const isAcross = dock === 'top' || dock === 'bottom'
  const size = isAcross ? 'height' : 'width'
  const [from, to]: [Side, Side] = isAcross ? ['left', 'right'] : ['top', 'bottom']
  const end = (side: Side) => (isAcross ? '0px' : `var(--dock-${side}, 0px)`)
  return { [dock]: '0px', [from]: end(from), [to]: end(to), [size]: lengthOf(style[size]) ?? extent }
}

/** Returns the space that docked sub-windows take at each edge, as CSS lengths. */
export function dockInsets(layouts: readonly SubWindowLayout[]): Record<Side, string> {
  const taken = (side: Side) =>
    layouts
      .filter(({ position, dock }) => position === 'dock' && dock === side)
      .map(({ css }) => css[side === 'top' || side === 'bottom' ? 'height' : 'width']!)
      .reduce((sum, each) => (sum === '0px' ? each : `max(${sum}, ${each})`), '0px')
  return { top: taken('top'), bottom: taken('bottom'), left: taken('left'), right: taken('right') }
}
