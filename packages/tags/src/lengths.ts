/** A length of an attribute, as CSS has it: plain numbers are px. What was rpx is CSS already (`lengths` in tags.ts). */
export const cssLength = (length: number | string): string => (isPlain(length) ? `${Number(length)}px` : String(length))

/** How many px a length of an attribute is where `element` is. */
export function pxOf(element: HTMLElement, length: number | string): number {
  if (isPlain(length)) return Number(length)
  // Registered as a length, so the browser works it out.
  element.style.setProperty('--neu-length', String(length))
  const px = Number.parseFloat(getComputedStyle(element).getPropertyValue('--neu-length'))
  element.style.removeProperty('--neu-length')
  return px
}

const isPlain = (length: number | string) => !Number.isNaN(Number(length))
