import type { PageStyle } from '@souk/pages'
import { pageStyleDefaults } from '@souk/shell/defaults.generated'

/** Settings for rpx on H5 (pages-json §2.3). On other platforms widths have no maximum. */
export interface RpxSettings {
  /** Maximum device width in px up to which rpx scale with the width. */
  max: number
  /** Width in px to assume for wider devices. */
  base: number
  /** This number of rpx always scales with the real width. */
  included: number
}

export let settings: RpxSettings = rpxSettings({})

/** Sets the rpx settings once, before the first page is rendered. `style` is the app's default style. */
export function setRpx(style: PageStyle): void {
  settings = rpxSettings(style)
}

/** Reads the settings, which are only present on H5. */
export function rpxSettings(style: PageStyle): RpxSettings {
  return {
    max: style.rpxCalcMaxDeviceWidth ?? Number.POSITIVE_INFINITY,
    base: style.rpxCalcBaseDeviceWidth ?? pageStyleDefaults.rpxCalcBaseDeviceWidth,
    included: style.rpxCalcIncludeWidth ?? pageStyleDefaults.rpxCalcIncludeWidth,
  }
}

/** A static file, which is beside the document at any path. */
const staticFile = /(\burl\(\s*["']?)@?\/(?=(?:[^/"'()]+\/)*?static\/)/g
/** A property. uni-app also accepts its script name in texts. */
const property = /((?:^|;)\s*)([a-z][a-zA-Z]*)(?=\s*:)/g
const length = /(?<![\w.#-])(-?(?:\d+(?:\.\d*)?|\.\d+))([ru]px|vh)\b/g

/**
 * Converts the lengths in a bound style or attribute to CSS lengths, and the paths of static files to relative ones,
 * as the build does in style sheets. Accepts any value that Vue accepts. Called by compiled templates.
 */
export function rpxStyle(style: string): string
export function rpxStyle(style: unknown): unknown
export function rpxStyle(style: unknown): unknown {
  if (typeof style === 'string') {
    return style
      .replace(property, (_, before: string, name: string) => before + name.replace(/[A-Z]/g, '-$&').toLowerCase())
      .replace(staticFile, '$1')
      .replace(length, (original: string, count: string, unit: string) => toCssLength(Number(count), unit, original))
  }
  if (Array.isArray(style)) return style.map(rpxStyle)
  if (typeof style !== 'object' || style === null) return style
  return Object.fromEntries(Object.entries(style).map(([name, value]) => [name, rpxStyle(value)]))
}

function toCssLength(count: number, unit: string, original: string): string {
  if (unit !== 'vh') return `calc(${count} * var(--rpx${count === settings.included ? '-included' : ''}))`
  // In a frame vh refers to the page, because bars cover a part of the screen.
  return __SOUK_PLATFORM__ === 'H5' ? original : `calc(${count} * var(--vh, 1vh))`
}
