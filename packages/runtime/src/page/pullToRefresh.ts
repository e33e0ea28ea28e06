import type { PageStyle } from '@souk/pages'
import type { Os } from '@souk/shell/config'
import { pullToRefreshDefaults } from '@souk/shell/defaults.generated'

/** Pull-to-refresh settings (pages-json §2.9) for one platform. */
export interface RefreshSettings {
  style: 'default' | 'circle'
  color: string
  /**
   * Distance to pull before a refresh, and height of the indicator during it. A CSS length in px, or percent of the
   * page.
   */
  height: string
  /** Maximum pull distance. */
  range: string
  /** Start position of the `circle` indicator. */
  offset: string
  /** Undefined if pages.json sets none. */
  captions: { down?: string | undefined; over?: string | undefined; refresh?: string | undefined }
}

export function refreshSettings(style: PageStyle, isH5: boolean, os: Os): RefreshSettings {
  const pull = isH5 ? style.h5?.pullToRefresh : style['app-plus']?.pullToRefresh
  const native = isH5 ? undefined : style['app-plus']?.pullToRefresh
  return {
    style: isH5 ? 'circle' : (native?.style ?? (os === 'iOS' ? 'default' : 'circle')),
    color: pull?.color ?? pullToRefreshDefaults.color,
    height: native?.height || '64px',
    range: native?.range || '',
    offset: pull?.offset || pullToRefreshDefaults.offset,
    captions: {
      down: native?.contentdown?.caption,
      over: native?.contentover?.caption,
      refresh: native?.contentrefresh?.caption,
    },
  }
}

/** Converts a length in px, or percent of `whole`, to px; undefined for anything else. A bare number counts as px. */
export function lengthToPx(length: string | number, whole: number): number | undefined {
  const [, digits, unit] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:\s*(px|%))?$/i.exec(String(length).trim()) ?? []
  if (digits === undefined) return undefined
  return unit === '%' ? (Number(digits) * whole) / 100 : Number(digits)
}

/** Returns the settings in px for a page of `visible` px. The range is always large enough to refresh. */
export function refreshLengths(
  { height, range, offset }: RefreshSettings,
  visible: number,
): { height: number; range: number; offset: number } {
  const threshold = Math.max(1, lengthToPx(height, visible) ?? 64)
  return {
    height: threshold,
    range: Math.max(threshold, lengthToPx(range, visible) ?? threshold * 2),
    offset: lengthToPx(offset, visible) ?? 0,
  }
}

/**
 * Returns how far the page moves for a finger that has moved `distance` px: at first equally, then ever less, up to
 * `range`.
 */
export function pullOffset(distance: number, range: number): number {
  if (distance <= 0) return 0
  const progress = distance / (range * (Math.PI / 2))
  return progress >= 1 ? range : range * Math.sin((progress * Math.PI) / 2)
}

/** Returns the effect of releasing now. */
export function pullPhase(pulled: number, height: number): 'idle' | 'down' | 'over' {
  if (pulled <= 0) return 'idle'
  // Both the offset and pointer coordinates are rounded.
  return pulled < height - 0.5 ? 'down' : 'over'
}

/** Returns true for a downward movement, which starts a pull; undefined while it is too small to tell. */
export function isPull(x: number, y: number): boolean | undefined {
  if (Math.max(Math.abs(x), Math.abs(y)) < 6) return undefined
  return y > Math.abs(x)
}
