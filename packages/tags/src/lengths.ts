/** Converts a length attribute to CSS: plain numbers are px. The build has already converted rpx. */
export const cssLength = (length: number | string): string => (isPlain(length) ? `${Number(length)}px` : String(length))

/** Converts a length attribute to px in the context of `element`. */
export function pxOf(element: HTMLElement, length: number | string): number {
  if (isPlain(length)) return Number(length)
  // Registered as a <length>, so the browser computes it.
  element.style.setProperty('--neu-length', String(length))
  const px = Number.parseFloat(getComputedStyle(element).getPropertyValue('--neu-length'))
  element.style.removeProperty('--neu-length')
  return px
}

const isPlain = (length: number | string) => !Number.isNaN(Number(length))
