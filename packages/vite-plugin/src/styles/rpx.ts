/** Matches `rpx` lengths, and the older `upx`, outside of strings and URLs. A string without end is one up to there. */
const length =
  /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|url\([^()]*\))|(?<![\w.#-])([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:rpx|upx)\b/gi

export const mayHaveRpx = (css: string): boolean => /\d[ru]px/i.test(css)

/**
 * Converts rpx in a CSS value to `--rpx`, which the document's head defines. The length of exactly `included` rpx
 * always follows the real width (pages-json §2.3 rpxCalcIncludeWidth).
 */
export function rpxToCss(value: string, included: number): string {
  return value.replace(length, (whole: string, skipped: string | undefined, number: string | undefined) => {
    if (skipped !== undefined || number === undefined) return whole
    const count = Number(number)
    return count === 0 ? '0px' : `calc(${count} * var(--rpx${count === included ? '-included' : ''}))`
  })
}

/** Converts rpx in media conditions, which do not support variables, for the standard base width of 375 px. */
export function rpxToPx(condition: string): string {
  return condition.replace(length, (whole: string, skipped: string | undefined, number: string | undefined) =>
    skipped !== undefined || number === undefined ? whole : `${Number(number) / 2}px`,
  )
}

/** Returns the CSS that defines one rpx, and 1rem as 32rpx, like uni-app. Without `max` both follow the real width. */
export function rpxVariables({ max, base }: { max: number | undefined; base: number }): string {
  const always = ':root{--rpx:calc(100vw / 750);--rpx-included:calc(100vw / 750);font-size:calc(32 * var(--rpx))}'
  return max === undefined ? always : `${always}@media (width > ${max}px){:root{--rpx:calc(${base}px / 750)}}`
}
