import type { SubNVue, SubNVueStyle } from '@souk/pages'
import { placeSubWindow, type SubWindowPlacement } from '@souk/pages/subWindow'
import { barHeight } from '../bars.ts'
import { subNVueStyleDefaults } from '../defaults.generated.ts'

/** Layout of a sub-window (pages-json §2.8): in the page's window, or for `static` in the scroll container. */
export interface SubWindowLayout extends Pick<SubWindowPlacement, 'position' | 'dock'> {
  css: Record<string, string>
}

type Side = SubWindowPlacement['dock']

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
  const placement = placeSubWindow(type, style, subNVueStyleDefaults)
  const { position, dock, isCentered, ...lengths } = placement
  const colors: Record<string, string> = { background: style.background ?? subNVueStyleDefaults.background }
  if (style.zindex !== undefined) colors['z-index'] = String(style.zindex)
  const css =
    position === 'dock'
      ? docked(placement)
      : {
          ...lengths,
          ...(isCentered.horizontally && { left: '0px', right: '0px', 'margin-inline': 'auto' }),
          ...(isCentered.vertically && { top: '0px', bottom: '0px', 'margin-block': 'auto' }),
        }
  return { position, dock, css: { ...css, ...colors } }
}

/** Places a docked sub-window along its edge. Those at the sides end at those at top and bottom. */
function docked({ dock, width, height }: SubWindowPlacement): Record<string, string> {
  if (dock === 'left' || dock === 'right') {
    return { [dock]: '0px', top: 'var(--dock-top, 0px)', bottom: 'var(--dock-bottom, 0px)', width: width! }
  }
  const bar = `calc(${barHeight}px + var(--status-bar-height))`
  return { [dock]: '0px', left: '0px', right: '0px', height: height ?? bar }
}

/** Returns the space that docked sub-windows take at each edge, as CSS lengths. */
export function dockInsets(layouts: readonly SubWindowLayout[]): Record<Side, string> {
  const insetOf = (side: Side) =>
    layouts
      .filter(({ position, dock }) => position === 'dock' && dock === side)
      .map(({ css }) => css[side === 'top' || side === 'bottom' ? 'height' : 'width']!)
      .reduce((sum, each) => (sum === '0px' ? each : `max(${sum}, ${each})`), '0px')
  return { top: insetOf('top'), bottom: insetOf('bottom'), left: insetOf('left'), right: insetOf('right') }
}
