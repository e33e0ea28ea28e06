import type { PageStyle } from '@souk/pages'
import type { Os } from '../config.ts'

/** How a page is pulled down to refresh (§2.9), for one platform. */
export interface RefreshSettings {
  style: 'default' | 'circle'
  color: string
  /** How far the page, or the sign, must be pulled to refresh, and stays while it does. A CSS length, px or percent of the page. */
  height: string
  /** How far it can be pulled. */
  range: string
  /** Where the sign of `circle` starts. */
  offset: string
  /** Undefined where pages.json says none. */
  captions: { down?: string | undefined; over?: string | undefined; refresh?: string | undefined }
}

export function refreshSettings(style: PageStyle, isH5: boolean, os: Os): RefreshSettings {
  const pull = isH5 ? style.h5?.pullToRefresh : style['app-plus']?.pullToRefresh
  const native = isH5 ? undefined : style['app-plus']?.pullToRefresh
  return {
    style: isH5 ? 'circle' : (native?.style ?? (os === 'iOS' ? 'default' : 'circle')),
    color: pull?.color ?? '#2BD009',
    height: native?.height || '64px',
    range: native?.range || '',
    offset: pull?.offset || '0px',
    captions: {
      down: native?.contentdown?.caption,
      over: native?.contentover?.caption,
      refresh: native?.contentrefresh?.caption,
    },
  }
}

/** Px of a length in px or percent of `whole`; undefined for anything else. A bare number counts as px. */
export function lengthToPx(length: string | number, whole: number): number | undefined {
  const [, digits, unit] = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*(px|%)?\s*$/i.exec(String(length)) ?? []
  if (digits === undefined) return undefined
  return unit === '%' ? (Number(digits) * whole) / 100 : Number(digits)
}

/** The settings in px of a page of which `visible` px are seen. One can always be pulled far enough to refresh. */
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

/** How far the page follows a finger that has gone `distance` px: at first all the way, then less and less, up to `range`. */
export function pullOffset(distance: number, range: number): number {
  if (distance <= 0) return 0
  const progress = distance / (range * (Math.PI / 2))
  return progress >= 1 ? range : range * Math.sin((progress * Math.PI) / 2)
}

/** What letting go would do. */
export function pullPhase(pulled: number, height: number): 'idle' | 'down' | 'over' {
  if (pulled <= 0) return 'idle'
  // What is shown is rounded, and so is what a pointer tells.
  return pulled < height - 0.5 ? 'down' : 'over'
}

/** Whether a movement is a pull at all: down, and more so than to the side. Undefined as long as it is too small to tell. */
export function isPull(x: number, y: number): boolean | undefined {
  if (Math.max(Math.abs(x), Math.abs(y)) < 6) return undefined
  return y > Math.abs(x)
}
