const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const leftToRight = /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/u

/**
 * Wraps a value of the opposite direction in Unicode isolates (FSI, PDI) before it is inserted into a text of direction
 * `dir`. Without them, `1.0.0+c5ec` within Arabic text is displayed as `c5ec+1.0.0`.
 */
export function isolateBidi(value: unknown, dir: 'ltr' | 'rtl'): unknown {
  const opposite = dir === 'ltr' ? rightToLeft : leftToRight
  return typeof value === 'string' && opposite.test(value) ? `\u2068${value}\u2069` : value
}
