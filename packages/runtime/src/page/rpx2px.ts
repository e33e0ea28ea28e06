import { type RpxSettings, settings } from './rpx.ts'

/** Converts rpx to px for a visible width of `width` px. */
export function rpxToPx(rpx: number, width: number, { max, base, included }: RpxSettings): number {
  return (rpx * (width <= max || rpx === included ? width : base)) / 750
}

/**
 * Implements `neu.rpx2px` and `neu.upx2px`. Not rounded, so that the result equals the one in CSS; except in projects
 * of uni-app on H5, where it is rounded towards 0, but not to 0.
 */
export function rpx2px(rpx: number | string): number {
  // Desktop windows can be resized, so the device's width is not used.
  const px = rpxToPx(Number.parseFloat(String(rpx)) || 0, window.innerWidth, settings)
  if (!__SOUK_UNI_APP__ || px === 0) return px
  return Math.sign(px) * (Math.floor(Math.abs(px) + 1e-4) || 1)
}
