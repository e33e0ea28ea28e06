import type { SubNVue, SubNVueStyle } from '@souk/pages'
import { barHeight } from '../shell/bars.ts'

/** Where a sub-window stands (§2.8), in the page's window or, for `static`, in what scrolls. */
export interface SubWindowLayout {
  position: 'static' | 'absolute' | 'dock'
  /** The edge of a docked one; what it takes there, as a CSS length, is not the page's. */
  dock: 'top' | 'bottom' | 'left' | 'right'
  css: Record<string, string>
}

type Side = 'top' | 'bottom' | 'left' | 'right'

/** Px or percent as they are; a bare number is px. Undefined where nothing is set. */
function lengthOf(value: string | number | null | undefined): string | undefined {
  const text = String(value ?? '').trim()
  if (text === '' || text === 'null') return undefined
  return /^[+-]?[\d.]+$/.test(text) ? `${text}px` : text
}

/** `config` as it is written: a default that somebody filled in would count as set. */
export function layoutSubWindow({
  type,
  style = {},
}: {
  type?: SubNVue['type'] | undefined
  style?: SubNVueStyle
}): SubWindowLayout {
  // In place of the bar: at the top edge, as tall as one.
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

/** One direction: the first side comes before the second one where the size is set, both together give it where it is not. */
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

/** Along its edge a docked sub-window goes from end to end; those at the sides stand between those above and below. */
function docked(style: SubNVueStyle, dock: Side, extent: string): Record<string, string> {
  const isAcross = dock === 'top' || dock === 'bottom'
  const size = isAcross ? 'height' : 'width'
  const [from, to]: [Side, Side] = isAcross ? ['left', 'right'] : ['top', 'bottom']
  const end = (side: Side) => (isAcross ? '0px' : `var(--dock-${side}, 0px)`)
  return { [dock]: '0px', [from]: end(from), [to]: end(to), [size]: lengthOf(style[size]) ?? extent }
}

/** What docked sub-windows take from the page at each edge, as CSS lengths. */
export function dockInsets(layouts: readonly SubWindowLayout[]): Record<Side, string> {
  const taken = (side: Side) =>
    layouts
      .filter(({ position, dock }) => position === 'dock' && dock === side)
      .map(({ css }) => css[side === 'top' || side === 'bottom' ? 'height' : 'width']!)
      .reduce((sum, each) => (sum === '0px' ? each : `max(${sum}, ${each})`), '0px')
  return { top: taken('top'), bottom: taken('bottom'), left: taken('left'), right: taken('right') }
}
