const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const leftToRight = /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/u

/**
 * What is put into a text that is written in the direction `dir`: names, versions and amounts of the other direction between the
 * signs of Unicode that keep them together (FSI, PDI). Without them `1.0.0+c5ec` among Arabic words reads `c5ec+1.0.0`.
 */
export function isolated(value: unknown, dir: 'ltr' | 'rtl'): unknown {
  const other = dir === 'ltr' ? rightToLeft : leftToRight
  return typeof value === 'string' && other.test(value) ? `\u2068${value}\u2069` : value
}
