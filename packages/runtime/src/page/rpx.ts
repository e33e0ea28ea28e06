import type { PageStyle } from '@souk/pages'

/** The document's settings for rpx (§2.3), of H5; elsewhere widths have no maximum. */
export interface RpxSettings {
  /** Widest device, in px, for which rpx follow the real width. */
  max: number
  /** Width, in px, that counts on wider devices. */
  base: number
  /** This many rpx always follow the real width. */
  included: number
}

let settings: RpxSettings = { max: Number.POSITIVE_INFINITY, base: 375, included: 750 }

/** Called once, before the first page is drawn. `style` is the one of pages that set nothing. */
export function setRpx(style: PageStyle): void {
  settings = rpxSettings(style)
}

/** The settings are there on H5 only. */
export function rpxSettings(style: PageStyle): RpxSettings {
  return {
    max: style.rpxCalcMaxDeviceWidth ?? Number.POSITIVE_INFINITY,
    base: style.rpxCalcBaseDeviceWidth ?? 375,
    included: style.rpxCalcIncludeWidth ?? 750,
  }
}

/** How many px `rpx` are where `width` px are visible. */
export function rpxToPx(rpx: number, width: number, { max, base, included }: RpxSettings): number {
  return (rpx * (width <= max || rpx === included ? width : base)) / 750
}

/** `neu.rpx2px`, `neu.upx2px`: px, not rounded, so that it is what CSS makes of it. */
export function rpx2px(rpx: number | string): number {
  // Not the device's width: a window on a desk is as wide as it is pulled.
  return rpxToPx(Number.parseFloat(String(rpx)) || 0, window.innerWidth, settings)
}

/** Of a file that lies beside the document, wherever that is. */
const staticFile = /(\burl\(\s*["']?)@?\/(?=(?:[^/"')]+\/)*?static\/)/g
const length = /(?<![\w.#-])(-?(?:\d+\.?\d*|\.\d+))([ru]px|vh)\b/g

/**
 * A bound style, or a bound length of a tag's attribute, whose lengths are such as CSS knows, as the build makes them of those in style
 * sheets, and whose static files are found under any path. Takes what Vue takes; called by compiled templates.
 */
export function rpxStyle(style: string): string
export function rpxStyle(style: unknown): unknown
export function rpxStyle(style: unknown): unknown {
  if (typeof style === 'string') {
    return style
      .replace(staticFile, '$1')
      .replace(length, (original: string, count: string, unit: string) => toCssLength(Number(count), unit, original))
  }
  if (Array.isArray(style)) return style.map(rpxStyle)
  if (typeof style !== 'object' || style === null) return style
  return Object.fromEntries(Object.entries(style).map(([name, value]) => [name, rpxStyle(value)]))
}

function toCssLength(count: number, unit: string, original: string): string {
  if (unit !== 'vh') return `calc(${count} * var(--rpx${count === settings.included ? '-included' : ''}))`
  // In a frame of the host they are of the page, not of the screen that bars cover a part of.
  return __SOUK_PLATFORM__ === 'H5' ? original : `calc(${count} * var(--vh, 1vh))`
}
